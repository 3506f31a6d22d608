import { expect, test } from 'vitest'
import { formatSettlement } from '#sandbox/rules/calendar'
import { openTestBooks } from '#sandbox/testing/sandbox'
import { postFunding } from './entries'
import { readDelayedPayment } from './read-dues'
import { recordVouchers } from './record'
import { postVoucher } from './voucher'

/*
 * ₹ 2,00,000 are owed from Friday on. On that day shares are bought for ₹ 3,55,000, of which ₹ 2,66,250 are lent; both are due on Monday. So
 * the interest (18 % a year) of Friday, Saturday and Sunday is 3 × 98.63 = 295.89, and Monday's that of 2,00,000 + 3,55,000 - 2,66,250 =
 * 2,88,750, which is 142.40.
 */
test('money lent for a purchase lowers no debt before the purchase is owed', async () => {
	const books = await openTestBooks()
	const place = { client: 'NEW001', cocd: 'NSE_CASH' } as const
	const owe = (amount: number) => ({
		day: '2026-11-13',
		narration: 'OWED',
		sides: [
			{ account: 'CLIENT' as const, ...place, amount: -amount },
			{ account: 'CLEARING' as const, amount },
		],
	})
	const settlement_no = formatSettlement('NSE_CASH', '2026-11-13')
	await books.db.transaction((tx) =>
		recordVouchers(tx, '2026-11-13', (journal) => {
			postVoucher(journal, { type: 'JOURNAL', ...owe(2_00_000_00) })
			const bill = { type: 'BILL' as const, settlement_no, settles_on: '2026-11-16', bill_no: `${settlement_no}-1` }
			postVoucher(journal, { ...bill, ...owe(3_55_000_00) })
			postFunding(journal, { ...place, day: '2026-11-13' }, 2_66_250_00, 'NTPC')
		}),
	)
	const read = (from: string, to: string) => readDelayedPayment(books, 'NEW001', from, to)
	expect(await read('2026-11-13', '2026-11-15')).toEqual([{ cocd: 'NSE_CASH', late: 295_89 }])
	expect(await read('2026-11-16', '2026-11-16')).toEqual([{ cocd: 'NSE_CASH', late: 142_40 }])
	await books.close()
})
