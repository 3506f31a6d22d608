import { orNone } from '~/broker/client.server'
import { getEdisHoldings, getPledgeData, getPledgeTerms, listPledgeRequests, listStockVerifications } from '~/broker/depository.server'
import { createNoFile, type FileAsked, serveFile } from '~/http/download.server'
import { loadPart } from '~/http/partial-data.server'
import { createViewCsv } from '~/reports/csv.server'
import {
	edisHoldings,
	orderEdisHoldings,
	orderPledgeHoldings,
	pledgeHoldings,
	pledgeRequestsReport,
	readPageView,
	stockVerifications,
} from './depository-tables.server'

/** The files by the name of the table in the address: the file name, the page with the link, and the rows. */
const FILES: Record<string, { name: string; page: string; csv: (asked: FileAsked) => ReturnType<typeof createViewCsv> }> = {
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
		csv: async ({ broker, url }) => {
			const [{ filtered_df }, terms] = await Promise.all([getPledgeData(broker), loadPart(broker, getPledgeTerms(broker), null)])
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

function requireFile({ params: { table = '' } }: FileAsked) {
	const file = Object.hasOwn(FILES, table) ? FILES[table] : undefined
	if (!file) throw createNoFile()
	return file
}

/** Sends a table of the depository pages as CSV, as shown there. */
export const loader = serveFile(
	(asked) => requireFile(asked).page,
	async (asked) => {
		const { name, csv } = requireFile(asked)
		return { name: `${asked.broker.clientCode}_${name}`, kind: 'csv', body: await csv(asked) }
	},
)
