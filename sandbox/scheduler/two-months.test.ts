import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { PledgeData } from '#contract/depository'
import { IpoClient } from '#contract/ipo'
import { Withdrawable } from '#contract/ledger'
import { HoldingReport } from '#contract/reports'
import { readRows } from '#sandbox/book/rows'
import { type Books } from '#sandbox/db/open'
import { readStored } from '#sandbox/modifications/stored'
import { checkBook, snapshotBooks } from '#sandbox/testing/invariants'
import { createReader } from '#sandbox/testing/reader'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
	await snapshotBooks(books)
})
afterAll(() => books.close())

type Row = Record<string, string | number | boolean | null>
const DAY_MS = 86_400_000
const CODES = ['DEMO01', 'CASH01', 'DEBT01', 'CLOS01', 'NEW001', 'DORM01']

/** The sums of each voucher and of the whole book that are not zero. */
async function notZero(): Promise<Row[]> {
	return await readRows<Row>(
		books,
		sql`SELECT 'voucher ' || voucher_id AS what, sum(amount)::float8 AS paise FROM postings GROUP BY voucher_id HAVING sum(amount) <> 0
		UNION ALL SELECT 'all', sum(amount)::float8 FROM postings HAVING sum(amount) <> 0`,
	)
}

async function count(rows: ReturnType<typeof sql>): Promise<number> {
	const [found] = await readRows<{ n: number }>(books, sql`SELECT count(*)::float8 AS n FROM (${rows}) counted`)
	return found?.n ?? 0
}

