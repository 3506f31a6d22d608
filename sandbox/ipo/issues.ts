import { asc, eq } from 'drizzle-orm'
import { z } from 'zod/v4'
import { type IpoCondition, type IpoFacts, type IpoIssue } from '#contract/ipo'
import { toIndianDay } from '#contract/values/dates'
import { toRupees } from '#contract/values/money'
import { type Queries } from '#sandbox/db/open'
import { ipoIssues } from '#sandbox/db/schema'
import { findQibTimes } from '#sandbox/reference-data/issues'
import {
	CATEGORIES,
	type CategoryCode,
	findBidTime,
	findLeastAmount,
	MAX_BIDS,
	toMoment,
	TIMES,
	UPI_MAX,
	formatWireMoment,
} from '#sandbox/rules/ipo'

const Offered = z.array(
	z.object({
		code: z.enum(['IND', 'HNI', 'EMP', 'SHA']),
		/** How many times it is subscribed at the end. */
		times: z.number(),
		/** Paise per share. */
		discount: z.number().int(),
	}),
)

/** A public issue with the categories that may bid in it. */
export type Issue = Omit<typeof ipoIssues.$inferSelect, 'categories'> & { categories: z.output<typeof Offered> }

const toIssue = (row: typeof ipoIssues.$inferSelect): Issue => ({ ...row, categories: Offered.parse(row.categories) })

/** All issues, the first to close first. */
export async function readIssues(queries: Queries): Promise<Issue[]> {
	return (await queries.select().from(ipoIssues).orderBy(asc(ipoIssues.close_date), asc(ipoIssues.symbol))).map(toIssue)
}

export async function findIssue(queries: Queries, symbol: string): Promise<Issue | undefined> {
	const [row] = await queries.select().from(ipoIssues).where(eq(ipoIssues.symbol, symbol))
	return row && toIssue(row)
}

/**
 * UPCOMING before the opening of its first day, CLOSED after the last day's deadline, else LIVE. While it is live, bids have hours: see
 * findBidTime.
 */
export function findIssueStatus(issue: Issue, now: Date): 'LIVE' | 'UPCOMING' | 'CLOSED' {
	if (now < toMoment(issue.open_date, TIMES.opens)) return 'UPCOMING'
	return now < toMoment(issue.close_date, TIMES.mandate) ? 'LIVE' : 'CLOSED'
}

/** The next moment at which a category may bid, which may be now; undefined when it is too late. */
export function findIssueBidTime({ open_date, close_date }: Issue, code: CategoryCode, now: Date): Date | undefined {
	return findBidTime(code, open_date, close_date, now)
}

/** The moment at which a live issue accepts bids again, in the API's format. Null while it accepts bids, or when it never will again. */
function reopens(issue: Issue, now: Date): string | null {
	if (findIssueStatus(issue, now) !== 'LIVE') return null
	const times = issue.categories.map(({ code }) => findIssueBidTime(issue, code, now)).filter((time) => time !== undefined)
	const [first] = times.sort((a, b) => a.getTime() - b.getTime())
	return first && first > now ? formatWireMoment(toIndianDay(first), TIMES.opens) : null
}

/** True when the issue belongs in the list. Upcoming: not open yet. Current: live, or closed earlier the same day. */
export function isListedUnder(condition: IpoCondition, issue: Issue, now: Date): boolean {
	const status = findIssueStatus(issue, now)
	if (condition === 'upcoming') return status === 'UPCOMING'
	return status === 'LIVE' || (status === 'CLOSED' && now < toMoment(issue.close_date, '23:59'))
}

/** The subscription so far, as a multiple. It grows with the square of the time, because most bids come late. */
function subscribed(issue: Issue, times: number, now: Date): number {
	const [from, to] = [toMoment(issue.open_date, TIMES.opens), toMoment(issue.close_date, TIMES.mandate)]
	const passed = Math.min(1, Math.max(0, (now.getTime() - from.getTime()) / (to.getTime() - from.getTime())))
	return Math.round(times * passed * passed * 100) / 100
}

/** An issue in the API's format. */
export function formatWireIssue(issue: Issue, now: Date): z.input<typeof IpoIssue> {
	const { symbol, name, isin, exchange, open_date, close_date, lot, min_quantity, max_price } = issue
	const status = findIssueStatus(issue, now)
	return {
		symbol,
		name,
		isin,
		exchange: exchange === 'BSE' ? 'BSE' : 'NSE',
		open_date,
		close_date,
		min_price: toRupees(issue.min_price),
		max_price: toRupees(max_price),
		cut_off_price: toRupees(max_price),
		tick_size: toRupees(issue.tick),
		lot_size: lot,
		min_bid_qty: min_quantity,
		face_value: toRupees(issue.face_value),
		issue_size_cr: issue.issue_size_cr,
		categories: issue.categories.map(({ code, discount }) => {
			const { label, max, allowsCutOff } = CATEGORIES[code]
			const net = max_price - discount
			return {
				code,
				label,
				min_amount: toRupees(findLeastAmount(code, net, lot, min_quantity)),
				max_amount: toRupees(max),
				cut_off_allowed: allowsCutOff,
				discount: toRupees(discount),
			}
		}),
		status,
		prospectus_url: `https://www.broker.example/ipo/${symbol.toLowerCase()}-rhp.pdf`,
		subscription:
			status === 'UPCOMING' ? null : issue.categories.map(({ code, times }) => ({ category: code, times: subscribed(issue, times, now) })),
		upi_cut_off: formatWireMoment(close_date, TIMES.mandate),
	}
}

/** The facts that the broker's list of issues leaves out. */
export function formatWireFacts(issues: readonly Issue[], now: Date): z.input<typeof IpoFacts> {
	return {
		online_limit: toRupees(UPI_MAX),
		max_bids: MAX_BIDS,
		issues: issues.map((issue) => {
			const { symbol, kind, registrar, allotment_date, refund_date, listing_date, close_date, categories } = issue
			return {
				symbol,
				kind,
				registrar,
				allotment_date,
				refund_date,
				listing_date,
				bids_until: categories.map(({ code }) => ({ category: code, until: formatWireMoment(close_date, CATEGORIES[code].bidsUntil) })),
				bids_from: reopens(issue, now),
				qib_times: findIssueStatus(issue, now) === 'UPCOMING' ? null : subscribed(issue, findQibTimes(symbol) ?? 0, now),
			}
		}),
	}
}
