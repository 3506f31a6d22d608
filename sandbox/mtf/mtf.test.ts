import { eq, like, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { envelope } from '#contract/common'
import { LedgerReport, Withdrawable } from '#contract/ledger'
import { MtfDetails, MtfFacts, MtfInterest } from '#contract/mtf'
import { type Books } from '#sandbox/db/open'
import { changeRequests, esigns, mtfAccounts, prices, vouchers } from '#sandbox/db/schema'
import { readOutbox, readRefusal, readReply, sign } from '#sandbox/testing/changes'
import { parseWhole } from '#sandbox/testing/reader'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

let books: Books
let sandbox: ReturnType<typeof createTestSandbox>
type Ask = Awaited<ReturnType<typeof sandbox.signIn>>
beforeAll(async () => {
	books = await openTestBooks()
})
beforeEach(() => {
	sandbox = createTestSandbox(books, { PUBLIC_URL: 'https://portal.test', SANDBOX_MTF_LIMIT: '700000' })
})
afterAll(() => books.close())

const readDetails = async (ask: Ask) =>
	parseWhole(envelope(MtfDetails), await (await ask('/v2/account-profile/mtf-details?source=connect')).json()).data
const readFacts = async (ask: Ask) => parseWhole(envelope(MtfFacts), await (await ask('/v1/ours/mtf-facts')).json()).data
const readInterest = async (ask: Ask, year: number) =>
	parseWhole(envelope(MtfInterest), await (await ask(`/v1/ours/mtf-interest?dataYear=${year}`)).json()).data
const activate = (ask: Ask, key?: string) =>
	ask('/v1/mtf_esign_process', { method: 'POST', body: '{}', ...(key && { headers: { 'idempotency-key': key } }) })
const sum = (figures: number[]) => figures.reduce((total, figure) => total + figure, 0)

describe('an active account', () => {
	test('shows the funded amount, and its totals are the sums of its positions', async () => {
		const demo = await sandbox.signIn('DEMO01')
		const { status, limit, positions, ...details } = await readDetails(demo)
		expect([status, limit, details.interest_rate]).toEqual(['ACTIVE', 7_00_000_00, 14.99])
		expect(positions.map(({ SCRIP_NAME }) => SCRIP_NAME)).toEqual([
			'Bharat Electronics Ltd.',
			'NTPC Ltd.',
			'Power Grid Corporation of India Ltd.',
		])
		expect(details.funded_amount).toBe(sum(positions.map(({ FUNDED }) => FUNDED)))
		expect(details.interest_accrued).toBe(sum(positions.map(({ INTEREST }) => INTEREST)))
		expect(details.margin_required).toBe(sum(positions.map(({ CLIENT_MARGIN }) => CLIENT_MARGIN)))
		for (const { QTY, BUY_RATE, FUNDED, CLIENT_MARGIN, INTEREST, DAYS } of positions) {
			expect(Math.abs(QTY * BUY_RATE * 100 - FUNDED - CLIENT_MARGIN)).toBeLessThan(QTY * 0.01)
			expect(INTEREST).toBe(Math.round((FUNDED * 1499 * DAYS) / 3_650_000))
		}
		const facts = await readFacts(demo)
		expect(facts.positions.map(({ PLEDGED_QTY }) => PLEDGED_QTY)).toEqual([positions[0]?.QTY, 0, positions[2]?.QTY])
		// The second one was bought on the last trading day and waits for the client to pledge it. The 30th is five trading days later,
		// because the 24th is a holiday.
		expect(facts.positions.map(({ PLEDGE_BY, PLEDGE_SOLD_FROM, PLEDGE_REF }) => [PLEDGE_BY, PLEDGE_SOLD_FROM, PLEDGE_REF])).toEqual([
			[null, null, null],
			['2026-11-20T15:30:00.000Z', '2026-11-30T03:45:00.000Z', 'PL-261120733E'],
			[null, null, null],
		])
		expect(facts).toMatchObject({ can_activate: false, why_not: null, shortfall: 0, shortfall_by: null })
		expect(details.margin_available).toBe(sum(facts.positions.map(({ MARGIN_HELD }) => MARGIN_HELD)) + facts.cash)
	})

	test('lists daily interest that sums to the debits of the ledger and to the positions', async () => {
		const demo = await sandbox.signIn('DEMO01')
		const { positions } = await readDetails(demo)
		const years = await Promise.all([2025, 2026].map((year) => readInterest(demo, year)))
		for (const { days, postings } of years) {
			for (const { MONTH, VOUCHER_NO, AMOUNT } of postings) {
				const own = days.filter(({ DATE }) => DATE.startsWith(MONTH))
				expect([MONTH, sum(own.map(({ INTEREST }) => INTEREST))]).toEqual([MONTH, AMOUNT])
				expect(own.every((day) => day.VOUCHER_NO === VOUCHER_NO)).toBe(true)
			}
			for (const { DATE, VOUCHER_NO } of days) expect([DATE, VOUCHER_NO === null]).toEqual([DATE, DATE >= '2026-11-01'])
		}
		for (const { ISIN, INTEREST, DAYS } of positions) {
			const own = years.flatMap(({ days }) => days).filter((day) => day.ISIN === ISIN)
			expect([own.length, sum(own.map((day) => day.INTEREST))]).toEqual([DAYS, INTEREST])
		}
		const ledger = parseWhole(envelope(LedgerReport), await (await demo('/v2/service/reports/ledger?dataYear=2026')).json()).data
		const posted = ledger.filtered_df.filter(({ NARRATION }) => NARRATION.startsWith('MTF INTEREST'))
		expect(posted.map(({ VOUCHER_NO, DR_AMT }) => [VOUCHER_NO, DR_AMT])).toEqual(
			years[1]?.postings.map(({ VOUCHER_NO, AMOUNT }) => [VOUCHER_NO, AMOUNT]),
		)
		expect(posted.length).toBeGreaterThan(0)
	})

	test('refuses a second activation', async () => {
		const answer = await readRefusal(await activate(await sandbox.signIn('DEMO01')))
		expect([answer.status, answer.message]).toEqual([409, 'MTF is already active'])
	})

	test('has a margin call when the price falls, due at the end of the next trading day, until the price rises', async () => {
		const demo = await sandbox.signIn('DEMO01')
		const isin = (await readDetails(demo)).positions[0]?.ISIN ?? ''
		const since = (day: string) => sql`${prices.instrument} = ${isin} AND ${prices.day} >= ${day}`
		const before = await books.db.select().from(prices).where(since('2026-11-17'))
		const readMoney = async () =>
			parseWhole(envelope(Withdrawable), await (await demo('/v2/fund/withdrawable-amount?company_code=NSE_CASH')).json()).data
		const money = await readMoney()
		const deadlines: (string | null)[] = []
		// 21 November 2026 is a Saturday. The price falls to one rupee on Friday, on Thursday, on Wednesday.
		for (const day of ['2026-11-20', '2026-11-19', '2026-11-18']) {
			await books.db.update(prices).set({ close: 10_000 }).where(since(day))
			const { shortfall, shortfall_by, cash, positions } = await readFacts(demo)
			const needed = sum(positions.map(({ MARGIN_NEEDED }) => MARGIN_NEEDED))
			const held = sum(positions.map(({ MARGIN_HELD }) => MARGIN_HELD))
			expect(shortfall).toBe(needed - held - cash)
			expect(shortfall).toBeGreaterThan(0)
			deadlines.push(shortfall_by)
			// Money that is margin for the loan cannot be withdrawn.
			expect(await readMoney()).toMatchObject({ balance: 0, margin_used: money.margin_used + money.balance })
		}
		expect(deadlines).toEqual(['2026-11-23', null, null])
		for (const { day, close } of before) {
			const own = sql`${prices.instrument} = ${isin} AND ${prices.day} = ${day}`
			await books.db.update(prices).set({ close }).where(own)
		}
		expect((await readFacts(demo)).shortfall).toBe(0)
		expect(await readMoney()).toEqual(money)
	})

	test('posts the month’s interest once after the month’s end, also for twelve calls at once', async () => {
		await sandbox.signIn('DEMO01')
		sandbox.passTime(11 * 86_400_000)
		const later = await sandbox.signIn('DEMO01')
		const answers = await Promise.all(Array.from({ length: 12 }, () => later('/v2/account-profile/mtf-details?source=connect')))
		expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
		const november = await books.db.select().from(vouchers).where(like(vouchers.narration, 'MTF INTEREST NOV-2026%'))
		expect(november.map(({ day }) => day)).toEqual(['2026-11-30'])
		const { days, postings } = await readInterest(later, 2026)
		const counted = sum(days.filter(({ DATE }) => DATE.startsWith('2026-11')).map(({ INTEREST }) => INTEREST))
		expect(postings.at(-1)).toEqual({ MONTH: '2026-11', VOUCHER_NO: november[0]?.voucher_no, DATE: '2026-11-30', AMOUNT: counted })
		const { rows } = await books.db.execute(sql`SELECT sum(amount)::float8 AS sum FROM postings`)
		expect(rows).toEqual([{ sum: 0 }])
	})
})

describe('activating', () => {
	const key = (n: number) => `0000000000000000-${n}`

	test('shows no account before, takes effect once with the signature, and notifies the client', async () => {
		const cash = await sandbox.signIn('CASH01')
		expect(await readDetails(cash)).toMatchObject({ status: 'INACTIVE', limit: 0, positions: [], margin_available: 0 })
		expect(await readFacts(cash)).toMatchObject({ can_activate: true, offered_limit: 7_00_000_00, esign_reference: null })
		const asked = await readReply(await activate(cash, key(1)))
		expect(asked).toMatchObject({ status: 200, message: 'Proceed to e-sign' })
		const { esign_reference } = await readFacts(cash)
		expect([(await readDetails(cash)).status, esign_reference]).toEqual(['PENDING', expect.stringMatching(/^ES-/)])
		await sign(sandbox, asked.data, 'cancel')
		expect((await readDetails(cash)).status).toBe('PENDING')
		await Promise.all([sign(sandbox, asked.data), sign(sandbox, asked.data)])
		expect(await readDetails(cash)).toMatchObject({ status: 'ACTIVE', limit: 7_00_000_00, positions: [] })
		expect((await readFacts(cash)).activated_on).toBe('2026-11-21')
		expect(await books.db.select().from(mtfAccounts).where(eq(mtfAccounts.client, 'CASH01'))).toHaveLength(1)
		const told = (await readOutbox(sandbox, 'CASH01')).filter(({ body }) => body.includes('margin trading facility was activated'))
		expect(told).toHaveLength(2)
		expect((await readRefusal(await activate(cash, key(2)))).status).toBe(409)
	})

	test('makes one request for twenty posts with one key; another key replaces the waiting request', async () => {
		const leaver = await sandbox.signIn('CLOS01')
		const answers = await Promise.all(Array.from({ length: 20 }, async () => (await readReply(await activate(leaver, key(3)))).data))
		expect(new Set(answers).size).toBe(1)
		const second = (await readReply(await activate(leaver, key(4)))).data
		await sign(sandbox, answers[0])
		expect((await readDetails(leaver)).status).toBe('PENDING')
		const own = await books.db
			.select()
			.from(esigns)
			.where(sql`${esigns.client} = 'CLOS01' AND ${esigns.kind} = 'MTF'`)
		expect(own.map(({ status }) => status).sort()).toEqual(['WAITING', 'WITHDRAWN'])
		await sign(sandbox, second)
		expect((await readDetails(leaver)).status).toBe('ACTIVE')
		const listed = await books.db
			.select()
			.from(changeRequests)
			.where(sql`client = 'CLOS01' AND kind = 'MTF'`)
		expect(listed.map(({ status }) => status).sort()).toEqual(['DONE', 'WITHDRAWN'])
	})

	test('is refused for a client in debit, with the reason, and for another client’s code', async () => {
		const debtor = await sandbox.signIn('DEBT01')
		const answer = await readRefusal(await activate(debtor))
		expect([answer.status, answer.message]).toEqual([422, expect.stringMatching(/^Clear the ₹ [\d,]+\.\d\d that you owe before MTF$/)])
		expect(await readFacts(debtor)).toMatchObject({ can_activate: false, why_not: answer.message })
		const stolen = await debtor('/v2/account-profile/mtf-details?source=connect', { headers: { 'client-code': 'DEMO01' } })
		expect(stolen.status).toBe(403)
	})

	test('fails at the signature when the client is in debit by then', async () => {
		const fresh = await sandbox.signIn('NEW001')
		const response = (await readReply(await activate(fresh))).data
		await books.db.execute(sql`UPDATE postings SET client = 'NEW001' WHERE client = 'DEBT01' AND cocd = 'NSE_CASH'`)
		await sign(sandbox, response)
		const { status } = await readDetails(fresh)
		await books.db.execute(sql`UPDATE postings SET client = 'DEBT01' WHERE client = 'NEW001' AND cocd = 'NSE_CASH'`)
		expect(status).toBe('PENDING')
		expect((await books.db.select().from(esigns).where(eq(esigns.client, 'NEW001')))[0]).toMatchObject({ last_outcome: 'FAILED' })
	})
})
