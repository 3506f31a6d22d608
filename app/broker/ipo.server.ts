import { envelope, NoContent } from '#contract/common'
import {
	IpoApplications,
	type IpoBidRequest,
	IpoBidResults,
	IpoBidRows,
	IpoClient,
	type IpoCondition,
	type IpoExchange,
	IpoFacts,
	IpoIssues,
} from '#contract/ipo'
import { type Day } from '#contract/values/dates'
import { type Broker, orNone } from './client.server'

const service = 'ipo' as const

/** The bidder's details: demat accounts, the UPI ID used last, and the categories open to this client. */
export function getIpoClientDetails(broker: Broker) {
	return broker.get('/ipo/v1/fetch-client-details', IpoClient, { service, query: { client_code: broker.clientCode } })
}

export function listIpos(broker: Broker, condition: IpoCondition) {
	return findIpos(broker, condition).catch(orNone([]))
}

/** The same for a POST that needs an issue: throws a 404, which such a POST shows as a refusal. */
export function findIpos(broker: Broker, condition: IpoCondition) {
	return broker.postToRead('/ipo/v1/get-ipo-details', IpoIssues, { service, body: { condition } })
}

/** Ours: the limit of online bids, and the dates and deadlines that are not in the list of issues. */
export function getIpoFacts(broker: Broker) {
	return broker.get('/v1/ours/ipo-facts', IpoFacts)
}

type Bid = { bid: IpoBidRequest; idempotencyKey: string }

const BID = '/ipo/v1/bid/bidSubmit'

/** Places a bid up to the online limit, once per key. A row with FAILED was refused by the exchange. */
export function submitIpoBid(broker: Broker, { bid, idempotencyKey }: Bid) {
	return broker.post(BID, IpoBidResults, { service, query: { client_code: broker.clientCode }, body: bid, idempotencyKey })
}

/** The same operation above the limit: returns the form for the client's bank and places nothing. */
export function downloadIpoBidForm(broker: Broker, bid: IpoBidRequest) {
	return broker.download('POST', BID, 'pdf', { service, query: { client_code: broker.clientCode }, body: bid })
}

/** The client's bids, newest first. Both days are included. */
export function listIpoBids(broker: Broker, from: Day, to: Day) {
	const query = { from_date: from, to_date: to }
	return broker.get('/ipo/v1/get-client-wise-bid-report', IpoBidRows, { service, query }).catch(orNone([]))
}

/** Ours: applications with their results and the deadlines of their mandates; only one when its number is given. */
export function listIpoApplications(broker: Broker, applicationNo?: string) {
	return broker.get('/v1/ours/ipo-applications', IpoApplications, { query: { application_no: applicationNo } })
}

/** Asks the exchange for the status of the mandates. Returns the broker's message for the client. */
export async function updateIpoMandateStatus(broker: Broker, exchange: IpoExchange) {
	const { message } = await broker.put('/ipo/v1/update-ipo-mandate-status', envelope(NoContent), {
		isWhole: true,
		service,
		query: { exchange },
	})
	return message
}
