import { sql } from 'drizzle-orm'
import * as fc from 'fast-check'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Attention } from '#contract/attention'
import { ClosureTasks } from '#contract/closure'
import { envelope } from '#contract/common'
import { IpoBidRows, IpoClient } from '#contract/ipo'
import { postIpoBlock } from '#sandbox/book/entries'
import { recordVouchers } from '#sandbox/book/record'
import { type Books } from '#sandbox/db/open'
import { ipoApplications, ipoBids, ipoIssues } from '#sandbox/db/schema'
import { runs } from '#sandbox/testing/runs'
import { createTestSandbox, IN_SESSION, openTestBooks } from '#sandbox/testing/sandbox'
import { UPI } from './mandate'

let books: Books
let sandbox: ReturnType<typeof createTestSandbox>
beforeAll(async () => {
	books = await openTestBooks()
	sandbox = createTestSandbox(books, IN_SESSION)
})
afterAll(() => books.close())

const CODE = 'CLOS01'
type Ask = Awaited<ReturnType<typeof sandbox.signIn>>
const readData = async (answer: Response | Promise<Response>) => ((await (await answer).json()) as { data: unknown }).data

/** Moves the sandbox's clock ahead to a moment in India, as /control does, and signs in again. */
async function goTo(moment: string): Promise<Ask> {
	const { now } = (await sandbox.control('GET', '/control/clock')).data as { now: string }
	const minutes = Math.ceil((new Date(`${moment}:00+05:30`).getTime() - new Date(now).getTime()) / 60_000)
	await sandbox.control('POST', '/control/clock', { minutes })
	return await sandbox.signIn(CODE)
}

async function sumAccount(account: string): Promise<number> {
	const { rows } = await books.db.execute<{ sum: number }>(
		sql`SELECT coalesce(sum(amount), 0)::float8 AS sum FROM postings WHERE account = ${account} AND client = ${CODE}`,
	)
	return rows[0]?.sum ?? 0
}

/** Everything that a client sees of a bid, on all pages. Money in paise. */
async function readFigures(ask: Ask) {
	const rows = await readData(ask('/ipo/v1/get-client-wise-bid-report?from_date=2026-11-01&to_date=2027-12-31&source=connect'))
	const holding = (await readData(ask('/v2/dashboard/holding?source=connect&dataYear=2026'))) as { total_amount: number }
	const ledger = (await readData(ask('/v2/dashboard/ledger?source=connect&dataYear=2026'))) as { COCD: string; DUE_AMT: number }[]
	const free = (await readData(ask('/v2/fund/withdrawable-amount?company_code=NSE_CASH'))) as { balance: number; ledger: number }
	const { tasks } = envelope(ClosureTasks).parse(await (await ask('/v1/ours/closure-tasks')).json()).data
	const items = envelope(Attention).parse(await (await ask('/v1/ours/attention')).json()).data
	const bids = envelope(IpoBidRows).parse({ status: 'success', message: '', data: rows }).data
	return {
		bids: bids.map(({ status, mandate_status, allotted_qty, refund_amount }) => [status, mandate_status, allotted_qty, refund_amount]),
		blocked: await sumAccount('ASBA'),
		holding: Math.round(holding.total_amount * 100),
		ledger: ledger.map(({ COCD, DUE_AMT }) => `${COCD} ${DUE_AMT}`),
		withdrawable: [free.balance, free.ledger],
		closure: tasks.find(({ kind }) => kind === 'IPO_BID')?.is_done,
		attention: items.filter(({ kind }) => kind === 'IPO_MANDATE').map(({ words, deadline }) => [words, deadline]),
	}
}

