import { desc, eq, sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { z } from 'zod/v4'
import { Attention } from '#contract/attention'
import { ContractBills, ContractNote } from '#contract/bills'
import { envelope } from '#contract/common'
import { LedgerReport, Withdrawable } from '#contract/ledger'
import { PnlTie } from '#contract/pnl'
import { PositionReport } from '#contract/reports'
import { type Books } from '#sandbox/db/open'
import { instruments, lots, pledgeMovements, pledgeRequests, prices } from '#sandbox/db/schema'
import { parseWhole, type Whole } from '#sandbox/testing/reader'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'
import { postPayIn } from './entries'
import { recordVouchers } from './record'

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())

const DAY_MS = 86_400_000
type Ask = Awaited<ReturnType<ReturnType<typeof createTestSandbox>['signIn']>>

async function read<Data extends z.ZodType>(ask: Ask, schema: Data, path: string): Promise<Whole<z.output<Data>>> {
	const { data } = envelope(z.unknown()).parse(await (await ask(path)).json())
	return parseWhole(schema, data)
}
const readMoney = (ask: Ask, cocd = 'NSE_CASH') => read(ask, Withdrawable, `/v2/fund/withdrawable-amount?company_code=${cocd}`)
const listShortfalls = async (ask: Ask) =>
	(await read(ask, Attention, '/v1/ours/attention')).filter(({ kind }) => kind === 'MARGIN_SHORTFALL')

async function payIn(day: string, amount: number): Promise<void> {
	const place = { client: 'CASH01', cocd: 'NSE_CASH', day } as const
	await books.db.transaction((tx) => recordVouchers(tx, day, (journal) => postPayIn(journal, place, amount, 'UPI', '632300000002')))
}

/** Closes of one day, in rupees. */
async function setCloses(day: string, closes: Record<string, number>): Promise<void> {
	for (const [instrument, rupees] of Object.entries(closes)) {
		const close = rupees * 10_000
		const target = [prices.instrument, prices.day]
		await books.db.insert(prices).values({ instrument, day, close }).onConflictDoUpdate({ target, set: { close } })
	}
}

const SBIN = 'INE062A01020'
const ITC = 'INE154A01025'
const FUTURE = 'NIFTY26DECFUT'

