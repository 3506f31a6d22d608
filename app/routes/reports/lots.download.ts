import { type LoaderFunctionArgs } from '@remix-run/node'
import { IsinInAddress } from '#contract/units'
import { listLots } from '~/broker/reports.server'
import { failedFile, sendFile } from '~/http/download.server'
import { createViewCsv } from '~/reports/csv.server'
import { requireBroker } from '~/session/session.server'
import { lotsReport } from './lot-table.server'

/** Sends a CSV of the lots of a holding, as its page shows them. */
export async function loader({ request, params }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const isin = params.isin ?? ''
	if (!IsinInAddress.safeParse(isin).success) throw new Response('There is no such holding.', { status: 404 })
	try {
		const { lots } = await listLots(broker, isin)
		return await sendFile(request, `${broker.clientCode}_LOTS_${isin}`, 'csv', await createViewCsv(lotsReport, lots, new URL(request.url)))
	} catch (error) {
		return failedFile(request, error, `/reports/holding/${encodeURIComponent(isin)}`)
	}
}
