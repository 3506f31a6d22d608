import { type Segment } from '#contract/units'
import { SEGMENTS } from '#contract/values/segments'
import { type Period } from '#sandbox/api/period-query'
import { type ScripPeriod } from '#sandbox/book/read-scrips'
import { type Client } from '#sandbox/clients/clients'
import { buildWorkbookTitle } from '#sandbox/files/title-block'
import { writeXls } from '#sandbox/files/xls'
import { type SandboxParts } from '#sandbox/types'
import { showPeriod, streamStatement } from './statements'
import { pnlTable, tellUnknown } from './tables'

const RULE =
	'Realised is before charges (FIFO). Charges are those of contract notes, brokerage included. Net = realised + unrealised − charges.'

/** Profit and loss of one segment as a PDF. */
export function pnlPdf(parts: SandboxParts, client: Client, scrips: readonly ScripPeriod[], type: Segment, { from, to }: Period) {
	return streamStatement(parts, client, {
		heading: 'Profit and loss',
		period: showPeriod(from, to),
		facts: [['Segment', SEGMENTS[type]]],
		note: RULE,
		tables: [pnlTable(scrips, type)],
		closing: tellUnknown(scrips),
	})
}

/** The same as an .xls workbook. A note below the table says what a total leaves out. */
export function pnlXls(parts: SandboxParts, client: Client, scrips: readonly ScripPeriod[], type: Segment, { from, to }: Period): Buffer {
	const table = pnlTable(scrips, type)
	const sentences = tellUnknown(scrips).map((sentence) => ({ cells: [sentence] }))
	const title = buildWorkbookTitle(parts, client, { heading: `Profit and loss, ${SEGMENTS[type]}`, period: showPeriod(from, to) })
	return writeXls([{ ...table, rows: [...table.rows, ...sentences] }], [...title, RULE])
}
