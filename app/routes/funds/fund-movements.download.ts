import { type LoaderFunctionArgs } from '@remix-run/node'
import { type Broker } from '~/broker/client.server'
import { listFundMovements, listMandates, listUnauthorizedPayments } from '~/broker/funds.server'
import { failedFile, sendFile } from '~/http/download.server'
import { createViewCsv } from '~/reports/csv.server'
import { type Report } from '~/reports/declaration'
import { requireBroker } from '~/session/session.server'
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
	return async (broker: Broker, url: URL) => await createViewCsv(report, await list(broker), url)
}

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const url = new URL(request.url)
	const name = (Object.keys(FILES) as (keyof typeof FILES)[]).find((each) => url.pathname.includes(`/${each}/`)) ?? 'payins'
	const { page, csv } = FILES[name]
	try {
		const title = name.replace('-', '_').toUpperCase()
		return await sendFile(request, `${broker.clientCode}_${title}`, 'csv', await csv(broker, url))
	} catch (error) {
		return failedFile(request, error, page)
	}
}
