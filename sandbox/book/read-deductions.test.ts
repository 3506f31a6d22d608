import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { type Books } from '#sandbox/db/open'
import { findSettlementDay, formatSettlement } from '#sandbox/rules/calendar'
import { openTestBooks } from '#sandbox/testing/sandbox'
import { postFunding } from './entries'
import { readFreeBalance, readMarginCash } from './read-deductions'
import { recordVouchers } from './record'
import { postVoucher } from './voucher'

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())

/** Books a day's bills and loans of a client without trades, and reads the equity ledger at its end, less what was in it before. */
async function bookDay(day: Day, bills: Paise[], loans: [Paise, string][]) {
	const place = { client: 'NEW001', cocd: 'NSE_CASH', day } as const
	const settlement_no = formatSettlement('NSE_CASH', day)
	const settles_on = findSettlementDay(day, 'NSE_CASH')
	const before = await readFreeBalance(books, 'NEW001', 'NSE_CASH', day)
	expect([before.unsettled, before.marginUsed, before.interest]).toEqual([0, 0, 0])
	await books.db.transaction((tx) =>
		recordVouchers(tx, day, (journal) => {
			for (const [at, amount] of bills.entries())
				postVoucher(journal, {
					day,
					type: 'BILL',
					narration: `BILL NSE CASH ${settlement_no}`,
					settlement_no,
					settles_on,
					bill_no: `${settlement_no}-${at + 1}`,
					sides: [
						{ account: 'CLIENT', client: 'NEW001', cocd: 'NSE_CASH', amount },
						{ account: 'CLEARING', amount: -amount },
					],
				})
			for (const [amount, symbol] of loans) postFunding(journal, place, amount, symbol)
		}),
	)
	const after = await readFreeBalance(books, 'NEW001', 'NSE_CASH', day)
	return {
		ledger: after.ledger - before.ledger,
		free: after.free - before.free,
		lines: after.lines.map(({ narration, amount, clearsOn, billNo }) => [narration, amount, clearsOn, billNo]),
		cash: await readMarginCash(books, 'NEW001', day),
	}
}

/*
 * A loan is paid out on the day on which its purchase is paid for, so on the trade day it is not free cash. Each day settles on the next
 * trading day, so nothing of a day is unsettled on the day after.
 */
describe('money lent for a purchase is not free before the purchase settles', () => {
	// Shares sold for more than the purchase cost: the bill is a credit of 27,106.65, the loan 26,599.50. 53,706.15 come on the 17th.
	test('when the bill is a credit', async () => {
		expect(await bookDay('2026-11-16', [27_106_65], [[26_599_50, 'NTPC']])).toEqual({
			ledger: 53_706_15,
			free: 0,
			lines: [['BILL NSE CASH M2026215 WITH MTF FUNDING', 53_706_15, '2026-11-17', 'M2026215-1']],
			cash: 0,
		})
	})

	// 35,500.00 to pay, of which the broker lends 26,599.50. The rest, 8,900.50, is owed at once; no credit is on its way. The 53,706.15 of
	// the day before are there now, so 44,805.65 count as cash for a loan.
	test('when the purchase costs more than the loan', async () => {
		expect(await bookDay('2026-11-17', [-35_500_00], [[26_599_50, 'NTPC']])).toEqual({
			ledger: -8_900_50,
			free: -8_900_50,
			lines: [],
			cash: 44_805_65,
		})
	})

	// Sales of the same day pay for all of the purchase but 10,000.00. The loan is 26,599.50, so 16,599.50 are left over.
	test('when the loan is more than the bill takes', async () => {
		expect(await bookDay('2026-11-18', [-10_000_00], [[26_599_50, 'NTPC']])).toMatchObject({
			ledger: 16_599_50,
			free: 0,
			lines: [['BILL NSE CASH M2026217 WITH MTF FUNDING', 16_599_50, '2026-11-19', 'M2026217-1']],
		})
	})

	// Funded shares sold for 41,857.31 repay their loan of 26,599.50, and others are bought with 9,000.00 lent: 41,857.31 - 26,599.50 +
	// 9,000.00 = 24,257.81. The broker sold in two lots, so the settlement has two bills, 30,000.00 and 11,857.31.
	test('when a loan is repaid in the same settlement', async () => {
		const loans: [Paise, string][] = [
			[-26_599_50, 'NTPC'],
			[9_000_00, 'BEL'],
		]
		expect(await bookDay('2026-11-19', [30_000_00, 11_857_31], loans)).toMatchObject({
			ledger: 24_257_81,
			free: 0,
			lines: [['BILL NSE CASH M2026218 LESS MTF REPAYMENT', 24_257_81, '2026-11-20', 'M2026218-1']],
		})
	})
})
