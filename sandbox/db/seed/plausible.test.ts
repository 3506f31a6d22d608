import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { openBook } from '#sandbox/book/book'
import { readNoteTrades } from '#sandbox/book/read-trades'
import { type Books } from '#sandbox/db/open'
import { nameOn } from '#sandbox/reference-data/former-names'
import { openTestBooks } from '#sandbox/testing/sandbox'
import { makeMarket } from './market'
import { closeExpiring, createContractOrder } from './open-contracts'
import { closeDay, openSimulator } from './trading-simulator'

/* Checks for mistakes that somebody who knows the trade would notice in the history. */

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())

type Row = Record<string, string | number | null>
const ask = async (query: string): Promise<Row[]> => (await books.db.execute<Row>(sql.raw(query))).rows

test('executes orders throughout the session, each segment in its own hours', async () => {
	// Shares from 3-Aug-2026 end at 15:15, before the closing auction; commodity ends at 23:30. Diwali's hour has a separate test.
	const outside =
		await ask(`SELECT id FROM trades WHERE order_no <> '' AND day NOT IN ('2022-10-24', '2023-11-12', '2024-11-01', '2025-10-21', '2026-11-08')
		AND NOT time BETWEEN CASE WHEN segment IN ('MCX', 'CD_NSE') THEN '09:00:00' ELSE '09:15:00' END
		AND CASE segment WHEN 'MCX' THEN '23:29:59' WHEN 'CD_NSE' THEN '16:59:59' WHEN 'NSE_CASH' THEN
			CASE WHEN day < '2026-08-03' THEN '15:29:59' ELSE '15:14:59' END ELSE '15:29:59' END`)
	expect(outside).toEqual([])
	const [share] =
		await ask(`SELECT count(*)::int AS all, count(DISTINCT time)::int AS times, count(*) FILTER (WHERE time < '11:00:00')::int AS early,
		count(*) FILTER (WHERE time >= '14:00:00')::int AS late FROM trades WHERE segment = 'NSE_CASH'`)
	// Of 6 h 15 min, 1 h 45 min are before 11:00 (28 %) and 1 h 30 min from 14:00 on (24 %).
	const all = Number(share?.all)
	expect(Number(share?.times)).toBeGreaterThan(0.9 * all)
	for (const part of [share?.early, share?.late]) expect(Math.abs(Number(part) / all - 0.26)).toBeLessThan(0.08)
	const [evening] = await ask(`SELECT count(*)::int AS n FROM trades WHERE segment = 'MCX' AND time >= '17:00:00'`)
	expect(Number(evening?.n)).toBeGreaterThan(0)
	// Currency and commodity are closed on weekends, except on the Sundays of Muhurat.
	expect(
		await ask(
			`SELECT id FROM trades WHERE segment IN ('CD_NSE', 'MCX') AND extract(isodow FROM day) > 5 AND day NOT IN ('2023-11-12', '2026-11-08')`,
		),
	).toEqual([])
	expect(
		await ask(`SELECT m.day::text FROM marks m JOIN instruments i ON i.id = m.instrument WHERE i.segment IN ('CD_NSE', 'MCX')
		AND extract(isodow FROM m.day) > 5 AND m.day NOT IN ('2023-11-12', '2026-11-08')`),
	).toEqual([])
	// A note lists its trades in order of time.
	expect(await ask(`SELECT t.id FROM trades t JOIN trades n ON n.id = t.id + 1 AND n.bill_no = t.bill_no WHERE n.time < t.time`)).toEqual(
		[],
	)
})

test('gives an exercise or an assignment by the exchange no order or trade number', async () => {
	const wrong = await ask(`SELECT t.id FROM trades t JOIN instruments i ON i.id = t.instrument
		WHERE (t.order_no = '') <> (t.trade_no = '') OR (t.order_no = '' AND (t.day <> i.expiry OR i.expiry IS NULL))`)
	expect(wrong).toEqual([])
	// A call written 1,200 points in the money on Monday 27-May-2024 is assigned on Thursday: no order, no brokerage, after the session.
	const market = makeMarket('test', '2022-04-01', '2026-11-21')
	const simulator = openSimulator({ code: 'DEMO01', isWoman: false, isIntraState: true }, openBook(), market, 'test')
	const { lot, ...call } = createContractOrder(simulator, 'NIFTY', '2024-05-27', 1, { type: 'CE', out: -12 })
	simulator.wishes.push({ ...call, side: 'S', quantity: lot })
	closeDay(simulator, '2024-05-27')
	expect(closeExpiring(simulator, '2024-05-30')).toEqual([])
	closeDay(simulator, '2024-05-30')
	const lines = simulator.book.trades.map(({ side, quantity, order_no, trade_no, brokerage }) => [
		side,
		quantity,
		order_no,
		trade_no,
		brokerage,
	])
	expect(lines).toEqual([
		['S', 25, expect.stringMatching(/^1240527\d{9}$/), expect.stringMatching(/^2\d{7}$/), 20_00],
		['B', 25, '', '', 0],
	])
	expect(simulator.book.trades[1]?.time).toBe('15:30:00')
})

