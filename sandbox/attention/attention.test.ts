import { like, sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { Attention } from '#contract/attention'
import { envelope } from '#contract/common'
import { type Books } from '#sandbox/db/open'
import { esigns, mtfAccounts, payouts, pledgeRequests, prices, unregisteredPayments } from '#sandbox/db/schema'
import { latestCode, postJson, readReply, sign } from '#sandbox/testing/changes'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

let books: Books
let sandbox: ReturnType<typeof createTestSandbox>
type Ask = Awaited<ReturnType<typeof sandbox.signIn>>
beforeAll(async () => {
	books = await openTestBooks()
})
beforeEach(async () => {
	sandbox = createTestSandbox(books)
	await books.db.delete(esigns)
	await books.db.delete(payouts)
	await books.db.delete(unregisteredPayments)
})
afterAll(() => books.close())

const readList = async (ask: Ask) => envelope(Attention).parse(await (await ask('/v1/ours/attention')).json()).data
const readKinds = async (ask: Ask) => (await readList(ask)).map(({ kind }) => kind)
const DAY_MS = 86_400_000
const activate = async (ask: Ask) => (await readReply(await ask('/v1/mtf_esign_process', { method: 'POST', body: '{}' }))).data

describe('what needs attention', () => {
	test('lists a debt with its daily interest, until it is paid', async () => {
		const debtor = await sandbox.signIn('DEBT01')
		const [debt, ...rest] = (await readList(debtor)).filter(({ kind }) => kind === 'DEBIT')
		const owed = -(debt?.amount ?? 0)
		const interest = Math.round((owed * 1800) / 3_650_000)
		expect(rest).toEqual([])
		expect(debt?.words).toContain(
			`It costs ₹ ${(interest / 100).toLocaleString('en-IN', { minimumFractionDigits: 2 })} a day (18 % a year)`,
		)
		expect(debt?.deadline).toBeNull()
		await books.db.execute(sql`UPDATE postings SET client = 'X' WHERE client = 'DEBT01' AND account = 'CLIENT'`)
		expect(await readKinds(debtor)).not.toContain('DEBIT')
		await books.db.execute(sql`UPDATE postings SET client = 'DEBT01' WHERE client = 'X'`)
	})

	test('lists sold shares that the client has not verified, until half past five', async () => {
		const demo = await sandbox.signIn('DEMO01')
		const [sale, ...rest] = (await readList(demo)).filter(({ kind }) => kind === 'SOLD_SHARES')
		expect(rest).toEqual([])
		expect(sale?.words).toMatch(
			/^Verify \d+ shares of [^,]+, sold on \d\d\/\d\d\/\d{4}(, and \d+ more)?, so that the broker can deliver them\.$/,
		)
		expect(sale?.deadline).toMatch(/T12:00:00/)
	})

	test('is empty for a client with nothing to do', async () => {
		const leaver = await sandbox.signIn('CLOS01')
		expect(await readList(leaver)).toEqual([])
	})

	test('lists a missing nominee until a change is requested, then the signature, then nothing', async () => {
		const cash = await sandbox.signIn('CASH01')
		expect(await readKinds(cash)).toEqual(['NO_NOMINEE'])
		const none = { client_code: 'CASH01', nominee: { opt_out: true, nominees: [] } }
		const change = (process: string, more = {}) =>
			postJson(cash, `/v1/modifications/nominee-addition?process=${process}`, { ...none, ...more })
		await change('send_otp')
		const otp = await latestCode(sandbox, 'CASH01')
		const { data } = await readReply(await change('verify_otp', { otp }))
		const [item, ...rest] = await readList(cash)
		expect([item?.kind, rest]).toEqual(['ESIGN', []])
		expect(item?.words).toBe('Change of nominees awaits your e-sign. Nothing changes until you sign it.')
		await sign(sandbox, data, 'cancel')
		expect(await readKinds(cash)).toEqual(['ESIGN'])
		await sign(sandbox, data)
		expect(await readList(cash)).toEqual([])
	})

	test('lists a request that waits for a signature, for one day', async () => {
		const leaver = await sandbox.signIn('CLOS01')
		await activate(leaver)
		const [item] = await readList(leaver)
		expect(item).toMatchObject({ kind: 'ESIGN', reference: expect.stringMatching(/^ES-/) })
		sandbox.passTime(DAY_MS + 1000)
		expect(await readList(await sandbox.signIn('CLOS01'))).toEqual([])
		await books.db.delete(mtfAccounts).where(sql`client = 'CLOS01'`)
	})

	test('is private to the client', async () => {
		await activate(await sandbox.signIn('NEW001'))
		expect(await readKinds(await sandbox.signIn('CLOS01'))).toEqual([])
	})

	test('lists missing margin, due by the end of the next trading day, and funded shares not pledged by 21:00', async () => {
		const demo = await sandbox.signIn('DEMO01')
		expect(await readKinds(demo)).not.toContain('MTF_SHORTFALL')
		await books.db.execute(sql`UPDATE postings SET client = 'X' WHERE client = 'DEMO01' AND cocd = 'NSE_CASH'`)
		await books.db
			.update(prices)
			.set({ close: sql`close / 100` })
			.where(sql`instrument IN (SELECT instrument FROM fundings) AND day = (SELECT max(day) FROM prices)`)
		const items = await readList(demo)
		await books.db.execute(sql`UPDATE postings SET client = 'DEMO01' WHERE client = 'X'`)
		await books.db
			.update(prices)
			.set({ close: sql`close * 100` })
			.where(sql`instrument IN (SELECT instrument FROM fundings) AND day = (SELECT max(day) FROM prices)`)
		const shortfall = items.find(({ kind }) => kind === 'MTF_SHORTFALL')
		expect(shortfall).toMatchObject({ deadline: '2026-11-23T18:29:00.000Z', words: expect.stringContaining('short of margin') })
		expect(shortfall?.amount).toBeLessThan(0)
		const pledge = items.find(({ kind }) => kind === 'MTF_PLEDGE')
		expect(pledge).toMatchObject({
			reference: expect.stringMatching(/^PL-/),
			words: 'Confirm the pledge of 120 shares of NTPC bought with margin funding, or they are sold on 30/11/2026.',
			deadline: '2026-11-20T15:30:00.000Z',
		})
	})

	test('is sorted by deadline, entries without one last', async () => {
		const cash = await sandbox.signIn('DEMO01')
		const waits = {
			token: 't1',
			client: 'DEMO01',
			action: 'pledge',
			lines: [{ isin: 'INE154A01025', symbol: 'ITC', qty: 5 }],
			status: 'WAITING',
			asked_at: new Date(),
		}
		const soon = new Date('2026-11-21T20:00:00Z')
		await books.db.insert(pledgeRequests).values({ ...waits, reference: 'PL-1', confirm_by: soon, margin_from: '2026-11-24' })
		await books.db
			.insert(pledgeRequests)
			.values({ ...waits, token: 't2', reference: 'PL-2', confirm_by: new Date('2026-11-20T00:00:00Z'), margin_from: '2026-11-24' })
		await books.db.insert(unregisteredPayments).values({
			utr: '1',
			client: 'DEMO01',
			day: '2026-11-20',
			amount: 2500_00,
			from_account: '123456789',
			from_name: 'HUF',
			returned_on: null,
			reason: '',
		})
		const payout = {
			request_id: 'PO1',
			cocd: 'NSE_CASH',
			client: 'DEMO01',
			asked_at: soon,
			amount: 100_00,
			bank_name: 'HDFC Bank',
			bank_acno: '1',
		}
		await books.db.insert(payouts).values({ ...payout, cut_off: soon, credited_by: soon, status: 'PENDING', paid: 0, remarks: '' })
		const items = (await readList(cash)).filter(({ kind }) => !['NO_NOMINEE', 'ESIGN', 'MTF_PLEDGE', 'SOLD_SHARES'].includes(kind))
		expect(items.map(({ kind, reference }) => `${kind} ${reference}`)).toEqual([
			'PLEDGE PL-1',
			expect.stringMatching(/^IPO_MANDATE KH/),
			'UNREGISTERED_PAYMENT 1',
			'PAYOUT PO1',
		])
		expect(items.map(({ words }) => words)).toEqual([
			'Confirm the pledge of 5 shares of ITC at the depository, or it lapses.',
			expect.stringMatching(/^Accept the mandate of ₹ [\d,]+\.00 for [A-Z]+ in your UPI app, or the bid is void\.$/),
			'₹ 2,500.00 came on 20/11/2026 from a bank account that is not registered. It is not in your ledger: see what to do.',
			'₹ 100.00 is on its way to HDFC Bank: there by 01:30 on 22/11/2026. You can cancel it until 01:30 on 22/11/2026.',
		])
		await books.db.delete(pledgeRequests).where(like(pledgeRequests.reference, 'PL-_'))
	})

	test('lists the tax statement from the end of a year until the return is due, or until it has been fetched', async () => {
		const seen = async () => (await readList(await sandbox.signIn('DEMO01'))).filter(({ kind }) => kind === 'TAX_STATEMENT')
		expect(await seen()).toEqual([])
		// 1 April 2027.
		sandbox.passTime(131 * DAY_MS)
		expect(await seen()).toMatchObject([
			{
				reference: '2026-2027',
				// With futures and options.
				deadline: '2027-08-31T18:29:00.000Z',
				words: expect.stringContaining('due on 31/08/2027.') as string,
			},
		])
		const demo = await sandbox.signIn('DEMO01')
		await (await demo('/v1/excel/download_income_tax?year=2026')).arrayBuffer()
		expect(await seen()).toEqual([])
		expect((await readList(await sandbox.signIn('NEW001'))).map(({ kind }) => kind)).not.toContain('TAX_STATEMENT')
	})
})
