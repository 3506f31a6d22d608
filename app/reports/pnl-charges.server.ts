import { type z } from 'zod/v4'
import { type ScripCharge } from '#contract/pnl'
import { withUnread } from '#contract/tolerant'
import { type Segment } from '#contract/units'
import { type FinancialYear } from '#contract/values/financial-year'
import { SEGMENTS } from '#contract/values/segments'
import { type Broker } from '~/broker/client.server'
import { listScripCharges } from '~/broker/reports.server'
import { type PartialData } from '~/http/partial-data.server'
import { nameCode } from '~/lib/unknown'
import { money, text } from './columns.server'
import { streamCsv } from './csv.server'
import { buildFoot } from './foot.server'
import { type Report } from './declaration'
import { arrange, buildTable, sortableKeys } from './report.server'
import { addressWith, addressesTable, type View } from './view.server'

type Charge = z.output<typeof ScripCharge>

export const chargesReport: Report<Charge> = {
	title: 'Charges by kind',
	tiers: { keys: ['name', 'all-charges'], tablet: ['segment', 'turnover', 'brokerage', 'stt'], laptop: ['exchange', 'gst', 'stamp'] },
	strip: ['brokerage', 'exchange', 'sebi', 'gst', 'stt', 'stamp', 'all-charges'],
	words: (row) => `${row.SCRIP_NAME} ${row.ISIN ?? ''} ${nameCode(SEGMENTS, row.SEGMENT)}`,
	columns: [
		text('name', 'Name', (row) => row.SCRIP_NAME),
		text('segment', 'Segment', (row) => nameCode(SEGMENTS, row.SEGMENT)),
		money('turnover', 'Turnover', (row) => row.TURNOVER, { isSummed: true }),
		money('brokerage', 'Brokerage', (row) => row.BROKERAGE, { isSummed: true }),
		money('exchange', 'Exchange', (row) => row.EXCHANGE, { isSummed: true }),
		money('sebi', 'SEBI', (row) => row.SEBI, { isSummed: true }),
		money('gst', 'GST', (row) => row.GST, { isSummed: true }),
		money('stt', 'STT or CTT', (row) => row.STT, { isSummed: true }),
		money('stamp', 'Stamp duty', (row) => row.STAMP, { isSummed: true }),
		money('all-charges', 'All charges', (row) => row.TOTAL, { isSummed: true }),
	],
}

/** Returns the charges by security and kind, with the sum of each kind above them. */
export function chargesPart({ data, failure }: PartialData<Charge[]>, segment: Segment | undefined, view: View, links: URL, files: string) {
	if (!data) return { failure }
	const rows = listCharges(data, segment)
	if (rows.length === 0) return {}
	const arranged = arrange(chargesReport, rows, view)
	const { strip, ...table } = buildTable(chargesReport, arranged, view, links)
	return {
		csv: addressWith(links, { page: undefined }, `${files}/charges`),
		table: { ...table, foot: buildFoot(chargesReport, arranged) },
		kinds: strip,
		isOpen: table.unread !== undefined || addressesTable(links, view, sortableKeys(chargesReport)),
	}
}

/** Returns the rows of the table as CSV, over all its pages. */
export async function chargesCsv(
	broker: Broker,
	year: FinancialYear,
	segment: Segment | undefined,
	view: View,
): Promise<ReadableStream<Uint8Array>> {
	const rows = listCharges(await listScripCharges(broker, year), segment)
	return streamCsv(chargesReport, [arrange(chargesReport, rows, view)])
}

function listCharges(rows: Charge[], segment: Segment | undefined): Charge[] {
	return withUnread(
		rows.filter(({ SEGMENT }) => !segment || SEGMENT === segment),
		rows,
	)
}
