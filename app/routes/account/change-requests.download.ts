import { listChangeRequests } from '~/broker/modifications.server'
import { serveFile } from '~/http/download.server'
import { createViewCsv } from '~/reports/csv.server'
import { changeRequestsReport } from './request-list.server'

/** Sends a CSV of the client's requests, as their page shows them. */
export const loader = serveFile('/myaccount/requests', async ({ broker, url }) => ({
	name: `${broker.clientCode}_REQUESTS`,
	kind: 'csv',
	body: await createViewCsv(changeRequestsReport, await listChangeRequests(broker), url),
}))
