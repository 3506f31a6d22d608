import { type LoaderFunctionArgs } from '@remix-run/node'
import { failedFile, sendFile } from '~/http/download.server'
import { requireHeld } from '~/reports/held-segment.server'
import { requireStatement } from '~/reports/index.server'
import { readYear } from '~/session/preferences.server'
import { requireBroker } from '~/session/session.server'

/** Sends a CSV of the table of a statement, over all its pages. */
export async function loader({ request, params }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const statement = requireStatement(params.report)
	const url = new URL(request.url)
	try {
		await requireHeld(broker, url.searchParams.get('segment'))
		const name = `${broker.clientCode}_${statement.name.toUpperCase().replaceAll('-', '_')}`
		return await sendFile(request, name, 'csv', await statement.csv(broker, url, readYear(request)))
	} catch (error) {
		return failedFile(request, error, `/reports/${statement.name}`)
	}
}
