import { and, asc, eq, gt } from 'drizzle-orm'
import { z } from 'zod/v4'
import { formatRupees } from '~/lib/money'
import { ipoApplications, ipoIssues, pledgeRequests } from '#sandbox/db/schema'
import { UPI } from '#sandbox/ipo/mandate'
import { momentOn, TIMES } from '#sandbox/rules/ipo'
import { type Source } from './item'

const PledgeLines = z.array(z.object({ symbol: z.string(), qty: z.number() }))

/** Pledges and releases that the client has not confirmed at the depository. */
export const pledges: Source = async ({ books }, { code }, now) => {
	const waiting = and(eq(pledgeRequests.client, code), eq(pledgeRequests.status, 'WAITING'), gt(pledgeRequests.confirm_by, now))
	const rows = await books.db.select().from(pledgeRequests).where(waiting).orderBy(asc(pledgeRequests.confirm_by)).limit(20)
	return rows.map(({ reference, action, lines, confirm_by }) => {
		const [first, ...others] = PledgeLines.parse(lines)
		const more = others.length > 0 ? ` and ${others.length} more` : ''
		const what = first ? `${first.qty} ${first.symbol}${more}` : 'shares'
		const words = `Confirm the ${action === 'unpledge' ? 'release' : 'pledge'} of ${what} at the depository, or it lapses.`
		return { kind: 'PLEDGE', reference, words, amount: null, deadline: confirm_by }
	})
}

/** Bids whose mandate waits in the UPI app, by the exchange's own flag: once it is answered there is nothing more to do there. */
export const ipoMandates: Source = async ({ books }, { code }, now) => {
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
			deadline: momentOn(close_date, TIMES.mandate),
		}))
		.filter(({ deadline }) => deadline > now)
}