test('the book adds up to zero after two months with a payout, pledge, margin funding, bid and open future under way', async () => {
	// Monday 23 November 2026, eleven in the morning.
	const sandbox = createTestSandbox(books, { SANDBOX_TODAY: '2026-11-23T11:00' })
	const ask = await sandbox.signIn('DEMO01')
	const read = createReader('DEMO01', ask)
	const post = async (path: string, body: object, key: string) => {
		const answer = await ask(path, { method: 'POST', body: JSON.stringify(body), headers: { 'idempotency-key': key } })
		expect([path, answer.status, answer.status === 200 ? '' : await answer.text()]).toEqual([path, 200, ''])
		return (await answer.json()) as { data: { esign_response?: string } }
	}
	const own = { client_code: 'DEMO01' }
	// A payout of the withdrawable amount, less a hundred.
	const { balance } = await read('/v2/fund/withdrawable-amount?company_code=NSE_CASH', Withdrawable)
	const [bank] = (await readStored(books.db, 'DEMO01')).banks
	expect(balance).toBeGreaterThan(1_000_00)
	const payout = { ...own, checkbox_payout: ['NSE_CASH'], ledger_balance: 500, bank_acno: bank?.bank_acno }
	await post('/v1/account_profile/fund_payout', payout, 'two-months-payout-0001')
	// A pledge, confirmed at the depository.
	const free = (await read('/v1/margin_epledge_data?source=connect', PledgeData)).filtered_df.find(({ FREE_QTY }) => FREE_QTY > 5)
	const pledge = { ...own, action: 'pledge', data: [{ isin: free?.ISIN, qty: 5 }], confirmation: true }
	const { data } = await post('/v1/margin_epledge', pledge, 'two-months-pledge-0001')
	const atDepository = new URLSearchParams({ response: data.esign_response ?? '', outcome: 'confirm' })
	await sandbox.app.request('/depository', { method: 'POST', body: atDepository })
	// A bid whose money is blocked.
	const { BOId } = await read('/ipo/v1/fetch-client-details?client_code=DEMO01&source=connect', IpoClient)
	const bid = { symbol: 'NOVATEC', category: 'IND', upi_id: 'me@examplebank', quantity: 100, price: 500, amount: 50_000, BOId: BOId[0]?.id }
	await post('/ipo/v1/bid/bidSubmit?client_code=DEMO01&source=connect', bid, 'two-months-bid-0001')
	const [application] = await readRows<{ token: string }>(
		books,
		sql`SELECT mandate_token AS token FROM ipo_applications WHERE client = 'DEMO01' AND symbol = 'NOVATEC'`,
	)
	await sandbox.app.request(`/upi/${application?.token}`, { method: 'POST', body: new URLSearchParams({ outcome: 'approve' }) })

	// All of this is in progress, besides the seed's state: funded shares (one purchase to be confirmed), futures and options, a sale,
	// unpaid shares.
	expect(await count(sql`SELECT FROM payouts WHERE status = 'PENDING'`)).toBe(1)
	expect(await count(sql`SELECT FROM pledge_movements WHERE client = 'DEMO01' AND kind = 'MARGIN' AND day = '2026-11-23'`)).toBe(1)
	expect(await count(sql`SELECT instrument FROM fundings WHERE client = 'DEMO01' GROUP BY 1 HAVING sum(amount) > 0`)).toBe(3)
	const openContracts = sql`SELECT i.id FROM lots l JOIN instruments i ON i.id = l.instrument WHERE l.client = 'DEMO01' AND i.expiry >= '2026-11-23'
		AND l.quantity > coalesce((SELECT sum(d.quantity) FROM disposals d WHERE d.lot_id = l.id), 0)`
	expect(await count(sql`${openContracts} AND i.kind = 'FUTURE'`)).toBeGreaterThan(0)
	expect(await count(sql`SELECT FROM postings WHERE account = 'ASBA' GROUP BY client HAVING sum(amount) > 0`)).toBe(1)
	expect(await notZero()).toEqual([])

	sandbox.passTime(61 * DAY_MS)
	for (const code of CODES) {
		const later = createReader(code, await sandbox.signIn(code))
		if (code !== 'DORM01') await later('/v2/service/reports/holding?dataYear=2026&source=connect', HoldingReport)
	}
	expect(await notZero()).toEqual([])
	await checkBook(books)
	// Nothing still waits for a day that has passed (today is Saturday 23 January 2027).
	expect(await count(sql`SELECT FROM payouts WHERE status = 'PENDING'`)).toBe(0)
	expect(await count(openContracts)).toBeLessThanOrEqual(0)
	expect(await count(sql`SELECT FROM postings WHERE account = 'MARGIN' GROUP BY client, cocd HAVING sum(amount) <> 0`)).toBe(0)
	expect(await count(sql`SELECT FROM postings WHERE account = 'ASBA' GROUP BY client HAVING sum(amount) <> 0`)).toBe(0)
	expect(await count(sql`SELECT FROM ipo_issues WHERE stage <> 'LISTED' AND listing_date < '2027-01-23'`)).toBe(0)
	expect(await count(sql`SELECT instrument FROM fundings WHERE client = 'DEMO01' GROUP BY 1 HAVING sum(amount) > 0`)).toBe(2)
	// The loans of margin funding equal the balance of its account.
	expect(
		await count(sql`SELECT FROM (SELECT client, amount FROM fundings UNION ALL SELECT client, amount FROM postings WHERE account = 'MTF') lent
		GROUP BY client HAVING sum(amount) <> 0`),
	).toBe(0)
	const kinds = await readRows<{ kind: string }>(
		books,
		sql`SELECT DISTINCT split_part(narration, ' ', 1) || ' ' || split_part(narration, ' ', 2) AS kind FROM vouchers
		WHERE id > (SELECT max(id) FROM kept.vouchers) ORDER BY 1`,
	)
	const found = kinds.map(({ kind }) => kind)
	for (const kind of [
		'PAY-OUT CLIENT',
		'PAY-OUT QUARTERLY',
		'PLEDGE CHARGES',
		'MTF REPAYMENT',
		'MTF INTEREST',
		'IPO BLOCK',
		'MARGIN RELEASED',
		'BILL NSE',
		'DP CHARGES',
	])
		expect(found).toContain(kind)
})
