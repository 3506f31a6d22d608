import { type z } from 'zod/v4'
import { type GlobalSummaryRow, type StockMoves } from '~/broker/contract/reports'
import { getGlobalSummaryReport, listStockMoves } from '~/broker/reports.server'
import { formatDay } from '~/lib/days'
import { formatYear } from '~/lib/financial-year'
import { money, price, quantity, text } from './columns.server'
import { defineStatement } from './statement.server'

type Move = StockMoves[number]
type Row = z.output<typeof GlobalSummaryRow> & { moves: readonly Move[] }

const MOVES: Record<Move['KIND'], string> = {
	BONUS: 'bonus',
	SPLIT: 'split',
	DEMERGER: 'demerger',
	IPO: 'IPO allotment',
	TRANSFER: 'transfer',
	BUYBACK: 'buyback',
	EXPIRY: 'expiry',
}

/** What was there, came, went and is left of every security and contract of a year. */
export const globalSummary = defineStatement<Row>({
	name: 'global-summary',
	title: 'Global Summary',
	filters: ['segment'],
	words: (row) => `${row.SCRIP_NAME} ${row.ISIN ?? ''}`,
	async rows(broker, period, options) {
		const [{ filtered_df }, moves] = await Promise.all([
			getGlobalSummaryReport(broker, period, options),
			listStockMoves(broker, period.year),
		])
		return filtered_df.map((row) => ({
			...row,
			moves: moves.filter(({ SCRIP_NAME, ISIN }) => SCRIP_NAME === row.SCRIP_NAME && ISIN === row.ISIN),
		}))
	},
	columns: [
		text('name', 'Name', (row) => row.SCRIP_NAME),
		text('isin', 'ISIN', (row) => row.ISIN),
		quantity('opening-quantity', 'Opening quantity', (row) => row.OPEN_QTY),
		money('opening-amount', 'Opening amount', (row) => row.OPEN_AMT, { isSummed: true }),
		quantity('bought-quantity', 'Bought quantity', (row) => row.BUY_QTY),
		money('bought-amount', 'Bought amount', (row) => row.BUY_AMT, { isSummed: true }),
		quantity('sold-quantity', 'Sold quantity', (row) => row.SELL_QTY),
		money('sold-amount', 'Sold amount', (row) => row.SELL_AMT, { isSummed: true }),
		quantity('closing-quantity', 'Closing quantity', (row) => row.CLOSE_QTY),
		money('closing-amount', 'Closing amount', (row) => row.CLOSE_AMT, { isSummed: true }),
		price('price', 'Price', (row) => row.CLOSE_PRICE),
		money('value', 'Value', (row) => row.CLOSE_VALUE, { isSummed: true }),
		money('realised', 'Realised', (row) => row.REALISED, { isGain: true, isSummed: true }),
		money('unrealised', 'Unrealised', (row) => row.UNREALISED, { isGain: true, isSummed: true }),
	],
	files: ({ year }) => [
		{ label: 'PDF', href: `/downloads/global-summary/pdf?year=${formatYear(year)}`, type: 'GLOBAL SUMMARY', flag: formatYear(year) },
	],
	note(rows) {
		const told = rows.flatMap(({ moves }) => moves.map((move) => `${MOVES[move.KIND]} of ${move.SCRIP_NAME} on ${formatDay(move.DATE)}`))
		return told.length > 0
			? `Counted as bought or sold though nothing was traded: ${told.slice(0, 12).join('; ')}${told.length > 12 ? `; and ${told.length - 12} more` : ''}.`
			: undefined
	},
	empty: ({ year }) => `Nothing was held or traded in ${formatYear(year)}.`,
})