describe('from the bid to the listing', () => {
	test('every figure changes: attention list, block, allotment, release, holding, closure; the ledger does not', async () => {
		let ask = await sandbox.signIn(CODE)
		const before = await readFigures(ask)
		// The bank account already has dividends in it.
		const bank = await sumAccount('OWN_BANK')
		expect(before).toMatchObject({ bids: [], blocked: 0, closure: true, attention: [] })
		const { BOId } = envelope(IpoClient).parse(
			await (await ask(`/ipo/v1/fetch-client-details?client_code=${CODE}&source=connect`)).json(),
		).data
		const bids = [
			{ quantity: 300, price: 150, cut_off: true },
			{ quantity: 400, price: 143, cut_off: false },
		]
		const body = { symbol: 'KONKANLOG', category: 'IND', upi_id: 'me@examplebank', BOId: BOId[0]?.id, bids }
		// The second bid is the highest: 400 x 143.
		const asked = await ask(`/ipo/v1/bid/bidSubmit?client_code=${CODE}&source=connect`, {
			method: 'POST',
			body: JSON.stringify({ ...body, quantity: 400, price: 143, amount: 57_200 }),
		})
		expect(asked.status).toBe(200)
		const sent = await readFigures(ask)
		expect(sent).toMatchObject({ blocked: 0, closure: false })
		expect(sent.attention).toEqual([
			['Accept the mandate of ₹ 57,200.00 for KONKANLOG in your UPI app, or the bid is void.', '2026-11-25T11:30:00.000Z'],
		])

		const { rows } = await books.db.execute<{ token: string }>(
			sql`SELECT mandate_token AS token FROM ipo_applications WHERE client = ${CODE} AND status = 'PENDING'`,
		)
		await sandbox.app.request(`/upi/${rows[0]?.token}`, { method: 'POST', body: new URLSearchParams({ outcome: 'approve' }) })
		const approved = await readFigures(ask)
		// The client has accepted in the UPI app and has nothing left to do, although the broker has not asked the exchange yet.
		expect([approved.attention, approved.bids[0], approved.blocked]).toEqual([[], ['PENDING', 'SENT', null, null], 57_200_00])
		await ask('/ipo/v1/update-ipo-mandate-status?exchange=BSE&source=connect', { method: 'PUT' })
		expect((await readFigures(ask)).bids).toEqual([
			['ACCEPTED', 'ACCEPTED', null, null],
			['ACCEPTED', 'ACCEPTED', null, null],
		])

		ask = await goTo('2026-11-25T17:00')
		const late = await ask(`/ipo/v1/bid/bidSubmit?client_code=${CODE}&source=connect`, {
			method: 'POST',
			body: JSON.stringify({ ...body, quantity: 400, price: 143, amount: 57_200 }),
		})
		expect([late.status, ((await late.json()) as { message: string }).message]).toEqual([422, 'Issue is closed for bidding'])

		ask = await goTo('2026-11-26T18:01')
		// The issue has fewer bids than shares, so the client gets all shares of the largest bid, at the bottom of the band. The money
		// moves a day later.
		const allotted = await readFigures(ask)
		expect(allotted).toMatchObject({ blocked: 57_200_00, closure: false, holding: before.holding })
		expect(allotted.bids.map(([, , quantity, refund]) => [quantity, refund])).toEqual([
			[0, null],
			[400, null],
		])

		ask = await goTo('2026-11-27T18:01')
		const settled = await readFigures(ask)
		expect(settled).toMatchObject({ blocked: 0, closure: true, holding: before.holding + 56_800_00 })
		expect(settled.bids.map(([, , quantity, refund]) => [quantity, refund])).toEqual([
			[0, 0],
			[400, 400_00],
		])
		expect((await sumAccount('OWN_BANK')) - bank).toBe(-56_800_00)

		ask = await goTo('2026-11-30T10:01')
		// Listed at 96 % of 142, because the issue was not oversubscribed: 136.32.
		expect((await readFigures(ask)).holding).toBe(before.holding + 54_528_00)
		for (const figures of [sent, approved, allotted, settled, await readFigures(ask)])
			expect([figures.ledger, figures.withdrawable]).toEqual([before.ledger, before.withdrawable])
		const { rows: broken } = await books.db.execute(sql`SELECT voucher_id FROM postings GROUP BY 1 HAVING sum(amount) <> 0`)
		expect(broken).toEqual([])
	})
})

const application = fc.record({
	bids: fc.array(fc.record({ lots: fc.integer({ min: 1, max: 12 }), price: fc.integer({ min: 142, max: 150 }) }), {
		minLength: 1,
		maxLength: 3,
	}),
	code: fc.constantFrom('IND', 'HNI', 'EMP'),
	discount: fc.integer({ min: 0, max: 10 }),
	times: fc.double({ min: 0.1, max: 8, noNaN: true }),
})

