import { type z } from 'zod/v4'
import { type GlobalSummaryRow, type StockMoves } from '#contract/reports'
import { withUnread } from '#contract/tolerant'
import { formatDay } from '#contract/values/dates'
import { formatYear } from '#contract/values/financial-year'
import { formatGain, type Paise } from '#contract/values/money'
import { getGlobalSummaryReport, listStockMoves } from '~/broker/reports.server'
import { nameCode } from '~/lib/unknown'
import { money, price, quantity, scrip, text } from './columns.server'
import { defineStatement, loadOptional } from './statement.server'

type Move = StockMoves[number]
type Row = z.output<typeof GlobalSummaryRow> & { moves?: readonly Move[] }

const MOVES = {
	BONUS: 'bonus',
	SPLIT: 'split',
	DEMERGER: 'demerger',
	IPO: 'IPO allotment',
	TRANSFER: 'transfer',
	BUYBACK: 'buyback',
	EXPIRY: 'expiry',
} as const

/** True when the cost is unknown: the broker then gives zeros, and showing them would be wrong. */
const isUnknown = ({ ISIN, OPEN_QTY, BUY_QTY, OPEN_AMT, BUY_AMT, CLOSE_AMT, REALISED, UNREALISED }: Row) =>
	ISIN !== null &&
	(OPEN_QTY ?? 0) + (BUY_QTY ?? 0) > 0 &&
	[OPEN_AMT, BUY_AMT, CLOSE_AMT, REALISED, UNREALISED].every((paise) => paise === 0)
const known = (row: Row, paise: Paise | null) => (isUnknown(row) ? null : paise)

/** Returns the unrealised gain of the units still held: `Unrealised +1,234.00`. */
function tellUnrealised(row: Row): string | undefined {
	const paise = known(row, row.UNREALISED)
	return row.CLOSE_QTY && paise !== null ? `Unrealised ${formatGain(paise).replace('₹ ', '')}` : undefined
}

/** Opening, purchases, sales and closing of every security and contract of a year. */
export const globalSummaryStatement = defineStatement<Row>({
	name: 'global-summary',
	title: 'Global Summary',
	filters: ['segment'],
	words: (row) => `${row.SCRIP_NAME} ${row.ISIN ?? ''}`,
	async rows(broker, period, options) {
		const [{ filtered_df }, moves] = await Promise.all([
			getGlobalSummaryReport(broker, period, options),
			loadOptional(listStockMoves(broker, period.year)),
		])
		const summed = filtered_df.map((row) => ({
			...row,
			moves: moves?.filter(({ SCRIP_NAME, ISIN }) => SCRIP_NAME === row.SCRIP_NAME && ISIN === row.ISIN),
		}))
		return withUnread(summed, filtered_df, moves)
	},
	tiers: {
		keys: ['name', 'closing-quantity', 'realised'],
		tablet: ['closing-amount', 'value', 'unrealised'],
		laptop: ['opening-quantity', 'bought-quantity', 'sold-quantity'],
	},
	strip: ['value', 'realised', 'unrealised'],
	columns: [
		scrip(),
		text('isin', 'ISIN', (row) => row.ISIN),
		quantity('opening-quantity', 'Opening quantity', (row) => row.OPEN_QTY),
		money('opening-amount', 'Opening amount', (row) => known(row, row.OPEN_AMT), { isSummed: true }),
		quantity('bought-quantity', 'Bought quantity', (row) => row.BUY_QTY),
		money('bought-amount', 'Bought amount', (row) => known(row, row.BUY_AMT), { isSummed: true }),
		quantity('sold-quantity', 'Sold quantity', (row) => row.SELL_QTY),
		money('sold-amount', 'Sold amount', (row) => row.SELL_AMT, { isSummed: true }),
		quantity('closing-quantity', 'Closing quantity', (row) => row.CLOSE_QTY),
		money('closing-amount', 'Closing amount', (row) => known(row, row.CLOSE_AMT), { isSummed: true }),
		price('price', 'Price', (row) => row.CLOSE_PRICE),
		money('value', 'Value', (row) => row.CLOSE_VALUE, {
			isSummed: true,
			sum: { note: 'Closing quantity × price, contracts at their full value' },
		}),
		{
			...money<Row>('realised', 'Realised', (row) => known(row, row.REALISED), { isGain: true, isSummed: true }),
			below: tellUnrealised,
		},
		money('unrealised', 'Unrealised', (row) => known(row, row.UNREALISED), { isGain: true, isSummed: true }),
	],
	files: ({ year }) => [
		{ label: 'PDF', href: `/downloads/global-summary/pdf?year=${formatYear(year)}`, type: 'GLOBAL SUMMARY', flag: formatYear(year) },
	],
	note(rows) {
		const unknown = rows.filter(isUnknown).map(({ SCRIP_NAME }) => SCRIP_NAME)
		const left = `Cost not known: ${unknown.length} of ${rows.length} (${unknown.join(', ')}), left out of costs and gains.`
		const told = tellMoves(rows)
		return unknown.length === 0 ? told : `${left} ${told ?? ''}`.trim()
	},
	empty: ({ year }) => `Nothing was held or traded in ${formatYear(year)}.`,
})

/** Returns the corporate actions and transfers that count as bought or sold without a trade. */
function tellMoves(rows: readonly Row[]): string | undefined {
	if (rows.some(({ moves }) => !moves)) return 'Bonuses, splits and transfers count as bought or sold; which they are could not be loaded.'
	const told = rows.flatMap(({ moves = [] }) =>
		moves.map((move) => `${nameCode(MOVES, move.KIND)} of ${move.SCRIP_NAME} on ${formatDay(move.DATE)}`),
	)
	return told.length > 0
		? `Counted as bought or sold though nothing was traded: ${told.slice(0, 12).join('; ')}${told.length > 12 ? `; and ${told.length - 12} more` : ''}.`
		: undefined
}
