import { type LoaderFunctionArgs } from '@remix-run/node'
import { listLots } from '~/broker/reports.server'
import { failedFile, sendFile } from '~/files.server'
import { lotsReport } from '~/reports/lots.server'
import { arrange, csvOf, sortableKeys } from '~/reports/report.server'
import { viewOf } from '~/reports/view.server'
import { requireBroker } from '~/session.server'

/** Our CSV of the lots of a holding, exactly as its page shows them. */
export async function loader({ request, params }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const isin = params.isin ?? ''
	if (!/^IN[A-Z0-9]{10}$/.test(isin)) throw new Response('There is no such holding.', { status: 404 })
	try {
		const { lots } = await listLots(broker, isin)
		const rows = arrange(lotsReport, lots, viewOf(new URL(request.url), sortableKeys(lotsReport)))
		return await sendFile(request, `${broker.clientCode}_LOTS_${isin}`, 'csv', await csvOf(lotsReport, [rows]))
	} catch (error) {
		return failedFile(request, error, `/reports/holding/${isin}`)
	}
}
