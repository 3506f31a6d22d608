import { type LoaderFunctionArgs } from '@remix-run/node'
import { type PledgeTerms } from '#contract/depository'
import { type Broker, orNone } from '~/broker/client.server'
import { getEdisHoldings, getPledgeData, getPledgeTerms, listPledgeRequests, listStockVerifications } from '~/broker/depository.server'
import { failedFile, sendFile } from '~/http/download.server'
import { loadPart } from '~/http/partial-data.server'
import { readRequestId } from '~/http/request-id.server'
import { createViewCsv } from '~/reports/csv.server'
import { requireBroker } from '~/session/session.server'
import {
	edisHoldings,
	orderEdisHoldings,
	orderPledgeHoldings,
	pledgeHoldings,
	pledgeRequestsReport,
	readPageView,
	stockVerifications,
} from './depository-tables.server'

type Asking = { broker: Broker; url: URL; reference: string }

/** The files by the name of the table in the address: the file name, the page with the link, and the rows. */
const FILES: Record<string, { name: string; page: string; csv: (asking: Asking) => ReturnType<typeof createViewCsv> }> = {
	holdings: {
		name: 'DEMAT',
		page: '/dpprocess',
		csv: async ({ broker, url }) => {
			const rows = await getEdisHoldings(broker).catch(orNone([]))
			return createViewCsv(edisHoldings, orderEdisHoldings(rows, readPageView(url, edisHoldings, stockVerifications)), url)
		},
	},
	verified: {
		name: 'VERIFIED',
		page: '/dpprocess',
		csv: async ({ broker, url }) => createViewCsv(stockVerifications, (await listStockVerifications(broker)).verifications, url),
	},
	'margin-pledge': {
		name: 'PLEDGE',
		page: '/dpprocess/pledge',
		csv: async ({ broker, url, reference }) => {
			const [{ filtered_df }, terms] = await Promise.all([
				getPledgeData(broker),
				loadPart<PledgeTerms | null>(getPledgeTerms(broker), reference, null),
			])
			const report = pledgeHoldings(terms.data?.cash_equivalents)
			return createViewCsv(report, orderPledgeHoldings(filtered_df, readPageView(url, report, pledgeRequestsReport)), url, terms.failure)
		},
	},
	'pledge-requests': {
		name: 'PLEDGE_REQUESTS',
		page: '/dpprocess/pledge',
		csv: async ({ broker, url }) => createViewCsv(pledgeRequestsReport, await listPledgeRequests(broker), url),
	},
}

/** Sends a table of the depository pages as CSV, as shown there. */
export async function loader({ request, params }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const url = new URL(request.url)
	const file = new Map(Object.entries(FILES)).get(params.table ?? '')
	if (!file) throw new Response('There is no such file.', { status: 404 })
	try {
		return await sendFile(
			request,
			`${broker.clientCode}_${file.name}`,
			'csv',
			await file.csv({ broker, url, reference: readRequestId(request) }),
		)
	} catch (error) {
		return failedFile(request, error, file.page)
	}
}
