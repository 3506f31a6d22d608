import { type Broker } from '~/broker/client.server'
import { listFundMovements, listMandates, listUnauthorizedPayments } from '~/broker/funds.server'
import { type FileAsked, serveFile } from '~/http/download.server'
import { createViewCsv } from '~/reports/csv.server'
import { type Report } from '~/reports/declaration'
import { mandatesReport, createMovementsReport, unauthorizedReport } from './fund-tables.server'

/** The tables of the funds pages, by the name in the address: the page that shows the table, and its rows. */
const FILES = {
	payins: { page: '/funds/history', csv: createDownload(createMovementsReport('payin'), (broker) => listFundMovements(broker, 'payin')) },
	payouts: {
		page: '/funds/history',
		csv: createDownload(createMovementsReport('payout'), (broker) => listFundMovements(broker, 'payout')),
	},
	mandates: { page: '/funds/e-mandate', csv: createDownload(mandatesReport, listMandates) },
	'unregistered-payments': { page: '/funds', csv: createDownload(unauthorizedReport, listUnauthorizedPayments) },
}

/** Returns the rows as the page shows them, searched and sorted as in the address. */
function createDownload<Row>(report: Report<Row>, list: (broker: Broker) => Promise<Row[]>) {
	return async ({ broker, url }: FileAsked) => await createViewCsv(report, await list(broker), url)
}

const findName = (url: URL) => (Object.keys(FILES) as (keyof typeof FILES)[]).find((name) => url.pathname.includes(`/${name}/`)) ?? 'payins'

export const loader = serveFile(
	({ url }) => FILES[findName(url)].page,
	async (asked) => {
		const name = findName(asked.url)
		const title = name.replace('-', '_').toUpperCase()
		return { name: `${asked.broker.clientCode}_${title}`, kind: 'csv', body: await FILES[name].csv(asked) }
	},
)
