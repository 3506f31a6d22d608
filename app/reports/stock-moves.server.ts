import { type StockMoves } from '#contract/reports'
import { formatDay } from '#contract/values/dates'
import { nameCode } from '~/lib/unknown'

const MOVES = {
	BONUS: 'bonus',
	SPLIT: 'split',
	DEMERGER: 'demerger',
	IPO: 'IPO allotment',
	TRANSFER: 'transfer',
	BUYBACK: 'buyback',
} as const

const MOST = 12

/** Returns the sentence with its list, of which at most twelve are named. Undefined when the list is empty. */
function tell(sentence: string, list: readonly string[]): string | undefined {
	if (list.length === 0) return undefined
	return `${sentence}: ${list.slice(0, MOST).join('; ')}${list.length > MOST ? `; and ${list.length - MOST} more` : ''}.`
}

/** Returns the corporate actions and transfers that count as bought or sold without a trade. */
export function tellMoves(moves: StockMoves): string | undefined {
	const list = moves
		.filter(({ KIND }) => KIND !== 'EXPIRY')
		.map(({ KIND, SCRIP_NAME, DATE }) => `${nameCode(MOVES, KIND)} of ${SCRIP_NAME} on ${formatDay(DATE)}`)
	// A demerger moves the old share out and in.
	return tell('Counted as bought or sold though nothing was traded', [...new Set(list)])
}

/** Returns the contracts that ended without a trade, or that they could not be loaded. */
export function tellExpired(moves: StockMoves | undefined): string | undefined {
	if (!moves) return 'Expired contracts could not be loaded.'
	const list = moves.filter(({ KIND }) => KIND === 'EXPIRY')
	return tell(
		'Expired, so closed without a trade',
		list.map(({ SCRIP_NAME, DATE }) => `${SCRIP_NAME} on ${formatDay(DATE)}`),
	)
}

/** True for a buyback whose whole receipt is a dividend, so that the shares count as sold for nothing: October 2024 to March 2026. */
const isDividendBuyback = ({ KIND, DATE, AMOUNT }: StockMoves[number]) =>
	KIND === 'BUYBACK' && DATE >= '2024-10-01' && DATE <= '2026-03-31' && AMOUNT === 0

/** Returns what a row of profit and loss does not say of its moves: contracts that expired, and a loss that is a buyback's cost; or that they could not be loaded. */
export function tellClosed(moves: StockMoves | undefined): string | undefined {
	if (!moves) return 'Expired contracts and buybacks could not be loaded.'
	const boughtBack = moves.filter(isDividendBuyback)
	const told = tell(
		'Bought back, sold for nothing because the receipt counts as a dividend',
		boughtBack.map(({ SCRIP_NAME, DATE }) => `${SCRIP_NAME} on ${formatDay(DATE)}`),
	)
	return [tellExpired(moves), told].filter(Boolean).join(' ') || undefined
}
