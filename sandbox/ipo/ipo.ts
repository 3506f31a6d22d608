import { type Context, Hono } from 'hono'
import { z } from 'zod/v4'
import { ClientCode, Day } from '#contract/common'
import {
	IpoApplications,
	IpoBidRequest,
	IpoBidResults,
	IpoBidRows,
	IpoClient,
	IpoCondition,
	IpoExchange,
	IpoFacts,
	IpoIssues,
	ListIposRequest,
} from '#contract/ipo'
import { describeOperation } from '#sandbox/api/describe-operation'
import { sendData, CALL_FAILED, parseBody, parseQuery, Refused } from '#sandbox/api/responses'
import { Source, SourceRequired } from '#sandbox/api/source-query'
import { maskPan } from '#sandbox/clients/clients'
import { fileHeaders, requireClient } from '#sandbox/reports/statements'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { streamBidForm } from './bid-form'
import { listCategories, checkBid, demats } from './check-bid'
import { findIssue, isListedUnder, readIssues, formatWireFacts, formatWireIssue } from './issues'
import { refreshMandates } from './mandate'
import { listApplications, listBids } from './report'
import { findPlaced, placeApplication } from './submit'

const OfClient = SourceRequired.extend({ client_code: ClientCode })
const Dates = SourceRequired.extend({ from_date: Day, to_date: Day })
const OfExchange = SourceRequired.extend({ exchange: IpoExchange })
const OneApplication = Source.extend({
	application_no: z
		.string()
		.regex(/^[A-Z0-9]{6,20}$/)
		.optional(),
})

/** Public issues: the issues, the bids, and their results. */
export function ipo(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	addIpoClientDetails(routes, parts)
	addIpos(routes, parts)
	addIpoFacts(routes, parts)
	addSubmitIpoBid(routes, parts)
	addIpoBids(routes, parts)
	addIpoApplications(routes, parts)
	addUpdateIpoMandateStatus(routes, parts)
	return routes
}

function requireOwn(c: Context<SandboxEnv>): void {
	if (parseQuery(c, OfClient).client_code !== c.var.client.code) throw new Refused(403, 'Client code does not match the session')
}

function answerBid(c: Context<SandboxEnv>, results: z.input<typeof IpoBidResults>): Response {
	const isPlaced = results.some(({ status }) => status === 'SUCCESS')
	return sendData(c, isPlaced ? 'Bid submitted successfully' : 'Bid could not be placed', results)
}

function addIpoClientDetails(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { books } = parts
	routes.get(
		'/ipo/v1/fetch-client-details',
		describeOperation({ id: 'getIpoClientDetails', summary: 'Client data for a bid', query: OfClient, data: IpoClient }),
		async (c) => {
			requireOwn(c)
			const client = await requireClient(parts, c.var.client.code)
			const [last] = await listApplications(books.db, client.code)
			const rows = last ? await listBids(books.db, client.code, '2000-01-01', '2999-12-31') : []
			return sendData(c, 'Client details fetched', {
				client_code: client.code,
				client_name: client.name,
				pan: maskPan(client.profile.personal_details.pan),
				BOId: demats(client),
				// A UPI ID that the exchange or the bank refused is not suggested again.
				upi_id: rows.find(({ upi_id, mandate_status }) => upi_id !== null && mandate_status !== 'REJECTED')?.upi_id ?? null,
				categories: listCategories(client),
			} satisfies z.input<typeof IpoClient>)
		},
	)
}

function addIpos(routes: Hono<SandboxEnv>, { clock, books }: SandboxParts) {
	routes.post(
		'/ipo/v1/get-ipo-details',
		describeOperation({
			id: 'listIpos',
			summary: 'Current or upcoming issues',
			query: SourceRequired,
			body: ListIposRequest,
			data: IpoIssues,
		}),
		async (c) => {
			const condition = IpoCondition.safeParse((await parseBody(c, ListIposRequest)).condition)
			if (!condition.success) throw new Refused(400, CALL_FAILED)
			const now = clock.now()
			const issues = (await readIssues(books.db)).filter((issue) => isListedUnder(condition.data, issue, now))
			return sendData(c, 'IPO list fetched', issues.map((issue) => formatWireIssue(issue, now)) satisfies z.input<typeof IpoIssues>)
		},
	)
}

