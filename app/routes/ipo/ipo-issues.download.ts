import { IpoCondition } from '#contract/ipo'
import { getIpoFacts, listIpos } from '~/broker/ipo.server'
import { serveFile } from '~/http/download.server'
import { loadPart } from '~/http/partial-data.server'
import { createViewCsv } from '~/reports/csv.server'
import { ipoIssuesReport, joinIssueFacts } from './issue-table.server'

/** Sends a CSV of a list of issues, as its page shows it. */
export const loader = serveFile('/connect/ipo', async ({ broker, url }) => {
	const condition = IpoCondition.safeParse(url.searchParams.get('condition')).data ?? 'current'
	const [issues, facts] = await Promise.all([listIpos(broker, condition), loadPart(broker, getIpoFacts(broker), null)])
	const body = await createViewCsv(ipoIssuesReport, joinIssueFacts(issues, facts.data ?? undefined), url, facts.failure)
	return { name: 'IPO_ISSUES', kind: 'csv', body }
})
