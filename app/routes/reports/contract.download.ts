import { type LoaderFunctionArgs } from '@remix-run/node'
import { BillNoInAddress } from '#contract/bills'
import { type Broker, readFailure } from '~/broker/client.server'
import { downloadContractBill } from '~/broker/downloads.server'
import { getContractNote } from '~/broker/reports.server'
import { failedFile, sendFile } from '~/http/download.server'
import { requireBroker } from '~/session/session.server'
import { findBill } from './row-summary.server'

/**
 * Sends the PDF of a contract note, by the number of the bill. The broker's path of the file is never sent to a browser or read from
 * one.
 */
export async function loader({ request, params }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const bill = params.bill ?? ''
	if (!BillNoInAddress.safeParse(bill).success) throw new Response('There is no such bill.', { status: 404 })
	try {
		const path = await findPath(broker, bill)
		return await sendFile(
			request,
			`${broker.clientCode}_CONTRACT_${bill.replaceAll('/', '-')}`,
			'pdf',
			await downloadContractBill(broker, path),
		)
	} catch (error) {
		return failedFile(request, error, '/reports/contractnbill')
	}
}

/**
 * Returns the broker's path of the PDF of a bill: from the note if the broker has that call, else from the list of the client's bills.
 * Neither has a bill of another client. Throws a 404 with the broker's message when no such bill is listed, and a 502 with a message when
 * the bill is listed without a readable path.
 */
async function findPath(broker: Broker, bill: string): Promise<string> {
	let missing: unknown
	const note = await getContractNote(broker, bill).catch((error: unknown) => {
		if (!(error instanceof Response) || error.status !== 404) throw error
		missing = error
		return undefined
	})
	if (note?.file_path) return note.file_path
	const { row } = await findBill(broker, bill)
	if (row?.file_path) return row.file_path
	if (row) throw Response.json({ message: 'The broker has no file for this bill.' }, { status: 502 })
	const failure = await readFailure(missing)
	throw Response.json({ message: failure?.isSaid ? failure.message : 'There is no such bill.' }, { status: 404 })
}
