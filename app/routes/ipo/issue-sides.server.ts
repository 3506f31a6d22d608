import { type IpoIssue } from '#contract/ipo'
import { type Broker } from '~/broker/client.server'
import { getIpoFacts, listIpoApplications, listIpoBids } from '~/broker/ipo.server'
import { loadSidePart } from '~/http/partial-data.server'
import { joinApplications, usualDays } from './bid-table.server'
import { joinIssueFacts } from './issue-table.server'

/** Loads what a list of issues shows beside the issues: their facts, and the client's bids. Each may fail alone. */
export async function loadIssueSides(broker: Broker) {
	const { from, to } = usualDays()
	const [facts, bids, applications] = await Promise.all([
		loadSidePart(broker, getIpoFacts(broker), null),
		// Only for the issues with a bid: without them the list stays as it is.
		loadSidePart(broker, listIpoBids(broker, from, to)),
		loadSidePart(broker, listIpoApplications(broker), []),
	])
	return {
		failure: facts.failure,
		bidsFailure: bids.failure ?? applications.failure,
		join: (issues: readonly IpoIssue[]) =>
			joinIssueFacts(issues, facts.data ?? undefined, joinApplications(bids.data ?? [], applications.data)),
	}
}
