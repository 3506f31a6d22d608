import { randomBytes } from 'node:crypto'
import { type Day } from '#contract/values/dates'
import { computeEntryAmount } from '#contract/values/ipo-bid'
import { toRupees } from '#contract/values/money'
import { postIpoBlock } from '#sandbox/book/entries'
import { recordVouchers } from '#sandbox/book/record'
import { type Books } from '#sandbox/db/open'
import { ipoApplications, ipoBids, ipoIssues } from '#sandbox/db/schema'
import { UPI } from '#sandbox/ipo/mandate'
import { issues, pastBids } from '#sandbox/reference-data/issues'
import { people } from '#sandbox/reference-data/people'
import { CATEGORIES, findIssueDays, toMoment, tradingDayAfter } from '#sandbox/rules/ipo'

/**
 * Stores issues around today, and clients' earlier bids. The past of an issue is stored with its result; its future happens as the clock
 * moves.
 */
export async function storeIssues({ db }: Books, today: Day, codes: readonly string[]): Promise<void> {
	const rows = issues.map((issue) => describeIssue(today, issue))
	await db.insert(ipoIssues).values(rows)
	for (const past of pastBids.filter(({ client }) => codes.includes(client))) {
		const issue = rows.find(({ symbol }) => symbol === past.symbol)
		const holder = people.find(({ code }) => code === past.client)
		if (!issue || !holder) throw new RangeError(`No issue ${past.symbol}, or nobody is ${past.client}`)
		const bidOn = tradingDayAfter(today, past.bidOn)
		const quantity = past.lots * issue.lot
		const amount = computeEntryAmount(quantity, toRupees(issue.max_price))
		const isExpired = past.mandate === 'EXPIRED'
		const compact = bidOn.replaceAll('-', '')
		await db.transaction(async (tx) => {
			const [application] = await tx
				.insert(ipoApplications)
				.values({
					application_no: `KH${compact.slice(2)}${String(pastBids.indexOf(past) + 1).padStart(4, '0')}`,
					client: past.client,
					symbol: past.symbol,
					category: past.category,
					quota: CATEGORIES[past.category].quota,
					bo_id: holder.cdsl_bo_id,
					upi_id: `${holder.first_name}.${holder.last_name}@examplebank`.toLowerCase(),
					amount,
					status: past.mandate === 'ACCEPTED' ? 'ACCEPTED' : isExpired ? 'REJECTED' : 'PENDING',
					upi_flag: past.mandate === 'ACCEPTED' ? UPI.blocked : UPI.atSponsorBank,
					mandate_status: past.mandate,
					mandate_token: randomBytes(18).toString('base64url'),
					reason: isExpired ? 'The UPI mandate was not accepted in time' : null,
					asked_at: toMoment(bidOn, '11:20'),
				})
				.returning()
			if (!application) throw new Error('A row was not stored')
			await tx.insert(ipoBids).values({
				application_no: application.application_no,
				quantity,
				price: issue.max_price,
				cut_off: true,
				amount,
				reference_no: `${compact}${String(77_310 + application.id * 13).padStart(8, '0')}`,
				allotted_quantity: past.allotted,
				refund: past.allotted === null ? null : amount,
			})
			if (past.mandate !== 'ACCEPTED') return
			const place = { client: past.client, cocd: 'NSE_CASH', day: bidOn } as const
			await recordVouchers(tx, bidOn, (journal) => postIpoBlock(journal, place, amount, past.symbol))
			if (past.allotted === null) return
			const freed = { ...place, day: issue.refund_date }
			await recordVouchers(tx, freed.day, (journal) => postIpoBlock(journal, freed, -amount, past.symbol))
		})
	}
}

function describeIssue(
	today: Day,
	{ opens, closes, band, faceValue, minLots, sizeCrore, categories, lot, qib: _, ...issue }: (typeof issues)[number],
) {
	const close_date = tradingDayAfter(today, closes)
	const { allotment, refund, listing } = findIssueDays(close_date)
	return {
		...issue,
		open_date: tradingDayAfter(today, opens),
		close_date,
		allotment_date: allotment,
		refund_date: refund,
		listing_date: listing,
		min_price: band[0] * 100,
		max_price: band[1] * 100,
		tick: 1_00,
		lot,
		min_quantity: lot * minLots,
		face_value: faceValue * 100,
		issue_size_cr: sizeCrore,
		categories: categories.map(({ code, times, discount = 0 }) => ({ code, times, discount: discount * 100 })),
		stage: listing < today ? 'LISTED' : close_date < today ? 'CLOSED' : 'OPEN',
	}
}
