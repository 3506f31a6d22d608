import { and, asc, eq, gt, inArray } from 'drizzle-orm'
import { z } from 'zod/v4'
import { formatDay, toIndianDay } from '#contract/values/dates'
import { formatRupees } from '#contract/values/money'
import { nameUnits } from '#contract/values/unit-names'
import { readUnpaid } from '#sandbox/book/read-unpaid'
import { readDdpi } from '#sandbox/depository/ddpi'
import { readDemat } from '#sandbox/depository/demat'
import { instruments, ipoApplications, ipoIssues, pledgeRequests } from '#sandbox/db/schema'
import { UPI } from '#sandbox/ipo/mandate'
import { findVerificationEnd } from '#sandbox/rules/depository'
import { toMoment, TIMES } from '#sandbox/rules/ipo'
import { findOpening } from '#sandbox/rules/mtf'
import { type ItemFinder } from './item'

const PledgeLines = z.array(z.object({ isin: z.string(), symbol: z.string(), qty: z.number() }))

/** Pledges and releases that the client has not confirmed at the depository. */
export const pledges: ItemFinder = async ({ books }, { code }, now) => {
	// Pledges for margin funding have a separate text and deadline (mtf.ts).
	const waiting = and(
		eq(pledgeRequests.client, code),
		eq(pledgeRequests.purpose, 'MARGIN'),
		eq(pledgeRequests.status, 'WAITING'),
		gt(pledgeRequests.confirm_by, now),
	)
	const rows = await books.db.select().from(pledgeRequests).where(waiting).orderBy(asc(pledgeRequests.confirm_by)).limit(20)
	return rows.map(({ reference, action, lines, confirm_by }) => {
		const [first, ...others] = PledgeLines.parse(lines)
		const more = others.length > 0 ? ` and ${others.length} more` : ''
		const what = first ? `${first.qty} ${nameUnits(first.isin, first.qty)} of ${first.symbol}${more}` : 'shares'
		const words = `Confirm the ${action === 'unpledge' ? 'release' : 'pledge'} of ${what} at the depository, or it lapses.`
		return { kind: 'PLEDGE', reference, words, amount: null, deadline: confirm_by }
	})
}

/** Units that were sold and cannot be delivered yet. With a DDPI the broker takes them by itself. */
export const listUnverifiedSales: ItemFinder = async ({ books }, { code }, now) => {
	const [stocks, ddpi] = await Promise.all([readDemat(books, code, toIndianDay(now), now), readDdpi(books, code, now)])
	if (ddpi.status === 'ACTIVE') return []
	const [first, ...others] = stocks.flatMap(({ isin, name, sold }) =>
		sold.map(({ day, quantity }) => `${quantity} ${nameUnits(isin, quantity)} of ${name}, sold on ${formatDay(day)}`),
	)
	if (first === undefined) return []
	const words = `Verify ${first}${others.length > 0 ? `, and ${others.length} more` : ''}, so that the broker can deliver them.`
	return [{ kind: 'SOLD_SHARES', reference: null, words, amount: null, deadline: findVerificationEnd(now) }]
}

/** Shares that stay pledged because they are not paid for. The deadline is the earliest day on which the broker sells some. */
export const listUnpaidShares: ItemFinder = async ({ books }, { code }, now) => {
	const held = await readUnpaid(books, code, toIndianDay(now))
	const [first] = held.map(({ soldOn }) => soldOn).sort()
	if (first === undefined) return []
	const symbols = await books.db
		.select({ id: instruments.id, symbol: instruments.symbol })
		.from(instruments)
		.where(
			inArray(
				instruments.id,
				held.map(({ instrument }) => instrument),
			),
		)
	const symbolsById = new Map(symbols.map(({ id, symbol }) => [id, symbol]))
	const [units, ...others] = held.map(({ instrument, quantity }, at) => {
		const named = at === 0 ? ` ${nameUnits(instrument, quantity)}` : ''
		return `${quantity}${named} of ${symbolsById.get(instrument) ?? instrument}`
	})
	const more = others.length > 2 ? ` and ${others.length} more` : others.map((each) => `, ${each}`).join('')
	const words = `${units}${more} are not paid for, and held until they are. From ${formatDay(first)} the broker sells them, and takes no purchase while you owe.`
	return [{ kind: 'UNPAID_SHARES', reference: null, words, amount: null, deadline: findOpening(first) }]
}

/**
 * Bids whose UPI mandate is not accepted; they become void when the issue closes. The exchange's flag is used, not the broker's status:
 * after a reply in the UPI app the client has nothing left to do.
 */
export const listIpoMandates: ItemFinder = async ({ books }, { code }, now) => {
	const rows = await books.db
		.select()
		.from(ipoApplications)
		.innerJoin(ipoIssues, eq(ipoIssues.symbol, ipoApplications.symbol))
		.where(and(eq(ipoApplications.client, code), eq(ipoApplications.status, 'PENDING'), eq(ipoApplications.upi_flag, UPI.atSponsorBank)))
		.orderBy(asc(ipoIssues.close_date))
		.limit(50)
	return rows
		.map(({ ipo_applications: { application_no, amount, symbol }, ipo_issues: { close_date } }) => ({
			kind: 'IPO_MANDATE',
			reference: application_no,
			words: `Accept the mandate of ${formatRupees(amount)} for ${symbol} in your UPI app, or the bid is void.`,
			amount: -amount,
			deadline: toMoment(close_date, TIMES.mandate),
		}))
		.filter(({ deadline }) => deadline > now)
}