describe('the margin of open contracts', () => {
	test('is computed again each trading day at that day’s price, and pledged shares cover a part of it', async () => {
		// 65 of a Nifty future, sold on Friday 20 November 2026 at 24,000.00; 100 SBIN pledged the same day.
		const contract = {
			symbol: FUTURE,
			name: 'Nifty 50 26DEC FUT',
			kind: 'FUTURE',
			segment: 'NSE_FNO',
			sector: 'Index',
			series: 'XX',
			lot: 65,
		}
		await books.db
			.insert(instruments)
			.values({ id: FUTURE, ...contract, multiplier: 1, expiry: '2026-12-29' })
			.onConflictDoNothing()
		const lot = { instrument: FUTURE, segment: 'NSE_FNO', side: 'S', opened_on: '2026-11-20', acquired_on: '2026-11-20', quantity: 65 }
		await books.db.insert(lots).values({ id: 9_000_001, client: 'CASH01', ...lot, cost: 15_60_000_00, expenses: 0, origin: 'TRADE' })
		const pledge = { client: 'CASH01', instrument: SBIN, kind: 'MARGIN', day: '2026-11-20', quantity: 100 }
		await books.db.insert(pledgeMovements).values(pledge)
		await payIn('2026-11-19', 3_00_000_00)
		await setCloses('2026-11-20', { [FUTURE]: 24_000, [SBIN]: 1_000 })
		await setCloses('2026-11-23', { [FUTURE]: 24_600, [SBIN]: 1_000 })
		await setCloses('2026-11-25', { [FUTURE]: 27_000, [SBIN]: 1_000 })
		const { signIn, passTime } = createTestSandbox(books)
		const friday = await readMoney(await signIn('CASH01'))

		// Monday: 65 × 24,600.00 × 14 % = 2,23,860.00. Collateral 100 × 1,000.00 × 85 % = 85,000.00. Cash: max(1,11,930, 1,38,860) =
		// 1,38,860.00.
		passTime(2 * DAY_MS)
		let ask = await signIn('CASH01')
		const monday = await readMoney(ask)
		expect([monday.margin_required, monday.collateral, monday.margin_used]).toEqual([2_23_860_00, 85_000_00, 1_38_860_00])
		expect(monday.balance).toBe(monday.ledger - 1_38_860_00)
		// The short has lost 65 × 600.00 = 39,000.00, which is paid in cash.
		expect(monday.ledger).toBe(friday.ledger - 39_000_00)
		expect(await listShortfalls(ask)).toEqual([])

		// Tuesday is a holiday. Wednesday: 65 × 2,400.00 = 1,56,000.00 lost; margin 65 × 27,000.00 × 14 % = 2,45,700.00, of it cash
		// 2,45,700 - 85,000 = 1,60,700.00: more than is left.
		passTime(2 * DAY_MS)
		ask = await signIn('CASH01')
		const wednesday = await readMoney(ask)
		expect(wednesday.ledger).toBe(monday.ledger - 1_56_000_00)
		expect([wednesday.margin_used, wednesday.balance]).toEqual([1_60_700_00, 0])
		const missing = 1_60_700_00 - wednesday.ledger
		expect(missing).toBeGreaterThan(30_000_00)
		// The deadline is the end of Thursday in India.
		const deadline = '2026-11-26T18:29:00.000Z'
		expect(await listShortfalls(ask)).toMatchObject([{ reference: 'NSE_CASH', amount: -missing, deadline }])
		passTime(DAY_MS)
		ask = await signIn('CASH01')
		expect(await listShortfalls(ask)).toMatchObject([{ amount: -missing, deadline }])
		await payIn('2026-11-26', missing)
		expect(await listShortfalls(ask)).toEqual([])

		// Each day's change is in the ledger with margin: 1,38,860 on Monday and 21,840 more on Wednesday.
		const ledger = await read(
			ask,
			LedgerReport,
			'/v2/service/reports/ledger?from_date=2026-11-21&to_date=2026-11-26&margin=Y&cocd=NSE_CASH',
		)
		const margins = ledger.filtered_df.filter(({ NARRATION }) => NARRATION.startsWith('MARGIN'))
		expect(margins.map(({ VOUCHER_DATE, NARRATION, DR_AMT }) => [VOUCHER_DATE, NARRATION, DR_AMT])).toEqual([
			['2026-11-23', 'MARGIN BLOCKED NSE FNO', 1_38_860_00],
			['2026-11-25', 'MARGIN BLOCKED NSE FNO', 21_840_00],
		])
		// The marks are bills, settled on the next settlement day, and posted once.
		const marks = ledger.filtered_df.filter(({ NARRATION }) => NARRATION.startsWith('MTM'))
		expect(marks.map(({ VOUCHER_TYPE, NARRATION, DR_AMT, SETL_NO }) => [VOUCHER_TYPE, NARRATION, DR_AMT, SETL_NO])).toEqual([
			['BILL', 'MTM NIFTY26DECFUT F20261123', 39_000_00, 'F20261123'],
			['BILL', 'MTM NIFTY26DECFUT F20261125', 1_56_000_00, 'F20261125'],
		])
		// P&L: nothing is realised. The bills carry the open contract's loss so far, 65 × 3,000.00.
		const tie = await read(ask, PnlTie, '/v1/ours/pnl-tie?year=2026')
		const cost = [{ TERM: 'MARK_TO_MARKET', AMOUNT: -1_95_000_00 }]
		expect(tie.segments.find(({ SEGMENT }) => SEGMENT === 'NSE_FNO')).toEqual({
			SEGMENT: 'NSE_FNO',
			terms: cost,
			BILLS: -1_95_000_00,
			DIFFERENCE: 0,
		})
		const position = await read(ask, PositionReport, '/v2/service/reports/position?dataYear=2026')
		expect(position.filtered_df).toMatchObject([
			{ SCRIP_NAME: 'Nifty 50 26DEC FUT', NET_QTY: -65, MTM: -1_95_000_00, MTM_PAID: -1_95_000_00, REALISED: 0 },
		])
		// The bill shows its calculation: -65 × 27,000.00 less -65 × 24,600.00.
		const billNo = marks[1]?.BILL_NO ?? ''
		const bill = await read(ask, ContractNote, `/v1/ours/contract-note?bill=${billNo}`)
		expect(bill).toMatchObject({
			BILL_NO: billNo,
			BILL_DATE: '2026-11-25',
			SETTLES_ON: '2026-11-26',
			NET: -1_56_000_00,
			LEDGER_AMT: -1_56_000_00,
		})
		expect([bill.trades, bill.charges]).toEqual([[], []])
		const mark = { SCRIP_NAME: 'Nifty 50 26DEC FUT', QTY: -65, CLOSE_RATE: 27_000, STOOD_AT: -15_99_000_00, AMOUNT: -1_56_000_00 }
		expect(bill.mark).toEqual(mark)
		const asked = { client_code: 'CASH01', from_date: '2026-11-25', to_date: '2026-11-25', company_code: 'NSE_FNO' }
		const listed = envelope(ContractBills).parse(
			await (await ask('/v1/reports/contractbills', { method: 'POST', body: JSON.stringify(asked) })).json(),
		)
		expect(listed.data).toMatchObject([{ BILL_NO: billNo, DOC_TYPE: 'BILL', BILL_AMT: -1_56_000_00 }])
	})

	test('ends with the contract: the last day pays the change since the last mark, and the whole result is realised then', async () => {
		// Continues from above: 65 of the future sold at 24,000.00, marked at 27,000.00. One option in the money and one out of the money
		// are held too.
		const option = { kind: 'OPTION', segment: 'NSE_FNO', sector: 'Index', series: 'XX', lot: 65, multiplier: 1, expiry: '2026-12-29' }
		const lot = { segment: 'NSE_FNO', side: 'L', opened_on: '2026-11-20', acquired_on: '2026-11-20', quantity: 65, expenses: 0 }
		for (const [at, [strike, cost]] of (
			[
				[25_700, 10_000_00],
				[26_100, 2_000_00],
			] as const
		).entries()) {
			const id = `NIFTY26DEC${strike}CE`
			const words = { id, symbol: id, name: `Nifty 50 26DEC ${strike} CE`, strike: strike * 10_000, option_type: 'CE' }
			await books.db
				.insert(instruments)
				.values({ ...option, ...words })
				.onConflictDoNothing()
			await books.db.insert(lots).values({ id: 9_100_000 + at, client: 'CASH01', instrument: id, ...lot, cost, origin: 'TRADE' })
		}
		await setCloses('2026-12-29', { [FUTURE]: 26_000, NIFTY: 26_000 })
		const { signIn, passTime } = createTestSandbox(books)
		passTime(37 * DAY_MS)
		const eve = await readMoney(await signIn('CASH01'))
		expect(eve.margin_required).toBe(2_45_700_00)
		passTime(DAY_MS)
		const ask = await signIn('CASH01')
		const money = await readMoney(ask)
		expect([money.margin_required, money.margin_used]).toEqual([0, 0])

		// The future: bought back at 26,000.00, 65 × 1,000.00 since the mark. Brokerage 0.02 % of 16,90,000 = 338.00, exchange 0.00183 %
		// = 30.93, SEBI 0.0001 % = 1.69, GST 18 % of 370.62 = 66.71, stamp 0.002 % = 33.80, to the rupee 34; no STT on a purchase:
		// 471.33. The option: 65 × (26,000 - 25,700) = 19,500.00; STT 0.15 % = 29.25, to the rupee 29; exercise is free of brokerage.
		const asked = { client_code: 'CASH01', from_date: '2026-12-29', to_date: '2026-12-29', company_code: 'NSE_FNO' }
		const listed = envelope(ContractBills).parse(
			await (await ask('/v1/reports/contractbills', { method: 'POST', body: JSON.stringify(asked) })).json(),
		)
		expect(listed.data).toMatchObject([
			{ DOC_TYPE: 'CONTRACT NOTE', BILL_AMT: 65_000_00 - 471_33 },
			{ DOC_TYPE: 'CONTRACT NOTE', BILL_AMT: 19_500_00 - 29_00 },
		])
		expect(money.ledger).toBe(eve.ledger + 65_000_00 - 471_33 + 19_500_00 - 29_00)
		// The whole results: the future 65 × -2,000.00, the options 19,500 - 10,000 and -2,000. The year's tie has no open difference.
		const tie = await read(ask, PnlTie, '/v1/ours/pnl-tie?year=2026')
		const fno = tie.segments.find(({ SEGMENT }) => SEGMENT === 'NSE_FNO')
		expect(fno?.terms.find(({ TERM }) => TERM === 'REALISED')?.AMOUNT).toBe(-1_30_000_00 + 9_500_00 - 2_000_00)
		expect(fno?.terms.some(({ TERM }) => TERM === 'MARK_TO_MARKET')).toBe(false)
		expect(fno?.BILLS).toBe(-1_95_000_00 + 65_000_00 - 471_33 + 19_500_00 - 29_00)
		expect((await read(ask, PositionReport, '/v2/service/reports/position?dataYear=2026')).filtered_df).toEqual([])
	})

	test('equals the amount that the seed has blocked, and a release of pledged shares blocks cash at once', async () => {
		const { app, signIn } = createTestSandbox(books)
		const ask = await signIn('DEMO01')
		const before = await readMoney(ask)
		const { margin_required = 0, collateral = 0 } = before
		expect(collateral).toBeGreaterThan(10_000_00)
		expect(collateral).toBeLessThan(margin_required / 2)
		expect(before.margin_used).toBe(margin_required - collateral)
		const mcx = await readMoney(ask, 'MCX')
		expect([mcx.margin_used, mcx.collateral]).toEqual([mcx.margin_required, 0])

		// 10 ITC at 400.00 less 15 %: 3,400.00 more cash.
		await setCloses('2026-11-20', { [ITC]: 400 })
		const held = await readMoney(ask)
		const order = { client_code: 'DEMO01', action: 'unpledge', data: [{ isin: ITC, qty: 10 }], confirmation: true }
		const init = { method: 'POST', body: JSON.stringify(order), headers: { 'idempotency-key': 'release-of-ten-itc-01' } }
		expect((await ask('/v1/margin_epledge', init)).status).toBe(200)
		const [asked] = await books.db
			.select()
			.from(pledgeRequests)
			.where(eq(pledgeRequests.client, 'DEMO01'))
			.orderBy(desc(pledgeRequests.asked_at))
			.limit(1)
		const form = new URLSearchParams({ response: asked?.token ?? '', outcome: 'confirm' })
		await app.request('/depository', { method: 'POST', body: form })
		const after = await readMoney(ask)
		expect((held.collateral ?? 0) - (after.collateral ?? 0)).toBe(3_400_00)
		expect(after.margin_used).toBe((after.margin_required ?? 0) - (after.collateral ?? 0))
		const [pair] = (await books.db.execute<{ sum: number }>(sql`SELECT sum(amount)::float8 AS sum FROM postings`)).rows
		expect(pair?.sum).toBe(0)
	})
})
