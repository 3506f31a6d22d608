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
