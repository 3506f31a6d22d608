import { type LoaderFunctionArgs } from '@remix-run/node'
import { IpoCondition, type IpoFacts } from '#contract/ipo'
import { getIpoFacts, listIpos } from '~/broker/ipo.server'
import { failedFile, sendFile } from '~/http/download.server'
import { loadPart } from '~/http/partial-data.server'
import { readRequestId } from '~/http/request-id.server'
import { createViewCsv } from '~/reports/csv.server'
import { requireBroker } from '~/session/session.server'
import { ipoIssuesReport, joinIssueFacts } from './issue-table.server'

/** Sends a CSV of a list of issues, as its page shows it. */
export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const url = new URL(request.url)
	const condition = IpoCondition.safeParse(url.searchParams.get('condition')).data ?? 'current'
	try {
		const [issues, facts] = await Promise.all([
			listIpos(broker, condition),
			loadPart<IpoFacts | null>(getIpoFacts(broker), readRequestId(request), null),
		])
		const csv = await createViewCsv(ipoIssuesReport, joinIssueFacts(issues, facts.data ?? undefined), url, facts.failure)
		return await sendFile(request, 'IPO_ISSUES', 'csv', csv)
	} catch (error) {
		return failedFile(request, error, '/connect/ipo')
	}
}
