import { BillNoInAddress } from '#contract/bills'
import { getContractNote } from '~/broker/reports.server'
import { serveFile } from '~/http/download.server'
import { createViewCsv } from '~/reports/csv.server'
import { noteTrades } from './contract-note-tables.server'
import { NO_BILL } from './row-summary.server'

/** Sends a CSV of the trades of a contract note, as its page shows them. */
export const loader = serveFile(
	({ params: { bill = '' } }) => `/reports/contractnbill/${encodeURIComponent(bill)}`,
	async ({ broker, url, params: { bill = '' } }) => {
		if (!BillNoInAddress.safeParse(bill).success) throw new Response(NO_BILL, { status: 404 })
		const { trades } = await getContractNote(broker, bill)
		const name = `${broker.clientCode}_TRADES_${bill.replaceAll('/', '-')}`
		return { name, kind: 'csv', body: await createViewCsv(noteTrades, trades, url) }
	},
)