function addIpoFacts(routes: Hono<SandboxEnv>, { books, clock }: SandboxParts) {
	routes.get(
		'/v1/ours/ipo-facts',
		describeOperation({ id: 'getIpoFacts', summary: 'Limits, dates and deadlines of the issues', query: Source, data: IpoFacts }),
		async (c) => sendData(c, 'IPO facts fetched', formatWireFacts(await readIssues(books.db), clock.now())),
	)
}

function addSubmitIpoBid(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { books, clock } = parts
	routes.post(
		'/ipo/v1/bid/bidSubmit',
		describeOperation({
			id: 'submitIpoBid',
			summary: 'Submit a bid, or make the form of a large one',
			changes: true,
			query: OfClient,
			body: IpoBidRequest,
			data: IpoBidResults,
			files: ['application/pdf'],
		}),
		async (c) => {
			requireOwn(c)
			const asked = await parseBody(c, IpoBidRequest)
			const client = await requireClient(parts, c.var.client.code)
			const issue = await findIssue(books.db, asked.symbol)
			const key = c.req.header('idempotency-key')
			// A repeat after the issue has closed may belong to a bid that was in time.
			const placed = issue && key !== undefined ? await findPlaced(books.db, client.code, key, issue) : undefined
			if (placed) return answerBid(c, placed)
			const checked = checkBid(client, issue, asked, clock.now())
			if (!checked.isOnline)
				return c.body(await streamBidForm(parts, client, checked), 200, fileHeaders('application/pdf', `${client.code}_IPO_BID.pdf`))
			return answerBid(c, await placeApplication(parts, client, checked, key))
		},
	)
}

function addIpoBids(routes: Hono<SandboxEnv>, { books }: SandboxParts) {
	routes.get(
		'/ipo/v1/get-client-wise-bid-report',
		describeOperation({ id: 'listIpoBids', summary: 'The client’s bids', query: Dates, data: IpoBidRows }),
		async (c) => {
			const { from_date, to_date } = parseQuery(c, Dates)
			if (from_date > to_date) throw new Refused(400, 'from_date is after to_date')
			return sendData(c, 'Bid report fetched', await listBids(books.db, c.var.client.code, from_date, to_date))
		},
	)
}

function addIpoApplications(routes: Hono<SandboxEnv>, { books }: SandboxParts) {
	routes.get(
		'/v1/ours/ipo-applications',
		describeOperation({
			id: 'listIpoApplications',
			summary: 'The client’s applications with their answers and deadlines',
			query: OneApplication,
			data: IpoApplications,
		}),
		async (c) => {
			const { application_no } = parseQuery(c, OneApplication)
			return sendData(c, 'Applications fetched', await listApplications(books.db, c.var.client.code, application_no))
		},
	)
}

function addUpdateIpoMandateStatus(routes: Hono<SandboxEnv>, { books }: SandboxParts) {
	routes.put(
		'/ipo/v1/update-ipo-mandate-status',
		describeOperation({
			id: 'updateIpoMandateStatus',
			summary: 'Refresh the mandate status from the exchange',
			query: OfExchange,
			data: z.null(),
		}),
		async (c) => {
			const { exchange } = parseQuery(c, OfExchange)
			const { asked, changed } = await refreshMandates(books.db, { client: c.var.client.code, exchange })
			const message =
				asked === 0 ? `No mandate is pending on ${exchange}` : changed === 0 ? 'Mandate status has not changed' : 'Mandate status updated'
			return sendData(c, message, null)
		},
	)
}