/** Stores an issue whose days are over, with one application whose money is blocked. Returns the blocked amount. */
async function storeBlocked(symbol: string, { bids, code, discount, times }: typeof application extends fc.Arbitrary<infer T> ? T : never) {
	const amount = Math.max(...bids.map(({ lots, price }) => lots * 100 * (price - discount) * 100))
	await books.db.transaction(async (tx) => {
		const days = { open_date: '2026-11-02', close_date: '2026-11-04', allotment_date: '2026-11-05' }
		const later = { refund_date: '2026-11-06', listing_date: '2026-11-09' }
		const place = { exchange: 'NSE', kind: 'Mainboard', sector: 'Services', registrar: 'R', isin: `INE0${symbol}018`.slice(0, 12) }
		const terms = { min_price: 142_00, max_price: 150_00, tick: 1_00, lot: 100, min_quantity: 100, face_value: 10_00, issue_size_cr: 1 }
		const categories = [{ code, times, discount: discount * 100 }]
		await tx.insert(ipoIssues).values({ symbol, name: symbol, ...days, ...later, ...place, ...terms, categories, stage: 'OPEN' })
		const application_no = `KH${symbol}01`
		const flags = { status: 'PENDING', upi_flag: UPI.blocked, mandate_status: 'SENT', mandate_token: symbol }
		const who = {
			client: 'NEW001',
			symbol,
			category: code,
			quota: 'PUBLIC',
			bo_id: '1',
			upi_id: 'me@bank',
			asked_at: new Date('2026-11-03'),
		}
		await tx.insert(ipoApplications).values({ application_no, amount, ...flags, ...who })
		await tx.insert(ipoBids).values(
			bids.map(({ lots, price }) => ({
				application_no,
				quantity: lots * 100,
				price: price * 100,
				cut_off: false,
				amount: lots * 100 * (price - discount) * 100,
				reference_no: '1',
			})),
		)
		const day = '2026-11-03'
		await recordVouchers(tx, day, (journal) => postIpoBlock(journal, { client: 'NEW001', cocd: 'NSE_CASH', day }, amount, symbol))
	})
	return amount
}

describe('an application', () => {
	test('gets back the money not used for shares, to the paisa, in the book and in the report', async () => {
		let count = 0
		await fc.assert(
			fc.asyncProperty(fc.array(application, { minLength: 12, maxLength: 12 }), async (applications) => {
				const stored = new Map<string, number>()
				for (const each of applications) {
					const symbol = `PR${String(++count).padStart(4, '0')}`
					stored.set(symbol, await storeBlocked(symbol, each))
				}
				// Everything overdue is done before the first call gets its response.
				await (
					await createTestSandbox(books).signIn('NEW001')
				)('/v1/quick-links')
				for (const [symbol, blocked] of stored) {
					const { rows } = await books.db.execute<{ asba: number; issuer: number; allotted: number; refund: number; cost: number }>(
						sql`SELECT
							(SELECT coalesce(sum(p.amount), 0)::float8 FROM postings p JOIN vouchers v ON v.id = p.voucher_id
								WHERE p.account = 'ASBA' AND v.narration LIKE ${`IPO % ${symbol}`}) AS asba,
							(SELECT coalesce(sum(p.amount), 0)::float8 FROM postings p JOIN vouchers v ON v.id = p.voucher_id
								WHERE p.account = 'ISSUER' AND v.narration = ${`IPO ALLOTMENT ${symbol}`}) AS issuer,
							(SELECT sum(allotted_quantity)::float8 FROM ipo_bids WHERE application_no = ${`KH${symbol}01`}) AS allotted,
							(SELECT sum(refund)::float8 FROM ipo_bids WHERE application_no = ${`KH${symbol}01`}) AS refund,
							(SELECT coalesce(sum(cost), 0)::float8 FROM lots WHERE client = 'NEW001' AND instrument = ${`INE0${symbol}018`.slice(0, 12)}) AS cost`,
					)
					const [{ asba, issuer, refund, cost, allotted } = { asba: 1, issuer: 0, refund: 0, cost: 0, allotted: 0 }] = rows
					expect([symbol, asba, issuer + refund, cost]).toEqual([symbol, 0, blocked, issuer])
					expect(allotted > 0).toBe(cost > 0)
				}
			}),
			{ numRuns: runs(2, 10) },
		)
	})
})
