import { randomBytes } from 'node:crypto'
import { sql } from 'drizzle-orm'
import { type Day } from '#contract/values/dates'
import { readFundedPositions } from '#sandbox/book/read-mtf'
import { type Books } from '#sandbox/db/open'
import { pledgeRequests } from '#sandbox/db/schema'
import { closeEndedMonths } from '#sandbox/mtf/interest-job'
import { nextTradingDay } from '#sandbox/rules/calendar'
import { findOpening, findPledgeTimes } from '#sandbox/rules/mtf'

/**
 * Stores the margin funding accounts, the months whose interest the history has posted, and the waiting pledges. Clients who have bought with margin funding signed for it before these
 * books begin. Purchases without a pledge wait at the depository; no request of the client is needed for that.
 * Books of a day are made from its opening on, so a request of today is made then: it is never after the clock.
 */
export async function storeMtfAccounts(books: Books, codes: readonly string[], today: Day): Promise<void> {
	await books.db.execute(
		sql`INSERT INTO mtf_accounts (client, activated_at) SELECT client, (min(day) - 30)::timestamp AT TIME ZONE 'Asia/Kolkata' FROM fundings GROUP BY 1`,
	)
	for (const client of codes) {
		await closeEndedMonths(books, client, today)
		const waiting = (await readFundedPositions(books, client, today)).filter(({ quantity, confirmed }) => confirmed < quantity)
		for (const { instrument, symbol, name, boughtOn, quantity, confirmed, held } of waiting) {
			await books.db.insert(pledgeRequests).values({
				reference: `PL-${boughtOn.slice(2).replaceAll('-', '')}${instrument.slice(3, 7)}`,
				token: randomBytes(32).toString('base64url'),
				client,
				action: 'pledge',
				purpose: 'MTF',
				lines: [{ isin: instrument, symbol, name, qty: quantity - confirmed, margin: held }],
				status: 'WAITING',
				asked_at: boughtOn === today ? findOpening(today) : new Date(`${boughtOn}T15:45:00+05:30`),
				confirm_by: findPledgeTimes(boughtOn).soldFrom,
				margin_from: nextTradingDay(boughtOn),
			})
		}
	}
}
