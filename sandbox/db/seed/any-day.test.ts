import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { addDays } from '#contract/values/dates'
import { readRows } from '#sandbox/book/rows'
import { type Books } from '#sandbox/db/open'
import { GAIL, HDFCBANK, INFY, ITC, ITCHOTELS, KOTAK_NEW, NESTLEIND, TMCV, TMPV } from '#sandbox/reference-data/actions'
import { openSeededBooks, SMALL_CLIENTS } from '#sandbox/testing/books'
import { SEEDED_MISTAKES } from '#sandbox/testing/seeded-mistakes'

/*
 * README's table says what each client shows. The books begin on 1 April four years before the day's financial year, so on these days
 * they begin after some of DEMO01's planned events, between the corporate actions (1-Apr-2025), and after all (2026).
 */
const DAYS = [
	['2027-04-07', '2023-04-01', 60],
	['2029-05-15', '2025-04-01', 60],
	// No tender in the buyback of 26-Nov-2025: it is before the books begin.
	['2030-05-15', '2026-04-01', 80],
] as const

type Row = Record<string, string | number | boolean | null>

describe.each(DAYS)('on %s the books', (day, from, infosys) => {
	let books: Books
	beforeAll(async () => {
		books = await openSeededBooks({ seed: 'test', today: day, personas: SMALL_CLIENTS })
	})
	afterAll(() => books.close())

	const ask = async (query: string) => await readRows<Row>(books, sql.raw(query))
	/** Open units of shares, with their cost in paise. */
	const holding = `SELECT l.client, l.instrument, l.acquired_on::text, l.cost IS NULL AS is_unknown,
		sum(l.quantity - coalesce(d.quantity, 0))::float8 AS quantity, sum(l.cost - coalesce(d.cost, 0))::float8 AS cost
		FROM lots l LEFT JOIN (SELECT lot_id, sum(quantity) AS quantity, sum(cost) AS cost FROM disposals GROUP BY 1) d ON d.lot_id = l.id
		WHERE l.segment = 'NSE_CASH' AND l.quantity > coalesce(d.quantity, 0) GROUP BY 1, 2, 3, 4`

	test('have no mistake and no entry outside their five years', async () => {
		for (const [what, query] of Object.entries(SEEDED_MISTAKES)) expect(await readRows<Row>(books, query), what).toEqual([])
		const entries = await ask(`SELECT 'voucher' AS what, day FROM vouchers UNION ALL SELECT 'trade', day FROM trades
			UNION ALL SELECT 'lot', opened_on FROM lots UNION ALL SELECT 'disposal', day FROM disposals`)
		expect(entries.filter((row) => String(row.day) < from || String(row.day) > day)).toEqual([])
		expect(entries.length).toBeGreaterThan(1000)
	})

	test('give DEMO01 the shares of its whole history', async () => {
		const rows = await ask(`SELECT instrument, sum(quantity)::float8 AS quantity FROM (${holding}) h WHERE client = 'DEMO01' GROUP BY 1`)
		const held = new Map(rows.map((row) => [row.instrument, row.quantity]))
		const wanted = [
			// 30 + 20, doubled by the bonus of 2025. 25, doubled by the bonus of 2025. 30, split 5 for 1 in 2026.
			[HDFCBANK, 100],
			[NESTLEIND, 50],
			[KOTAK_NEW, 150],
			// One TMCV for one TMPV in 2025. One ITC Hotels for ten of the 250 ITC that were left of 400 in January 2025.
			[TMPV, 200],
			[TMCV, 200],
			[ITC, 250],
			[ITCHOTELS, 25],
			[INFY, infosys],
			[GAIL, 150],
		] as const
		expect(wanted.map(([instrument]) => [instrument, held.get(instrument)])).toEqual(wanted)
	})

	test('give DEMO01 a holding of unknown cost, and the cost and day of shares older than the books', async () => {
		const unknown = await ask(`SELECT client, instrument, acquired_on, quantity FROM (${holding}) h WHERE is_unknown`)
		expect(unknown).toEqual([{ client: 'DEMO01', instrument: GAIL, acquired_on: '2020-03-16', quantity: 150 }])
		// 400 ITC of 2017 cost 1,04,940.00, so the 250 left cost 65,587.50. The demerger moved 13.51 % of it to ITC Hotels: 8,860.87.
		const old = await ask(
			`SELECT instrument, acquired_on, quantity, cost FROM (${holding}) h WHERE client = 'DEMO01' AND acquired_on < '2020' ORDER BY 1`,
		)
		expect(old).toEqual([
			{ instrument: ITC, acquired_on: '2017-06-12', quantity: 250, cost: 56_726_63 },
			{ instrument: ITCHOTELS, acquired_on: '2017-06-12', quantity: 25, cost: 8_860_87 },
		])
	})

	test('give DEMO01 five years, every segment, margin funding, pledges and IPO bids', async () => {
		const years = await ask(
			`SELECT DISTINCT date_part('year', day - interval '3 months')::int AS year FROM trades WHERE client = 'DEMO01' ORDER BY 1`,
		)
		const first = Number(from.slice(0, 4))
		expect(years.map(({ year }) => year)).toEqual([0, 1, 2, 3, 4].map((later) => first + later))
		const segments = await ask(`SELECT DISTINCT segment FROM trades WHERE client = 'DEMO01' ORDER BY 1`)
		expect(segments.map(({ segment }) => segment)).toEqual(['CD_NSE', 'MCX', 'NSE_CASH', 'NSE_FNO'])
		const pledged = await ask(`SELECT instrument, sum(quantity)::float8 AS quantity FROM pledge_movements
			WHERE client = 'DEMO01' AND kind = 'MARGIN' GROUP BY 1 ORDER BY 1`)
		expect(pledged).toEqual([
			{ instrument: HDFCBANK, quantity: 60 },
			{ instrument: ITC, quantity: 150 },
		])
		const [rest] = await ask(`SELECT (SELECT sum(amount) FROM fundings WHERE client = 'DEMO01') > 0 AS funded,
			(SELECT count(DISTINCT status)::int FROM ipo_applications WHERE client = 'DEMO01') AS bids,
			(SELECT count(*)::int FROM pledge_requests WHERE client = 'DEMO01' AND status = 'WAITING') AS waiting`)
		expect(rest).toMatchObject({ funded: true, waiting: 1 })
		expect(Number(rest?.bids)).toBeGreaterThan(1)
	})

	test('give the other clients what the login page says', async () => {
		const clients = await ask(`SELECT code, is_dormant, profile->'personal_details'->>'last_trade_date' AS last,
			profile->'dp_details'->>'company_code' AS books, jsonb_array_length(profile->'nominees') AS nominees,
			(SELECT coalesce(sum(amount), 0)::float8 FROM postings WHERE client = code AND account = 'CLIENT') AS ledger,
			(SELECT coalesce(sum(quantity), 0)::float8 FROM (${holding}) h WHERE client = code) AS held,
			(SELECT count(*)::int FROM postings WHERE client = code) AS entries,
			(SELECT string_agg(DISTINCT segment, ',') FROM trades WHERE client = code) AS traded FROM clients`)
		const client = (code: string) => clients.find((each) => each.code === code)
		expect(client('CASH01')).toMatchObject({ nominees: 0, traded: 'NSE_CASH' })
		expect(client('CASH01')?.books).not.toContain('MCX')
		expect(client('DEMO01')?.books).toContain('MCX')
		const dormant = client('DORM01')
		expect(dormant?.is_dormant).toBe(true)
		// An account is dormant after 24 months without a trade.
		expect(String(dormant?.last) >= from && String(dormant?.last) < addDays(day, -731)).toBe(true)
		expect(Number(client('DEBT01')?.ledger)).toBeLessThan(0)
		expect(client('CLOS01')?.ledger).toBe(0)
		expect(Number(client('CLOS01')?.held)).toBeGreaterThan(0)
		expect(client('NEW001')).toMatchObject({ last: null, held: 0, entries: 0, traded: null })
	})
})
