import { IsinInAddress } from '#contract/units'
import { listLots } from '~/broker/reports.server'
import { serveFile } from '~/http/download.server'
import { createViewCsv } from '~/reports/csv.server'
import { lotsReport } from './lot-table.server'

/** Sends a CSV of the lots of a holding, as its page shows them. */
export const loader = serveFile(
	({ params: { isin = '' } }) => `/reports/holding/${encodeURIComponent(isin)}`,
	async ({ broker, url, params: { isin = '' } }) => {
		if (!IsinInAddress.safeParse(isin).success) throw new Response('There is no such holding.', { status: 404 })
		const { lots } = await listLots(broker, isin)
		return { name: `${broker.clientCode}_LOTS_${isin}`, kind: 'csv', body: await createViewCsv(lotsReport, lots, url) }
	},
)
