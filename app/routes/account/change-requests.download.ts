import { type LoaderFunctionArgs } from '@remix-run/node'
import { listChangeRequests } from '~/broker/modifications.server'
import { failedFile, sendFile } from '~/http/download.server'
import { createViewCsv } from '~/reports/csv.server'
import { requireBroker } from '~/session/session.server'
import { changeRequestsReport } from './request-list.server'

/** Sends a CSV of the client's requests, as their page shows them. */
export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	try {
		const csv = await createViewCsv(changeRequestsReport, await listChangeRequests(broker), new URL(request.url))
		return await sendFile(request, `${broker.clientCode}_REQUESTS`, 'csv', csv)
	} catch (error) {
		return failedFile(request, error, '/myaccount/requests')
	}
}
