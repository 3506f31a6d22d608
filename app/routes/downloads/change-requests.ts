import { type LoaderFunctionArgs } from '@remix-run/node'
import { listChangeRequests } from '~/broker/modifications.server'
import { failedFile, sendFile } from '~/files.server'
import { changeRequests } from '~/reports/change-requests.server'
import { arrange, csvOf, sortableKeys } from '~/reports/report.server'
import { viewOf } from '~/reports/view.server'
import { requireBroker } from '~/session.server'

/** Our CSV of the client's requests, exactly as their page shows them. */
export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	try {
		const rows = arrange(changeRequests, await listChangeRequests(broker), viewOf(new URL(request.url), sortableKeys(changeRequests)))
		return await sendFile(request, `${broker.clientCode}_REQUESTS`, 'csv', await csvOf(changeRequests, [rows]))
	} catch (error) {
		return failedFile(request, error, '/myaccount/requests')
	}
}
