import { type LoaderFunctionArgs } from '@remix-run/node'
import { getContractNote } from '~/broker/reports.server'
import { failedFile, sendFile } from '~/files.server'
import { noteTrades } from '~/reports/note.server'
import { arrange, csvOf, sortableKeys } from '~/reports/report.server'
import { viewOf } from '~/reports/view.server'
import { requireBroker } from '~/session.server'

/** Our CSV of the trades of a contract note, exactly as its page shows them. */
export async function loader({ request, params }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const bill = params.bill ?? ''
	if (!/^[A-Z0-9/-]{4,20}$/.test(bill)) throw new Response('There is no such bill.', { status: 404 })
	try {
		const { trades } = await getContractNote(broker, bill)
		const rows = arrange(noteTrades, trades, viewOf(new URL(request.url), sortableKeys(noteTrades)))
		return await sendFile(request, `${broker.clientCode}_TRADES_${bill.replaceAll('/', '-')}`, 'csv', await csvOf(noteTrades, [rows]))
	} catch (error) {
		return failedFile(request, error, `/reports/contractnbill/${encodeURIComponent(bill)}`)
	}
}
