import { type LoaderFunctionArgs } from '@remix-run/node'
import { BillNoInAddress } from '#contract/bills'
import { getContractNote } from '~/broker/reports.server'
import { failedFile, sendFile } from '~/http/download.server'
import { createViewCsv } from '~/reports/csv.server'
import { requireBroker } from '~/session/session.server'
import { noteTrades } from './contract-note-tables.server'

/** Sends a CSV of the trades of a contract note, as its page shows them. */
export async function loader({ request, params }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const bill = params.bill ?? ''
	if (!BillNoInAddress.safeParse(bill).success) throw new Response('There is no such bill.', { status: 404 })
	try {
		const { trades } = await getContractNote(broker, bill)
		const csv = await createViewCsv(noteTrades, trades, new URL(request.url))
		return await sendFile(request, `${broker.clientCode}_TRADES_${bill.replaceAll('/', '-')}`, 'csv', csv)
	} catch (error) {
		return failedFile(request, error, `/reports/contractnbill/${encodeURIComponent(bill)}`)
	}
}
