import { type z } from 'zod/v4'
import { type GlobalSummaryRow, type StockMoves } from '#contract/reports'
import { withUnread } from '#contract/tolerant'
import { formatYear } from '#contract/values/financial-year'
import { formatAmount, formatRupees, type Paise } from '#contract/values/money'
import { askBriefly } from '~/broker/client.server'
import { getGlobalSummaryReport, listStockMoves } from '~/broker/reports.server'
import { type KeyFigure } from '~/lib/table'
import { formatUnits } from '~/lib/units'
import { DASH, sumOrNull } from '~/lib/unknown'
import { formatOpen, money, openUnits, price, quantity, scrip, text } from './columns.server'
import { defineStatement } from './statement.server'
import { tellExpired, tellMoves } from './stock-moves.server'
import { nameUnknownCosts } from './unknown-cost.server'

type Move = StockMoves[number]
type Row = z.output<typeof GlobalSummaryRow> & { moves?: readonly Move[] }

/** True when the cost is unknown: the broker then gives zeros, and showing them would be wrong. */
const isUnknown = ({ ISIN, OPEN_QTY, BUY_QTY, OPEN_AMT, BUY_AMT, CLOSE_AMT, REALISED, UNREALISED }: Row) =>
	ISIN !== null &&
	(OPEN_QTY ?? 0) + (BUY_QTY ?? 0) > 0 &&
	[OPEN_AMT, BUY_AMT, CLOSE_AMT, REALISED, UNREALISED].every((paise) => paise === 0)
const known = (row: Row, paise: Paise | null) => (isUnknown(row) ? null : paise)

/** Returns what a phone hides of a row: `100 units · Value 1,234.00`, or that nothing of it is open. */
function tellUnits({ CLOSE_QTY, CLOSE_VALUE }: Row): string | undefined {
	if (CLOSE_QTY === 0) return 'Closed'
	const parts = [
		CLOSE_QTY && (CLOSE_QTY < 0 ? formatOpen(CLOSE_QTY) : `${formatUnits(CLOSE_QTY)} units`),
		CLOSE_VALUE !== null && `Value ${formatAmount(CLOSE_VALUE)}`,
	]
	return parts.filter(Boolean).join(' · ') || undefined
}

const isHolding = ({ ISIN }: Row) => ISIN !== null
const isContract = (row: Row) => !isHolding(row)

const CONTRACTS = 'Contract value'

/** Returns the value of what is still held of some rows; undefined when nothing is. */
function sumValue(label: string, rows: readonly Row[]): KeyFigure | undefined {
	const open = rows.filter(({ CLOSE_QTY }) => CLOSE_QTY !== 0)
	const values = open.map(({ CLOSE_VALUE }) => CLOSE_VALUE).filter((paise) => paise !== null)
	return open.length === 0 ? undefined : { label, text: values.length === 0 ? DASH : formatRupees(sumOrNull(values) ?? 0) }
}

/** Opening, purchases, sales and closing of every security and contract of a year. */
export const globalSummaryStatement = defineStatement<Row>({
	name: 'global-summary',
	filters: ['segment'],
	about: 'What you held, bought and sold in the year',
	words: (row) => `${row.SCRIP_NAME} ${row.ISIN ?? ''}`,
	async rows(broker, period, options) {
		const [{ filtered_df }, moves] = await Promise.all([
			getGlobalSummaryReport(broker, period, options),
			askBriefly(listStockMoves(broker, period.year)),
		])
		const summed = filtered_df.map((row) => ({
			...row,
			moves: moves?.filter(({ SCRIP_NAME, ISIN }) => SCRIP_NAME === row.SCRIP_NAME && ISIN === row.ISIN),
		}))
		return withUnread(summed, filtered_df, moves)
	},
	tiers: {
		keys: ['name', 'realised', 'unrealised'],
		tablet: ['closing-quantity', 'closing-amount', 'value'],
		laptop: ['opening-quantity', 'bought-quantity', 'sold-quantity'],
	},
	// Two values, because the full value of a contract is not money that the client has.
	lead: (rows) => sumValue('Holdings', rows.filter(isHolding)),
	strip: ['realised', 'unrealised'],
	figures: (rows) => [sumValue(CONTRACTS, rows.filter(isContract))],
	subtotals: [
		{ label: 'Holdings', of: isHolding },
		{ label: 'Contracts', of: isContract },
	],
	columns: [
		{ ...scrip<Row>(), below: tellUnits },
		text('isin', 'ISIN', (row) => row.ISIN),
		{ ...openUnits('opening-quantity', 'Opening quantity', (row) => row.OPEN_QTY), isStart: true },
		money('opening-amount', 'Opening amount', (row) => known(row, row.OPEN_AMT), { isSummed: true }),
		{ ...quantity('bought-quantity', 'Bought quantity', (row) => row.BUY_QTY), isStart: true },
		money('bought-amount', 'Bought amount', (row) => known(row, row.BUY_AMT), { isSummed: true }),
		{ ...quantity('sold-quantity', 'Sold quantity', (row) => row.SELL_QTY), isStart: true },
		money('sold-amount', 'Sold amount', (row) => row.SELL_AMT, { isSummed: true }),
		{ ...openUnits('closing-quantity', 'Closing quantity', (row) => row.CLOSE_QTY), isStart: true },
		money('closing-amount', 'Closing amount', (row) => known(row, row.CLOSE_AMT), { isSummed: true }),
		// An expired contract has no price.
		price('price', 'Price', (row) => (row.CLOSE_PRICE === 0 ? null : row.CLOSE_PRICE)),
		money('value', 'Value', (row) => row.CLOSE_VALUE, { isSummed: true }),
		{ ...money('realised', 'Realised', (row) => known(row, row.REALISED), { isGain: true, isSummed: true }), isStart: true },
		money('unrealised', 'Unrealised', (row) => known(row, row.UNREALISED), { isGain: true, isSummed: true }),
	],
	// The broker's file has all segments. Beside the table of one segment it would show other figures under the same name.
	files: ({ year, segment }) =>
		segment
			? []
			: [{ label: 'PDF', href: `/downloads/global-summary/pdf?year=${formatYear(year)}`, type: 'GLOBAL SUMMARY', flag: formatYear(year) }],
	note(rows) {
		const notes = [
			sumValue(CONTRACTS, rows.filter(isContract)) && 'Contract value is quantity × price, not money that you have.',
			nameUnknownCosts(rows.filter(isUnknown), rows.length, 'costs and gains'),
		]
		return notes.filter(Boolean).join(' ') || undefined
	},
	remark: (rows) => tellUntraded(rows) || undefined,
	empty: ({ year }) => `Nothing was held or traded in ${formatYear(year)}.`,
})

/** Returns what was bought, sold or closed without a trade. */
function tellUntraded(rows: readonly Row[]): string {
	if (rows.some(({ moves }) => !moves)) return 'Bonuses, splits and transfers count as bought or sold; which they are could not be loaded.'
	const moves = rows.flatMap(({ moves = [] }) => moves)
	return `${tellMoves(moves) ?? ''} ${tellExpired(moves) ?? ''}`.trim()
}
