import { IpoCondition } from '#contract/ipo'
import { listIpos } from '~/broker/ipo.server'
import { createNoFile, serveFile } from '~/http/download.server'
import { createViewCsv } from '~/reports/csv.server'
import { loadIssueSides } from './issue-sides.server'
import { ipoIssuesReport } from './issue-table.server'

/** Sends a CSV of a list of issues, as its page shows it. */
export const loader = serveFile('/connect/ipo', async ({ broker, url }) => {
	const condition = IpoCondition.safeParse(url.searchParams.get('condition') ?? 'current').data
	if (!condition) throw createNoFile()
	const [issues, sides] = await Promise.all([listIpos(broker, condition), loadIssueSides(broker)])
	const body = await createViewCsv(ipoIssuesReport, sides.join(issues), url, sides.failure ?? sides.bidsFailure)
	return { name: 'IPO_ISSUES', kind: 'csv', body }
})
