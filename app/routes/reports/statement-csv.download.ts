import { serveFile } from '~/http/download.server'
import { requireHeld } from '~/reports/held-segment.server'
import { requireStatement } from '~/reports/index.server'
import { readYear } from '~/session/preferences.server'

/** Sends a CSV of the table of a statement, over all its pages. */
export const loader = serveFile(
	({ params }) => `/reports/${requireStatement(params.report).name}`,
	async ({ broker, url, params, request }) => {
		const statement = requireStatement(params.report)
		await requireHeld(broker, url.searchParams.get('segment'))
		const name = `${broker.clientCode}_${statement.name.toUpperCase().replaceAll('-', '_')}`
		return { name, kind: 'csv', body: await statement.csv(broker, url, readYear(request)) }
	},
)
