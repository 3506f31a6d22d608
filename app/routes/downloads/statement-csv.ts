import { type LoaderFunctionArgs } from '@remix-run/node'
import { failedFile, sendFile } from '~/files.server'
import { yearOf } from '~/preferences.server'
import { requireStatement } from '~/reports/index.server'
import { requireBroker } from '~/session.server'

/** Our CSV of exactly what a statement's table shows, over all its pages. */
export async function loader({ request, params }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const statement = requireStatement(params.report)
	try {
		const name = `${broker.clientCode}_${statement.name.toUpperCase().replaceAll('-', '_')}`
		return await sendFile(request, name, 'csv', await statement.csv(broker, new URL(request.url), yearOf(request)))
	} catch (error) {
		return failedFile(request, error, `/reports/${statement.name}`)
	}
}
