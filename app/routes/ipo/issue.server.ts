import { type IpoFacts, type IpoIssue } from '#contract/ipo'
import { unreadIn } from '#contract/tolerant'
import { type Broker, BrokerRefusal } from '~/broker/client.server'
import { findIpos, getIpoFacts, listIpos } from '~/broker/ipo.server'
import { createMissing, loadPart, loadSidePart } from '~/http/partial-data.server'

/* Finds the issue of an address. It may be in either of two lists of the broker. */

const NO_ISSUE = 'There is no such issue, or it no longer takes bids.'

type Lists = { current?: readonly IpoIssue[]; upcoming?: readonly IpoIssue[]; facts?: IpoFacts | null }

function issueIn({ current = [], upcoming = [], facts }: Lists, symbol: string) {
	const issue = [...current, ...upcoming].find((each) => each.symbol === symbol)
	return issue && { ...issue, facts: facts?.issues.find((each) => each.symbol === symbol) }
}

/** Returns the issue of the address, current or upcoming, or the failure. Throws a 404 when no list has it. */
export async function findIpoIssue(broker: Broker, symbol: string) {
	const [current, upcoming, facts] = await Promise.all([
		loadPart(broker, findIpos(broker, 'current')),
		loadPart(broker, listIpos(broker, 'upcoming')),
		loadSidePart(broker, getIpoFacts(broker), null),
	])
	const issue = issueIn({ current: current.data, upcoming: upcoming.data, facts: facts.data }, symbol)
	const failure = current.failure ?? upcoming.failure
	const unread = [current.data, upcoming.data].find((issues) => issues && unreadIn(issues))
	if (!issue && !failure) throw createMissing(broker, NO_ISSUE, unread)
	return issue ? { issue, facts: facts.data ?? undefined, factsFailure: facts.failure } : { failure }
}

/** The same for a post: throws when the list failed, or a BrokerRefusal (404) when no list has the issue. */
export async function requireIssue(broker: Broker, symbol: string) {
	const [current, upcoming, told] = await Promise.all([
		findIpos(broker, 'current'),
		loadPart(broker, listIpos(broker, 'upcoming')),
		loadSidePart(broker, getIpoFacts(broker), null),
	])
	const facts = told.data ?? undefined
	const issue = issueIn({ current, upcoming: upcoming.data, facts }, symbol)
	if (!issue) throw new BrokerRefusal(404, { status: 'error', message: upcoming.failure?.message ?? NO_ISSUE })
	return { issue, facts }
}
