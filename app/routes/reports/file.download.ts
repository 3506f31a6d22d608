import { ApprovedListName } from '#contract/downloads'
import { type FinancialYear } from '#contract/values/financial-year'
import { type Broker } from '~/broker/client.server'
import {
	downloadApprovedList,
	downloadClientDetails,
	downloadGlobalDetails,
	downloadGlobalSummary,
	downloadHoldings,
} from '~/broker/downloads.server'
import { log } from '~/config/logger.server'
import { createNoFile, type FileKind, serveFile } from '~/http/download.server'
import { openClientMaster } from '~/reports/year-files.server'
import { readYear } from '~/session/preferences.server'

type File = { kind: FileKind; open: (broker: Broker, year: FinancialYear) => Promise<ReadableStream<Uint8Array>>; name?: string }

/**
 * Files of the broker, by the path after /downloads/. The file name has the client code and the report, unless the file is the same for
 * all clients.
 */
const FILES = new Map<string, File>([
	['holding/pdf', { kind: 'pdf', open: (broker) => downloadHoldings(broker, 'pdf') }],
	['holding/xlsx', { kind: 'xlsx', open: (broker) => downloadHoldings(broker, 'xlsx') }],
	['global-summary/pdf', { kind: 'pdf', open: downloadGlobalSummary }],
	['global-details/xlsx', { kind: 'xlsx', open: downloadGlobalDetails }],
	['client-details/pdf', { kind: 'pdf', open: downloadClientDetails }],
	['client-master/pdf', { kind: 'pdf', open: openClientMaster }],
	...ApprovedListName.options.map((list): [string, File] => [
		`approved-list/${list}`,
		{ kind: 'xlsx', open: (broker) => downloadApprovedList(broker, list), name: `Approved_${list}_List` },
	]),
])

export const loader = serveFile('/reports/downloads', async ({ broker, params: { report = '', format = '' }, request }) => {
	const file = FILES.get(`${report}/${format}`)
	if (!file) throw createNoFile()
	const name = file.name ?? `${broker.clientCode}_${report.toUpperCase().replaceAll('-', '_')}`
	try {
		return { name, kind: file.kind, body: await file.open(broker, readYear(request)) }
	} catch (error) {
		if (report === 'client-master') log.error({ event: 'client_master_failed', reference: broker.reference }, 'No client master')
		throw error
	}
})
