import { type LoaderFunctionArgs } from '@remix-run/node'
import { listIpoApplications, listIpoBids } from '~/broker/ipo.server'
import { failedFile, sendFile } from '~/http/download.server'
import { loadPart } from '~/http/partial-data.server'
import { readRequestId } from '~/http/request-id.server'
import { createViewCsv } from '~/reports/csv.server'
import { requireBroker } from '~/session/session.server'
import { bidPeriod, ipoBidsReport, joinApplications } from './bid-table.server'

/** Sends a CSV of the rows that the bid report shows. */
export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const url = new URL(request.url)
	const { period } = bidPeriod(url)
	try {
		if (!period) throw Response.json({ message: 'Check the dates of the bid report and try again.' }, { status: 422 })
		const [rows, applications] = await Promise.all([
			listIpoBids(broker, period.from, period.to),
			loadPart(listIpoApplications(broker), readRequestId(request), []),
		])
		const csv = await createViewCsv(ipoBidsReport, joinApplications(rows, applications.data), url, applications.failure)
		return await sendFile(request, `${broker.clientCode}_IPO_BIDS`, 'csv', csv)
	} catch (error) {
		return await failedFile(request, error, '/connect/ipo/bids')
	}
}
