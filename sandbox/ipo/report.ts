import { and, desc, eq, gte, lt, sql } from 'drizzle-orm'
import { type z } from 'zod/v4'
import { type IpoApplication, type IpoBidRow } from '#contract/ipo'
import { addDays, type Day, toIndianDay } from '#contract/values/dates'
import { toRupees } from '#contract/values/money'
import { type Queries } from '#sandbox/db/open'
import { ipoApplications, ipoBids, ipoIssues } from '#sandbox/db/schema'
import { TIMES, formatWireMoment } from '#sandbox/rules/ipo'
import { listResults } from './submit'

/** The maximum number of rows in the contract. */
const MOST_ROWS = 200

const toStatus = (status: string) => status as z.input<typeof IpoBidRow>['status']
const toMandateStatus = (status: string) => status as z.input<typeof IpoBidRow>['mandate_status']
const toExchange = (exchange: string) => (exchange === 'BSE' ? ('BSE' as const) : ('NSE' as const))
const rupeesOrNull = (paise: number | null) => (paise === null ? null : toRupees(paise))

/** A client's bids of these days, both included, newest first. */
export async function listBids(queries: Queries, client: string, from: Day, to: Day): Promise<z.input<typeof IpoBidRow>[]> {
	const rows = await queries
		.select({ bid: ipoBids, application: ipoApplications, issue: { name: ipoIssues.name, exchange: ipoIssues.exchange } })
		.from(ipoBids)
		.innerJoin(ipoApplications, eq(ipoApplications.application_no, ipoBids.application_no))
		.innerJoin(ipoIssues, eq(ipoIssues.symbol, ipoApplications.symbol))
		.where(
			and(
				eq(ipoApplications.client, client),
				gte(ipoApplications.asked_at, new Date(`${from}T00:00:00+05:30`)),
				lt(ipoApplications.asked_at, new Date(`${addDays(to, 1)}T00:00:00+05:30`)),
			),
		)
		.orderBy(desc(ipoApplications.asked_at), desc(ipoApplications.id), sql`${ipoBids.id}`)
		.limit(MOST_ROWS)
	return rows.map(({ bid, application, issue }) => ({
		symbol: application.symbol,
		name: issue.name,
		exchange: toExchange(issue.exchange),
		application_no: application.application_no,
		bid_reference_no: bid.reference_no,
		category: application.category,
		quantity: bid.quantity,
		price: toRupees(bid.price),
		amount: toRupees(bid.amount),
		upi_id: application.upi_id || null,
		bid_date: toIndianDay(application.asked_at),
		status: toStatus(application.status),
		mandate_status: toMandateStatus(application.mandate_status),
		allotted_qty: bid.allotted_quantity,
		refund_amount: rupeesOrNull(bid.refund),
	}))
}

/** A client's applications, newest first; only the one with `number` when it is given. */
export async function listApplications(queries: Queries, client: string, number?: string): Promise<z.input<typeof IpoApplication>[]> {
	const rows = await queries
		.select({ application: ipoApplications, issue: ipoIssues })
		.from(ipoApplications)
		.innerJoin(ipoIssues, eq(ipoIssues.symbol, ipoApplications.symbol))
		.where(and(eq(ipoApplications.client, client), number === undefined ? undefined : eq(ipoApplications.application_no, number)))
		.orderBy(desc(ipoApplications.asked_at), desc(ipoApplications.id))
		.limit(MOST_ROWS)
	return await Promise.all(
		rows.map(async ({ application, issue }) => ({
			application_no: application.application_no,
			symbol: application.symbol,
			name: issue.name,
			category: application.category,
			amount: toRupees(application.amount),
			status: toStatus(application.status),
			mandate_status: toMandateStatus(application.mandate_status),
			reason: application.reason,
			mandate_until: formatWireMoment(issue.close_date, TIMES.mandate),
			allotment_date: issue.allotment_date,
			results: await listResults(queries, application, issue.exchange, issue.close_date),
		})),
	)
}