test('numbers orders and trades in the order of their times, over all clients of a day', async () => {
	const wrong =
		await ask(`SELECT a.id FROM trades a JOIN trades b ON b.day = a.day AND b.segment = a.segment AND b.order_no <> '' AND a.order_no <> '' AND a.id <> b.id
		WHERE a.order_no = b.order_no OR a.trade_no = b.trade_no OR (a.time < b.time) <> (a.order_no < b.order_no) AND a.time <> b.time
			OR (a.time < b.time) <> (a.trade_no < b.trade_no) AND a.time <> b.time`)
	expect(wrong).toEqual([])
	const odd = await ask(
		`SELECT id FROM trades WHERE order_no <> '' AND (order_no !~ ('^1' || to_char(day, 'YYMMDD') || '[0-9]{9}$') OR trade_no !~ '^[0-9]{8}$')`,
	)
	expect(odd).toEqual([])
	// A client's trades are not the exchange's only ones, so two trades in a row have numbers that are far apart.
	const [near] = await ask(
		`SELECT count(*)::int AS n FROM trades a JOIN trades b ON b.id = a.id + 1 AND b.day > a.day AND nullif(b.trade_no, '')::int - nullif(a.trade_no, '')::int = 1`,
	)
	expect(near?.n).toBe(0)
})

test('settles shares on T+2 before 27-Jan-2023, with the pay-out and the depository charge', async () => {
	// The scripted purchase of Wednesday 15-Jun-2022 has pay-in on Friday the 17th, so its settlement number has the letter of T+2.
	const [first] = await ask(
		`SELECT settles_on::text AS settles_on, settlement_no FROM notes WHERE client = 'DEMO01' AND segment = 'NSE_CASH' AND day = '2022-06-15'`,
	)
	expect(first).toMatchObject({ settles_on: '2022-06-17', settlement_no: expect.stringMatching(/^N2022\d{3}$/) as string })
	// A sale's credit settles on the day on the bill: voucher and note agree. T+2 settles at least two days later.
	const wrong = await ask(`SELECT n.bill_no FROM notes n JOIN vouchers v USING (bill_no) WHERE v.settles_on <> n.settles_on
		OR (n.segment = 'NSE_CASH' AND (n.day < '2023-01-27') <> (n.settlement_no LIKE 'N%'))
		OR (n.segment = 'NSE_CASH' AND n.day < '2023-01-27' AND n.settles_on - n.day < 2)`)
	expect(wrong).toEqual([])
	const [later] = await ask(`SELECT count(*)::int AS n FROM notes WHERE day >= '2023-01-27' AND settles_on - day = 1`)
	expect(Number(later?.n)).toBeGreaterThan(100)
})

test('uses the name that a company had on the day of the contract note', async () => {
	// The scripted purchases: Tata Motors of 18-Jan-2023, which became Tata Motors Passenger Vehicles on 14-Oct-2025; Kotak of
	// 14-Jun-2023, split on 14-Jan-2026; Infosys of 15-Jun-2022, which has kept its name.
	const names = async (day: string, instrument: string) => {
		const [trade] = await ask(`SELECT bill_no FROM trades WHERE client = 'DEMO01' AND day = '${day}' AND instrument = '${instrument}'`)
		return (await readNoteTrades(books, String(trade?.bill_no))).filter((line) => line.instrument === instrument).map(({ name }) => name)
	}
	expect(await names('2023-01-18', 'INE155A01022')).toEqual(['Tata Motors Ltd.'])
	expect(await names('2023-06-14', 'INE237A01028')).toEqual(['Kotak Mahindra Bank Ltd.'])
	expect(await names('2022-06-15', 'INE009A01021')).toEqual(['Infosys Ltd.'])
	expect(nameOn('INE758T01015', '2025-03-19', 'Eternal Ltd.')).toBe('Zomato Ltd.')
	expect(nameOn('INE758T01015', '2025-03-20', 'Eternal Ltd.')).toBe('Eternal Ltd.')
})

test('numbers payments as banks do, and keeps the UPI limit of the day', async () => {
	const odd = await ask(`SELECT narration FROM vouchers WHERE type IN ('RECEIPT', 'PAYMENT') AND narration !~
		'^PAY-(IN UPI UTR [0-9]{12}|(IN NETBANKING|OUT [A-Z ]+) UTR [A-Z]{4}N[0-9]{11})$'`)
	expect(odd).toEqual([])
	// The numbers contain the year and the day of the year: a UPI number the last digit of the year, then the day; a transfer both
	// digits of the year.
	const misdated = await ask(`SELECT narration FROM vouchers WHERE type IN ('RECEIPT', 'PAYMENT') AND NOT
		CASE WHEN narration LIKE '% UPI %' THEN substring(narration from '[0-9]{12}$') LIKE substr(to_char(day, 'YYDDD'), 2) || '%'
			ELSE substring(narration from '[0-9]{11}$') LIKE to_char(day, 'YYDDD') || '%' END`)
	expect(misdated).toEqual([])
	const over = await ask(`SELECT p.client, v.day FROM vouchers v JOIN postings p ON p.voucher_id = v.id AND p.account = 'CLIENT'
		WHERE v.narration LIKE 'PAY-IN UPI %' GROUP BY 1, 2
		HAVING sum(p.amount) > CASE WHEN v.day < '2025-09-15' THEN 20000000 ELSE 50000000 END`)
	expect(over).toEqual([])
	// The first three lakh of 2022 exceed the UPI limit, so they came by net banking from the client's bank of that time.
	const [first] = await ask(`SELECT v.narration FROM vouchers v JOIN postings p ON p.voucher_id = v.id AND p.account = 'CLIENT'
		WHERE p.client = 'DEMO01' AND p.amount = 30000000 AND v.type = 'RECEIPT' ORDER BY v.id LIMIT 1`)
	// 1-Apr-2022 is day 91: 31 + 28 + 31 + 1.
	expect(first?.narration).toMatch(/^PAY-IN NETBANKING UTR ICICN22091/)
})
