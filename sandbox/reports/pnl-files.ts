import { type Segment } from '#contract/units'
import { formatDay } from '#contract/values/dates'
import { SEGMENTS } from '#contract/values/segments'
import { type Period } from '#sandbox/api/period-query'
import { type StockMove } from '#sandbox/book/read-moves'
import { type ScripPeriod } from '#sandbox/book/read-scrips'
import { type Client } from '#sandbox/clients/clients'
import { buildWorkbookTitle } from '#sandbox/files/title-block'
import { writeXls } from '#sandbox/files/xls'
import { findBuybackRegime } from '#sandbox/rules/corporate-actions'
import { type SandboxParts } from '#sandbox/types'
import { showPeriod, streamStatement } from './statements'
import { pnlTable, tellUnknown } from './tables'

const RULE =
	'Realised is before charges (FIFO). Charges are those of contract notes, brokerage included. Net = realised + unrealised − charges.'

/** What a file of one segment is made of: its rows, and what came or went without a trade. */
type Contents = { type: Segment; scrips: readonly ScripPeriod[]; moves: readonly StockMove[] }

/** Names the buybacks whose cost is a loss, as their receipt is a dividend (findBuybackRegime). */
function tellBoughtBack({ type, moves }: Contents): string[] {
	const own = moves.filter(({ move, day, segment }) => move === 'BUYBACK' && segment === type && findBuybackRegime(day) === 'DIVIDEND')
	if (own.length === 0) return []
	const names = own.map(({ name, day }) => `${name} on ${formatDay(day)}`).join('; ')
	return [`Bought back, sold for nothing because the receipt counts as a dividend: ${names}.`]
}

const listNotes = (contents: Contents) => [...tellUnknown(contents.scrips), ...tellBoughtBack(contents)]

/** Profit and loss of one segment as a PDF. */
export function pnlPdf(parts: SandboxParts, client: Client, contents: Contents, { from, to }: Period) {
	const { type, scrips } = contents
	return streamStatement(parts, client, {
		heading: 'Profit and loss',
		period: showPeriod(from, to),
		facts: [['Segment', SEGMENTS[type]]],
		note: RULE,
		tables: [pnlTable(scrips, type)],
		closing: listNotes(contents),
	})
}

/** The same as an .xls workbook. Notes below the table say what a total leaves out. */
export function pnlXls(parts: SandboxParts, client: Client, contents: Contents, { from, to }: Period): Buffer {
	const { type, scrips } = contents
	const table = pnlTable(scrips, type)
	const sentences = listNotes(contents).map((sentence) => ({ cells: [sentence] }))
	const title = buildWorkbookTitle(parts, client, { heading: `Profit and loss, ${SEGMENTS[type]}`, period: showPeriod(from, to) })
	return writeXls([{ ...table, rows: [...table.rows, ...sentences] }], [...title, RULE])
}
