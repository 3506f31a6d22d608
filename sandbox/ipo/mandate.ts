import { and, asc, eq, inArray } from 'drizzle-orm'
import { type IpoExchange } from '#contract/ipo'
import { toIndianDay } from '#contract/values/dates'
import { postIpoBlock } from '#sandbox/book/entries'
import { recordVouchers } from '#sandbox/book/record'
import { type Queries } from '#sandbox/db/open'
import { ipoApplications, ipoIssues } from '#sandbox/db/schema'
import { toMoment, TIMES } from '#sandbox/rules/ipo'
import { type SandboxParts } from '#sandbox/types'

/** The exchange's states of a mandate, with its numbers (NSE e-IPO, `upiPaymentStatusFlag`). */
export const UPI = { atSponsorBank: 10, invalid: 11, notOwnAccount: 12, declined: 31, blocked: 100 } as const

const REASONS: Record<number, string> = {
	[UPI.invalid]: 'Invalid UPI ID',
	[UPI.notOwnAccount]: 'The UPI ID must be yours; bids from another person’s bank are rejected',
	[UPI.declined]: 'The UPI mandate was declined',
}

export type MandateOutcome = 'approve' | 'decline' | 'other_account'
const FLAGS: Record<MandateOutcome, number> = { approve: UPI.blocked, decline: UPI.declined, other_account: UPI.notOwnAccount }

/** Mandates that wait for the client in a UPI app, oldest first. */
export async function listWaitingMandates(queries: Queries) {
	return await queries
		.select({
			token: ipoApplications.mandate_token,
			client: ipoApplications.client,
			upi_id: ipoApplications.upi_id,
			amount: ipoApplications.amount,
			application_no: ipoApplications.application_no,
			name: ipoIssues.name,
			close_date: ipoIssues.close_date,
		})
		.from(ipoApplications)
		.innerJoin(ipoIssues, eq(ipoIssues.symbol, ipoApplications.symbol))
		.where(and(eq(ipoApplications.status, 'PENDING'), eq(ipoApplications.upi_flag, UPI.atSponsorBank), eq(ipoIssues.stage, 'OPEN')))
		.orderBy(asc(ipoApplications.id))
}

/**
 * Stores the client's decision in the UPI app, once, and only until the mandate expires. When the client accepts, the bank blocks the
 * money and the book records it. The broker sees the result only when it asks the exchange. Returns true when this call stored it.
 */
export async function answerMandate({ books, clock }: SandboxParts, token: string, outcome: MandateOutcome): Promise<boolean> {
	const now = clock.now()
	return await books.db.transaction(async (tx) => {
		const waiting = and(
			eq(ipoApplications.mandate_token, token),
			eq(ipoApplications.status, 'PENDING'),
			eq(ipoApplications.upi_flag, UPI.atSponsorBank),
		)
		const [found] = await tx
			.select({ close_date: ipoIssues.close_date })
			.from(ipoApplications)
			.innerJoin(ipoIssues, eq(ipoIssues.symbol, ipoApplications.symbol))
			.where(waiting)
			// Another process may be closing the issue, which refuses mandates that are not accepted yet.
			.for('update', { of: ipoIssues })
		if (!found || now >= toMoment(found.close_date, TIMES.mandate)) return false
		const [application] = await tx.update(ipoApplications).set({ upi_flag: FLAGS[outcome] }).where(waiting).returning()
		if (!application) return false
		if (outcome === 'approve') {
			const { client, symbol, amount } = application
			const day = toIndianDay(now)
			await recordVouchers(tx, day, (journal) => postIpoBlock(journal, { client, cocd: 'NSE_CASH', day }, amount, symbol))
		}
		return true
	})
}

/** The broker's status for the exchange's flag: accepted, or refused with its reason; undefined when there is nothing new. */
function findOutcome(flag: number) {
	if (flag === UPI.blocked) return { status: 'ACCEPTED', mandate_status: 'ACCEPTED' }
	const reason = REASONS[flag]
	return reason ? { status: 'REJECTED', mandate_status: 'REJECTED', reason } : undefined
}

/** Asks the exchange for the mandates that the broker still waits for. Returns how many it asked for and how many had changed. */
export async function refreshMandates(
	queries: Queries,
	which: { client?: string; symbol?: string; exchange?: IpoExchange },
): Promise<{ asked: number; changed: number }> {
	const { client, symbol, exchange } = which
	const waiting = await queries
		.select({ application_no: ipoApplications.application_no, flag: ipoApplications.upi_flag })
		.from(ipoApplications)
		.innerJoin(ipoIssues, eq(ipoIssues.symbol, ipoApplications.symbol))
		.where(
			and(
				eq(ipoApplications.status, 'PENDING'),
				client === undefined ? undefined : eq(ipoApplications.client, client),
				symbol === undefined ? undefined : eq(ipoApplications.symbol, symbol),
				exchange === undefined ? undefined : eq(ipoIssues.exchange, exchange),
			),
		)
	let changed = 0
	for (const { flag } of Object.values(Object.fromEntries(waiting.map((row) => [row.flag, row])))) {
		const outcome = findOutcome(flag)
		if (!outcome) continue
		const numbers = waiting.filter((row) => row.flag === flag).map(({ application_no }) => application_no)
		await queries.update(ipoApplications).set(outcome).where(inArray(ipoApplications.application_no, numbers))
		changed += numbers.length
	}
	return { asked: waiting.length, changed }
}
