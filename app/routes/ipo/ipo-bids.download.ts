import { listIpoApplications, listIpoBids } from '~/broker/ipo.server'
import { serveFile } from '~/http/download.server'
import { loadPart } from '~/http/partial-data.server'
import { createViewCsv } from '~/reports/csv.server'
import { bidPeriod, ipoBidsReport, joinApplications } from './bid-table.server'

/** Sends a CSV of the rows that the bid report shows. */
export const loader = serveFile('/connect/ipo/bids', async ({ broker, url }) => {
	const { period } = bidPeriod(url)
	if (!period) throw Response.json({ message: 'Check the dates of the bid report and try again.' }, { status: 422 })
	const [rows, applications] = await Promise.all([
		listIpoBids(broker, period.from, period.to),
		loadPart(broker, listIpoApplications(broker), []),
	])
	const body = await createViewCsv(ipoBidsReport, joinApplications(rows, applications.data), url, applications.failure)
	return { name: `${broker.clientCode}_IPO_BIDS`, kind: 'csv', body }
})
