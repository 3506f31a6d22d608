import { type ScripPeriod } from '#sandbox/book/read-scrips'
import { type Client } from '#sandbox/clients'
import { type SandboxParts } from '#sandbox/env'
import { type Period } from '#sandbox/periods'
import { showPeriod, streamStatement } from './statements'
import { pnlTable } from './tables'

/** Profit and loss of one segment as a PDF. */
export function pnlPdf(parts: SandboxParts, client: Client, scrips: readonly ScripPeriod[], type: string, { from, to }: Period) {
	return streamStatement(parts, client, {
		heading: 'Profit and loss',
		period: showPeriod(from, to),
		facts: [['Segment', type]],
		note: 'Realised is before charges (FIFO). Charges are those of contract notes, brokerage included. Net = realised + unrealised − charges.',
		tables: [pnlTable(scrips, type)],
	})
}
