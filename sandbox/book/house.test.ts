import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Books } from '#sandbox/db/open'
import { SMALL_CLIENTS } from '#sandbox/testing/books'
import { openTestBooks } from '#sandbox/testing/sandbox'
import { postDueCharges } from './charges-job'
import { findGstDay, postClearing, postGstPayment } from './house'
import { openJournal, postVoucher, readMovement } from './voucher'

describe('payments of the broker itself', () => {
	test('leave the broker only its brokerage of a bill', () => {
		// The contract note of Wednesday 10-Jun-2026, for which the client owes 67,505.11: obligation 66,700.00, brokerage 445.16,
		// exchange 17.91, SEBI 0.58, GST 41.73 twice, STT 233.00, stamp 25.00.
		const journal = openJournal()
		const levies = { BROKERAGE: 445_16, EXCHANGE: 17_91, SEBI: 58, GST: 83_46, STT: 233_00, STAMP: 25_00 } as const
		postVoucher(journal, {
			day: '2026-06-10',
			type: 'BILL',
			narration: 'BILL NSE CASH M2026105',
			sides: [
				{ account: 'CLIENT', client: 'A', cocd: 'NSE_CASH', amount: -67_505_11 },
				{ account: 'CLEARING', amount: 66_700_00 },
				...(['BROKERAGE', 'EXCHANGE', 'SEBI', 'GST', 'STT', 'STAMP'] as const).map((account) => ({ account, amount: levies[account] })),
			],
		})
		const { EXCHANGE, SEBI, STT, STAMP } = levies
		postClearing(
			journal,
			'2026-06-11',
			new Map(Object.entries({ CLEARING: 66_700_00, EXCHANGE, SEBI, STT, STAMP }) as ['CLEARING', number][]),
		)
		// 66,700.00 + 17.91 + 0.58 + 233.00 + 25.00.
		expect(readMovement(journal, 'HOUSE_BANK')).toBe(66_976_49)
		postGstPayment(journal, findGstDay('2026-06'), '2026-06', 83_46)
		expect(journal.vouchers.map(({ day, narration }) => [day, narration])).toEqual([
			['2026-06-10', 'BILL NSE CASH M2026105'],
			['2026-06-11', 'SETTLEMENT WITH CLEARING CORPORATION'],
			['2026-07-20', 'GST OF JUN-2026'],
		])
		for (const account of ['CLEARING', 'EXCHANGE', 'SEBI', 'GST', 'STT', 'STAMP'] as const) expect(readMovement(journal, account)).toBe(0)
		expect(readMovement(journal, 'HOUSE_BANK')).toBe(67_505_11 - 445_16)
	})

	test('are not posted when nothing is owed', () => {
		const journal = openJournal()
		postClearing(journal, '2026-06-11', new Map([['CLEARING', 0]]))
		postGstPayment(journal, '2026-07-20', '2026-06', 0)
		expect(journal.vouchers).toEqual([])
	})

	test('include the tax, paid on the twentieth or before it when banks are closed', () => {
		// 20-Dec-2026 is a Sunday, Tuesday 20-Oct-2026 a holiday, 20-Jan-2027 a Wednesday.
		expect([findGstDay('2026-11'), findGstDay('2026-09'), findGstDay('2026-12')]).toEqual(['2026-12-18', '2026-10-19', '2027-01-20'])
	})
})

describe('accounts of clearing, tax and fees', () => {
	let books: Books
	beforeAll(async () => {
		books = await openTestBooks()
	})
	afterAll(() => books.close())

	const balances = async () => {
		const { rows } = await books.db.execute<{ account: string; balance: number }>(
			sql`SELECT account, sum(amount)::float8 AS balance FROM postings
			WHERE account IN ('CLEARING', 'EXCHANGE', 'SEBI', 'STT', 'CTT', 'STAMP', 'GST') GROUP BY 1`,
		)
		return Object.fromEntries(rows.map(({ account, balance }) => [account, balance]))
	}
	/** The amounts of bills that settle after `settled`, by account, and the GST posted from `taxedFrom` on. */
	const owed = async (settled: string, taxedFrom: string) => {
		const { rows } = await books.db.execute<{ kind: string; amount: number }>(
			sql`SELECT 'CLEARING' AS kind, coalesce(-sum(obligation), 0)::float8 AS amount FROM notes WHERE settles_on > ${settled}
			UNION ALL SELECT k.kind, coalesce(sum(c.amount), 0)::float8 FROM unnest(ARRAY['EXCHANGE', 'SEBI', 'STT', 'CTT', 'STAMP']) k(kind)
				LEFT JOIN (note_charges c JOIN notes n ON n.bill_no = c.bill_no AND n.settles_on > ${settled}) ON c.kind = k.kind GROUP BY 1
			UNION ALL SELECT 'GST', coalesce(sum(amount), 0)::float8 FROM postings p JOIN vouchers v ON v.id = p.voucher_id
				WHERE account = 'GST' AND p.day >= ${taxedFrom} AND v.narration NOT LIKE 'GST OF %'`,
		)
		return Object.fromEntries(rows.map(({ kind, amount }) => [kind, amount]))
	}

	test('hold amounts that have not settled yet, and the tax of the month', async () => {
		// Friday 20-Nov-2026 is the last day of the seed: bills of that day settle on Monday, and October's tax is paid on it.
		const expected = await owed('2026-11-20', '2026-11-01')
		expect(expected.CLEARING).not.toBe(0)
		expect(expected.GST).toBeGreaterThan(0)
		expect(await balances()).toEqual(expected)
	})

	test('are settled as the clock moves on', async () => {
		for (const client of SMALL_CLIENTS) await postDueCharges(books, client, '2027-01-25')
		expect(await balances()).toEqual(await owed('2027-01-25', '2027-01-01'))
		const { rows } = await books.db.execute<{ day: string }>(
			sql`SELECT DISTINCT day::text AS day FROM vouchers WHERE narration LIKE 'GST OF %' AND day > '2026-11-20' ORDER BY 1`,
		)
		expect(rows.map(({ day }) => day)).toEqual(['2026-12-18', '2027-01-20'])
	})
})
