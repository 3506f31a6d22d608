import { type LoaderFunctionArgs } from '@remix-run/node'
import { listFundMovements } from '~/broker/funds.server'
import { failedFile, sendFile } from '~/files.server'
import { movementsReport } from '~/reports/fund-movements.server'
import { arrange, csvOf, sortableKeys } from '~/reports/report.server'
import { viewOf } from '~/reports/view.server'
import { requireBroker } from '~/session.server'

/** Pay-ins or pay-outs as the history shows them. */
export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const url = new URL(request.url)
	const type = url.pathname.includes('/payins/') ? 'payin' : 'payout'
	const report = movementsReport(type)
	try {
		const rows = arrange(report, await listFundMovements(broker, type), viewOf(url, sortableKeys(report)))
		return await sendFile(request, `${broker.clientCode}_${type.toUpperCase()}S`, 'csv', await csvOf(report, [rows]))
	} catch (error) {
		return failedFile(request, error, '/funds/history')
	}
}
