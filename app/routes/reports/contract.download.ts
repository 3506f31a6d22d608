import { BillNoInAddress, type ContractNote } from '#contract/bills'
import { type FinancialYear } from '#contract/values/financial-year'
import { type Broker, orNone, whenAbsent } from '~/broker/client.server'
import { downloadContractBill } from '~/broker/downloads.server'
import { getContractNote } from '~/broker/reports.server'
import { serveFile } from '~/http/download.server'
import { loadRecord, loadRest, createRefused } from '~/http/partial-data.server'
import { readYear } from '~/session/preferences.server'
import { findBill, NO_BILL, NO_NOTE, readMark } from './row-summary.server'

/**
 * Sends the PDF of a contract note, by the number of the bill. The broker's path of the file is never sent to a browser or read from
 * one.
 */
export const loader = serveFile('/reports/contractnbill', async ({ broker, params: { bill = '' }, request }) => {
	if (!BillNoInAddress.safeParse(bill).success) throw new Response(NO_BILL, { status: 404 })
	const path = await findPath(broker, bill, readYear(request), readMark(request))
	const name = `${broker.clientCode}_CONTRACT_${bill.replaceAll('/', '-')}`
	return { name, kind: 'pdf', body: await downloadContractBill(broker, path) }
})

/**
 * Returns the broker's path of the PDF of a bill: from the note if the broker has that call, else from the list of the client's bills.
 * Neither has a bill of another client. Throws the broker's refusal, what the bill's page throws when no such bill is listed, and a 502
 * with a message when the bill has no readable path.
 */
async function findPath(broker: Broker, bill: string, year: FinancialYear, mark: string | null): Promise<string> {
	const asked = mark === null ? getContractNote(broker, bill).catch(whenAbsent(undefined)) : NO_NOTE
	const { data: note, failure } = await loadRecord<ContractNote | undefined>(broker, asked)
	// After a 404 the list may know the file. Any other refusal is the broker's answer, and is thrown here.
	await asked.catch(orNone(undefined))
	if (note?.file_path) return note.file_path
	const { bills, row } = await loadRest(broker, findBill(broker, bill, year, mark), failure)
	if (row?.file_path) return row.file_path
	if (row ?? note) throw Response.json({ message: 'The broker has no file for this bill.' }, { status: 502 })
	throw createRefused(broker, failure, NO_BILL, bills)
}
