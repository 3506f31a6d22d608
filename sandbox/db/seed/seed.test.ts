import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { postPayIn } from '#sandbox/book/entries'
import { recordVouchers } from '#sandbox/book/record'
import { readRows } from '#sandbox/book/rows'
import { type Books, openBooks } from '#sandbox/db/open'
import { SEEDED_MISTAKES } from '#sandbox/testing/seeded-mistakes'
import { seedBooks } from './seed'

const codes = ['DEMO01', 'CASH01', 'DORM01', 'DEBT01', 'CLOS01', 'NEW001']
let books: Books

type Row = Record<string, string | number | null>

async function ask(query: string): Promise<Row[]> {
	const { rows } = await books.db.execute<Row>(sql.raw(query))
	return rows
}

beforeAll(async () => {
	books = await openBooks()
	await seedBooks(books, { seed: 'test', today: '2026-11-21', personas: codes })
})
afterAll(async () => books.close())

describe('the seeded books', () => {
	test('are left unchanged when they have the same seed and day', async () => {
		expect(await seedBooks(books, { seed: 'test', today: '2026-11-21', personas: codes })).toBe(false)
	})

	test('add up to zero as a whole', async () => {
		expect(await ask('SELECT sum(amount)::float8 AS sum FROM postings')).toEqual([{ sum: 0 }])
	})

	test.each(Object.entries(SEEDED_MISTAKES))('never have %s', async (_, query) => {
		expect(await readRows(books, query)).toEqual([])
	})

	test('charge on every note what its trades were charged', async () => {
		const charges =
			await ask(`SELECT n.bill_no FROM notes n JOIN (SELECT bill_no, sum(amount) AS amount FROM note_charges GROUP BY 1) c USING (bill_no)
			JOIN (SELECT bill_no, sum(charges) AS amount FROM trades GROUP BY 1) t USING (bill_no)
			WHERE c.amount <> n.obligation - n.net OR t.amount <> c.amount`)
		expect(charges).toEqual([])
	})

	test('sum the bills to the realised gain and the marks of open positions', async () => {
		const [row] = await ask(`SELECT
			(SELECT sum(CASE l.side WHEN 'S' THEN d.cost - d.proceeds ELSE d.proceeds - d.cost END) FROM disposals d JOIN lots l ON l.id = d.lot_id
				WHERE l.segment = 'MCX')::float8 AS realised, (SELECT sum(obligation) FROM notes WHERE segment = 'MCX')::float8 AS billed,
			(SELECT sum((CASE l.side WHEN 'S' THEN -1 ELSE 1 END) * (l.quantity * i.multiplier * (SELECT close FROM prices WHERE instrument = l.instrument ORDER BY day DESC LIMIT 1) / 100 - l.cost))
				FROM lots l JOIN instruments i ON i.id = l.instrument
				WHERE l.segment = 'MCX' AND NOT EXISTS (SELECT FROM disposals d WHERE d.lot_id = l.id))::float8 AS open`)
		expect(Number(row?.open)).not.toBe(0)
		expect(Number(row?.realised) + Number(row?.open)).toBe(row?.billed)
	})

	test('mark every open future on every trading day, starting from the mark of the day before', async () => {
		// The value at the day's close less `stood`, by the stored prices. No bill of a mark has trades or charges.
		const wrong = await ask(`SELECT m.bill_no FROM marks m JOIN instruments i ON i.id = m.instrument JOIN notes n USING (bill_no)
			LEFT JOIN prices p ON p.instrument = m.instrument AND p.day = m.day
			WHERE i.kind <> 'FUTURE' OR m.amount = 0 OR m.amount <> m.quantity * i.multiplier * p.close / 100 - m.stood OR p.close <> m.price
				OR n.net <> m.amount OR n.day <> m.day OR EXISTS (SELECT FROM trades t WHERE t.bill_no = m.bill_no)`)
		expect(wrong).toEqual([])
		const missing = await ask(`SELECT l.instrument, p.day FROM lots l JOIN instruments i ON i.id = l.instrument
			JOIN prices p ON p.instrument = l.instrument AND p.day >= l.opened_on
			JOIN LATERAL (SELECT close FROM prices b WHERE b.instrument = p.instrument AND b.day < p.day ORDER BY b.day DESC LIMIT 1) b ON b.close <> p.close
			WHERE i.kind = 'FUTURE' AND p.day > l.opened_on AND l.quantity > coalesce((SELECT sum(d.quantity) FROM disposals d WHERE d.lot_id = l.id AND d.day <= p.day), 0)
				AND NOT EXISTS (SELECT FROM marks m WHERE m.client = l.client AND m.instrument = l.instrument AND m.day = p.day)`)
		expect(missing).toEqual([])
		const [count] = await ask('SELECT count(*)::int AS marks, count(DISTINCT client)::int AS clients FROM marks')
		expect(count?.clients).toBe(1)
		expect(Number(count?.marks)).toBeLessThan(500)
	})

	test('charge the DP fee on the settlement day of a delivery sale and for nothing else', async () => {
		const wrong = await ask(`WITH due AS (
				SELECT n.client, n.settles_on AS day, count(DISTINCT t.instrument) AS n FROM trades t JOIN notes n USING (bill_no)
				WHERE t.segment = 'NSE_CASH' AND t.side = 'S' AND t.quantity > t.intraday_quantity AND n.settles_on <= '2026-11-21' GROUP BY 1, 2),
			posted AS (
				SELECT p.client, v.day, count(*) AS n FROM vouchers v JOIN postings p ON p.voucher_id = v.id AND p.account = 'CLIENT'
				WHERE v.narration LIKE 'DP CHARGES%' GROUP BY 1, 2)
			SELECT * FROM due FULL JOIN posted USING (client, day) WHERE due.n IS DISTINCT FROM posted.n`)
		expect(wrong).toEqual([])
	})

	test('record dividends paid and tax deducted: a tenth of a year’s dividends above the limit, and nothing below', async () => {
		// Limit of section 194: 5,000 rupees, from 2025-26 10,000. An ISIN's first seven characters are the company's.
		const wrong = await ask(`SELECT client, left(instrument, 7) AS company, date_part('year', ex_day - interval '3 months') AS year
			FROM dividends GROUP BY 1, 2, 3
			HAVING sum(tds) <> CASE WHEN sum(amount) > CASE WHEN date_part('year', min(ex_day) - interval '3 months') < 2025 THEN 500000 ELSE 1000000 END
				THEN round(sum(amount) / 10) ELSE 0 END`)
		expect(wrong).toEqual([])
		const [sums] = await ask(`SELECT sum(amount)::float8 AS paid, sum(tds)::float8 AS deducted FROM dividends`)
		const posted = await ask(`SELECT p.account, sum(p.amount)::float8 AS amount FROM postings p JOIN vouchers v ON v.id = p.voucher_id
			WHERE v.narration ~ '^(DIVIDEND|BUYBACK) IN' GROUP BY 1 ORDER BY 1`)
		const [paid, deducted] = [Number(sums?.paid), Number(sums?.deducted)]
		expect(deducted).toBeGreaterThan(0)
		expect(posted).toEqual([
			{ account: 'ISSUER', amount: -paid },
			{ account: 'OWN_BANK', amount: paid - deducted },
			{ account: 'TDS', amount: deducted },
		])
	})

	test('number vouchers, bills and settlements in the formats of the contract', async () => {
		expect(await ask(`SELECT voucher_no FROM vouchers WHERE voucher_no !~ '^[A-Z]{2}[0-9]{10}$'`)).toEqual([])
		expect(await ask(`SELECT bill_no FROM notes WHERE bill_no !~ '^[A-Z]{2}[0-9]{8}$'`)).toEqual([])
		expect(await ask(`SELECT settlement_no FROM notes WHERE settlement_no !~ '^[A-Z][0-9]{7,8}$'`)).toEqual([])
		expect(await ask(`SELECT id FROM vouchers WHERE day > '2026-11-21'`)).toEqual([])
	})

	test('give each persona the data that it demonstrates', async () => {
		const balances = await ask(`SELECT client, cocd, sum(amount) FILTER (WHERE NOT is_margin)::float8 AS ledger FROM postings
			WHERE account = 'CLIENT' GROUP BY 1, 2 ORDER BY 1, 2`)
		const ledger = new Map(balances.map((row) => [`${row.client}/${row.cocd}`, Number(row.ledger)]))
		expect(ledger.get('DEMO01/NSE_CASH')).toBeGreaterThan(0)
		expect(ledger.get('DEMO01/MCX')).toBeGreaterThan(0)
		expect(ledger.get('DEBT01/NSE_CASH')).toBeLessThan(0)
		expect(ledger.get('CLOS01/NSE_CASH')).toBe(0)
		expect([...ledger.keys()].some((key) => key.startsWith('NEW001'))).toBe(false)
		const margin = await ask(`SELECT cocd, sum(amount)::float8 AS blocked FROM postings WHERE account = 'MARGIN' GROUP BY 1 ORDER BY 1`)
		expect(margin.map((row) => Number(row.blocked) > 0)).toEqual([true, true])
		const [unsettled] = await ask(`SELECT count(*)::int AS n FROM vouchers v JOIN postings p ON p.voucher_id = v.id
			WHERE p.client = 'DEMO01' AND p.account = 'CLIENT' AND p.amount > 0 AND v.settles_on > '2026-11-21'`)
		expect(Number(unsettled?.n)).toBeGreaterThan(0)
		const [mtf] = await ask(
			`SELECT -sum(amount)::float8 AS lent, (SELECT sum(amount)::float8 FROM fundings) AS funded FROM postings WHERE account = 'MTF'`,
		)
		expect(mtf?.lent).toBe(mtf?.funded)
		expect(Number(mtf?.lent)).toBeGreaterThan(0)
		const late = await ask(`SELECT 1 FROM vouchers WHERE narration LIKE 'DELAYED PAYMENT CHARGES%'`)
		expect(late.length).toBeGreaterThan(0)
	})

	test('continue with the same functions when money arrives', async () => {
		const place = { client: 'DEMO01', cocd: 'NSE_CASH', day: '2026-11-20' } as const
		const record = (amount: number) =>
			books.db.transaction((tx) =>
				recordVouchers(tx, place.day, (journal) => postPayIn(journal, place, amount, 'UPI', '611200000001').voucher_no),
			)
		const numbers = [await record(100_00), await record(200_00)]
		expect(new Set(numbers).size).toBe(2)
		expect(await ask('SELECT sum(amount)::float8 AS sum FROM postings')).toEqual([{ sum: 0 }])
		const failing = books.db.transaction((tx) => recordVouchers(tx, place.day, () => Promise.reject(new Error('no'))))
		await expect(failing).rejects.toThrow('no')
	})
})
