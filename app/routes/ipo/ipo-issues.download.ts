import { type LoaderFunctionArgs } from '@remix-run/node'
import { IpoCondition, type IpoFacts } from '#contract/ipo'
import { getIpoFacts, listIpoApplications, listIpoBids, listIpos } from '~/broker/ipo.server'
import { failedFile, sendFile } from '~/http/download.server'
import { loadPart, loadSidePart } from '~/http/partial-data.server'
import { createViewCsv } from '~/reports/csv.server'
import { sortableKeys } from '~/reports/report.server'
import { readView } from '~/reports/view.server'
import { readRequestId, requireBroker } from '~/session/session.server'
import { joinApplications, usualDays } from './bid-table.server'
import { ipoIssuesReport, joinIssueFacts, putUrgentFirst } from './issue-table.server'

/** Sends a CSV of a list of issues, as its page shows it. */
export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const url = new URL(request.url)
	const condition = IpoCondition.safeParse(url.searchParams.get('condition')).data ?? 'current'
	const reference = readRequestId(request)
	const { from, to } = usualDays()
	try {
		const [issues, facts, bids, applications] = await Promise.all([
			listIpos(broker, condition),
			loadPart<IpoFacts | null>(getIpoFacts(broker), reference, null),
			// Only for the order of the page, so the file does without them when they fail.
			loadSidePart(listIpoBids(broker, from, to), reference, []),
			loadSidePart(listIpoApplications(broker), reference, []),
		])
		const entries = joinIssueFacts(issues, facts.data ?? undefined, joinApplications(bids.data ?? [], applications.data))
		const ordered = putUrgentFirst(entries, readView(url, sortableKeys(ipoIssuesReport)))
		const csv = await createViewCsv(ipoIssuesReport, ordered, url, facts.failure)
		return await sendFile(request, 'IPO_ISSUES', 'csv', csv)
	} catch (error) {
		return failedFile(request, error, '/connect/ipo')
	}
}
