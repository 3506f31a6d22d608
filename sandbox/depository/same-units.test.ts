import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { EdisHoldings, PledgeData } from '#contract/depository'
import { HoldingFacts } from '#contract/holding'
import { MtfDetails, MtfFacts } from '#contract/mtf'
import { HoldingReport } from '#contract/reports'
import { type Books } from '#sandbox/db/open'
import { pledgeRequests } from '#sandbox/db/schema'
import { createReader } from '#sandbox/testing/reader'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

/* The pages of the holding, of margin funding and of the depository show the same units. */

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())

const NTPC = 'INE733E01010'

async function unitsAt(now: string) {
	const sandbox = createTestSandbox(books, { SANDBOX_TODAY: now })
	const read = createReader('DEMO01', await sandbox.signIn('DEMO01'))
	const day = now.slice(0, 10)
	const held = await read(`/v2/service/reports/holding?from_date=${day}&to_date=${day}&source=connect`, HoldingReport)
	const heldFacts = await read(`/v1/ours/holding-facts?from_date=${day}&to_date=${day}`, HoldingFacts)
	const funded = await read('/v2/account-profile/mtf-details?source=connect', MtfDetails)
	const facts = await read('/v1/ours/mtf-facts', MtfFacts)
	const demat = await read('/edis/edis/v1/edis-holding-data?source=connect', EdisHoldings)
	const { filtered_df: pledgeable } = await read('/v1/margin_epledge_data?source=connect', PledgeData)
	for (const row of held) {
		const { ISIN, QTY, FREE_QTY, PLEDGE_QTY, UNSETTLED_QTY } = row
		const fact = heldFacts.find((each) => each.ISIN === ISIN)
		expect([ISIN, FREE_QTY + PLEDGE_QTY + UNSETTLED_QTY]).toEqual([ISIN, QTY])
		// The demat account has all units except undelivered ones, and has sold units until their pay-in. Of these the free and the
		// verified ones can be sold.
		const inDemat = demat.find(({ isin }) => isin === ISIN)
		const sold = (inDemat?.sold ?? []).reduce((sum, { qty }) => sum + qty, 0)
		expect([ISIN, inDemat?.qty ?? 0]).toEqual([ISIN, QTY - UNSETTLED_QTY + sold])
		expect([ISIN, (inDemat?.free_qty ?? 0) + (inDemat?.verified_qty ?? 0)]).toEqual([ISIN, FREE_QTY])
		const onPledgePage = pledgeable.find((each) => each.ISIN === ISIN)
		expect([ISIN, onPledgePage?.FREE_QTY ?? 0]).toEqual([ISIN, FREE_QTY])
		const ofFunding = facts.positions.find((each) => each.ISIN === ISIN)
		const pledged = (onPledgePage?.PLEDGED_QTY ?? 0) + (ofFunding?.PLEDGED_QTY ?? 0) + (fact?.UNPAID_QTY ?? 0)
		expect([ISIN, pledged, ofFunding?.PLEDGED_QTY ?? 0]).toEqual([ISIN, PLEDGE_QTY, fact?.MTF_QTY ?? 0])
		if (ofFunding) expect([ISIN, ofFunding.UNPAID_QTY, ofFunding.UNSETTLED_QTY]).toEqual([ISIN, fact?.UNPAID_QTY, UNSETTLED_QTY])
	}
	const holding = held.find(({ ISIN }) => ISIN === NTPC)
	const position = facts.positions.find(({ ISIN }) => ISIN === NTPC)
	expect(funded.positions.find(({ ISIN }) => ISIN === NTPC)?.QTY).toBe(120)
	return {
		holding: [holding?.PLEDGE_QTY, holding?.UNSETTLED_QTY, holding?.FREE_QTY],
		funding: [position?.PLEDGED_QTY, position?.UNSETTLED_QTY, position?.UNPAID_QTY],
		demat: demat.find(({ isin }) => isin === NTPC)?.qty ?? 0,
	}
}

describe('120 NTPC, bought with margin funding on Friday 20 November 2026 and not confirmed', () => {
	test('are unsettled until Monday, then held as unpaid, and pledged when they are confirmed; the same everywhere', async () => {
		expect(await unitsAt('2026-11-21T12:00')).toEqual({ holding: [0, 120, 0], funding: [0, 120, 0], demat: 0 })
		expect(await unitsAt('2026-11-23T12:00')).toEqual({ holding: [120, 0, 0], funding: [0, 0, 120], demat: 120 })
		const [request] = await books.db.select().from(pledgeRequests).where(eq(pledgeRequests.purpose, 'MTF'))
		const { app } = createTestSandbox(books, { SANDBOX_TODAY: '2026-11-23T12:10' })
		const body = new URLSearchParams({ response: request?.token ?? '', outcome: 'confirm' })
		expect((await app.request('/depository', { method: 'POST', body })).status).toBe(303)
		expect(await unitsAt('2026-11-23T12:20')).toEqual({ holding: [120, 0, 0], funding: [120, 0, 0], demat: 120 })
	})
})
