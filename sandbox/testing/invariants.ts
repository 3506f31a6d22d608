import { type SQL, sql } from 'drizzle-orm'
import { expect } from 'vitest'
import { EdisHoldings, PledgeData } from '#contract/depository'
import { LedgerReport, Withdrawable } from '#contract/ledger'
import { toIndianDay } from '#contract/values/dates'
import { readRows } from '#sandbox/book/rows'
import { type Books } from '#sandbox/db/open'
import { type Actor, type World } from './world'

type Row = Record<string, string | number | boolean | null>

/** Tables that only grow and have too many rows to copy back: instead, added rows are deleted. */
const GROWING = ['vouchers', 'postings', 'trades', 'lots', 'disposals', 'notes', 'note_charges', 'prices']

/** Stores the current state of the books. Returns a function that restores it, whatever was done since. */
export async function snapshotBooks(books: Books): Promise<() => Promise<void>> {
	const list = sql`SELECT tablename FROM pg_tables WHERE schemaname = 'public'`
	const tables = (await readRows<{ tablename: string }>(books, list)).map(({ tablename }) => tablename)
	await books.db.execute(sql`CREATE SCHEMA kept`)
	for (const table of tables) await books.db.execute(sql.raw(`CREATE TABLE kept."${table}" AS TABLE public."${table}"`))
	return async () => {
		for (const table of tables) {
			const key = table === 'prices' ? 'day' : 'id'
			if (!GROWING.includes(table)) {
				await books.db.execute(sql.raw(`TRUNCATE public."${table}"`))
				await books.db.execute(sql.raw(`INSERT INTO public."${table}" SELECT * FROM kept."${table}"`))
			} else if (table === 'notes' || table === 'note_charges')
				await books.db.execute(sql.raw(`DELETE FROM public."${table}" WHERE bill_no NOT IN (SELECT bill_no FROM kept.notes)`))
			else await books.db.execute(sql.raw(`DELETE FROM public."${table}" WHERE ${key} > (SELECT max(${key}) FROM kept."${table}")`))
		}
		// The lottery of an allotment depends on the application's number, so numbers start again too.
		await books.db.execute(sql`SELECT setval(pg_get_serial_sequence('ipo_applications', 'id'), 1000)`)
	}
}

/**
 * The entries that must be in the book since the snapshot, by client and kind, from the records of pay-ins, pay-outs, pledges, interest
 * and bids. They differ from BOOKED when something was posted twice, not at all, with another amount, for another client, or without a
 * reason.
 */
const EXPLAINED = sql`
	SELECT client, 'PAY-IN' AS kind, amount FROM payins WHERE status = 'SUCCESS'
	UNION ALL SELECT client, 'PAY-OUT', -paid FROM payouts WHERE status = 'SUCCESS'
	UNION ALL SELECT client, CASE action WHEN 'pledge' THEN 'PLEDGE' ELSE 'UNPLEDGE' END,
		-(SELECT sum(abs(p.amount)) FROM kept.postings p JOIN kept.vouchers v ON v.id = p.voucher_id
			WHERE p.account = 'CLIENT' AND v.id = (SELECT max(id) FROM kept.vouchers WHERE narration LIKE 'PLEDGE CHARGES %'))
		FROM pledge_requests r, jsonb_array_elements(r.lines) WHERE status = 'CONFIRMED' AND NOT EXISTS (SELECT FROM kept.pledge_requests k WHERE k.reference = r.reference AND k.status = 'CONFIRMED')
	UNION ALL SELECT m.client, 'MTF', p.amount FROM mtf_months m JOIN vouchers v ON v.voucher_no = m.voucher_no
		JOIN postings p ON p.voucher_id = v.id AND p.account = 'CLIENT' AND p.client = m.client WHERE v.id > (SELECT max(id) FROM kept.vouchers)
	UNION ALL SELECT client, 'MTF', amount FROM fundings WHERE id > (SELECT max(id) FROM kept.fundings)
	UNION ALL SELECT client, 'IPO', amount FROM ipo_applications a WHERE upi_flag = 100
		AND NOT EXISTS (SELECT FROM kept.ipo_applications k WHERE k.id = a.id AND k.upi_flag = 100)
	UNION ALL SELECT a.client, 'IPO', -a.amount FROM ipo_applications a JOIN ipo_issues i USING (symbol) JOIN kept.ipo_issues b USING (symbol)
		WHERE a.upi_flag = 100 AND i.stage IN ('SETTLED', 'LISTED') AND b.stage IN ('OPEN', 'CLOSED', 'ALLOTTED')`

/**
 * The entries in the book since the snapshot, by client and kind. Entries that the clock makes have no other record, so they are left
 * out; the queries below check how often they occur.
 */
const BOOKED = sql`
	SELECT p.client, split_part(v.narration, ' ', 1) AS kind, p.amount FROM postings p JOIN vouchers v ON v.id = p.voucher_id
	WHERE v.id > (SELECT max(id) FROM kept.vouchers) AND p.account IN ('CLIENT', 'ASBA')
		AND v.narration !~ '^(DP CHARGES|DP AMC|DELAYED PAYMENT|MARGIN BLOCKED|MARGIN RELEASED|BILL|MTM|PAY-OUT QUARTERLY|PAY-OUT MONTHLY) '`

const byClient = (rows: SQL) =>
	sql`SELECT client, kind, sum(amount)::float8 AS paise FROM (${rows}) rows GROUP BY 1, 2 HAVING sum(amount) <> 0 ORDER BY 1, 2`

/** Queries for rows that must not exist; each key names the mistake. */
const WRONG: Record<string, SQL> = {
	'a voucher whose sides do not sum to zero': sql`SELECT voucher_id::text FROM postings WHERE id > (SELECT max(id) FROM kept.postings)
		GROUP BY 1 HAVING sum(amount) <> 0`,
	'a posting without its voucher': sql`SELECT id::text FROM postings p WHERE id > (SELECT max(id) FROM kept.postings)
		AND NOT EXISTS (SELECT FROM vouchers v WHERE v.id = p.voucher_id AND v.day = p.day)`,
	'a voucher of two requests': sql`SELECT voucher_no FROM (SELECT voucher_no FROM payins UNION ALL SELECT voucher_no FROM payouts UNION ALL
		SELECT nullif(voucher_no, '') FROM mtf_months) v WHERE voucher_no IS NOT NULL GROUP BY 1 HAVING count(*) > 1`,
	'two months’ interest of one month': sql`SELECT p.client FROM postings p JOIN vouchers v ON v.id = p.voucher_id
		WHERE p.account = 'CLIENT' AND v.day >= '2026-09-01' AND v.narration LIKE 'MTF INTEREST %' GROUP BY p.client, v.narration HAVING count(*) > 1`,
	'two things of one key': sql`
		SELECT idempotency_key FROM payins WHERE idempotency_key IS NOT NULL GROUP BY client, idempotency_key HAVING count(*) > 1
		UNION ALL SELECT idempotency_key FROM payouts WHERE idempotency_key IS NOT NULL GROUP BY client, idempotency_key HAVING count(DISTINCT request_id) > 1
		UNION ALL SELECT idempotency_key FROM mandates WHERE idempotency_key IS NOT NULL GROUP BY client, idempotency_key HAVING count(*) > 1
		UNION ALL SELECT idempotency_key FROM pledge_requests WHERE idempotency_key IS NOT NULL GROUP BY client, idempotency_key HAVING count(*) > 1
		UNION ALL SELECT request_key FROM ipo_applications WHERE request_key IS NOT NULL GROUP BY client, request_key HAVING count(*) > 1`,
	'a charge of the clock twice': sql`
		SELECT v.narration FROM vouchers v JOIN postings p ON p.voucher_id = v.id AND p.account = 'CLIENT'
			WHERE v.id > (SELECT max(id) FROM kept.vouchers) AND v.narration ~ '^(DP AMC|DELAYED PAYMENT) '
			GROUP BY p.client, p.cocd, v.day, v.narration HAVING count(*) > 1
		UNION ALL SELECT v.narration FROM vouchers v JOIN postings p ON p.voucher_id = v.id AND p.account = 'CLIENT'
			WHERE v.id > (SELECT max(id) FROM kept.vouchers) AND v.narration LIKE 'DP CHARGES %'
			GROUP BY p.client, v.day, v.narration
			HAVING count(*) > (SELECT count(DISTINCT n.day) FROM notes n JOIN trades t USING (bill_no) JOIN instruments i ON i.id = t.instrument
				WHERE n.client = p.client AND n.settles_on = v.day AND t.side = 'S' AND v.narration = 'DP CHARGES ' || i.symbol || ' SALE')`,
	'a running account settled twice on a day': sql`SELECT p.client FROM postings p JOIN vouchers v ON v.id = p.voucher_id AND p.account = 'CLIENT'
		WHERE v.id > (SELECT max(id) FROM kept.vouchers) AND v.narration ~ '^PAY-OUT (QUARTERLY|MONTHLY) ' GROUP BY p.client, p.cocd, v.day HAVING count(*) > 1`,
	'two open pay-outs of a ledger': sql`SELECT client FROM payouts WHERE status = 'PENDING' GROUP BY client, cocd HAVING count(*) > 1`,
	'money blocked for no open application, or not blocked for one': sql`
		SELECT client FROM (SELECT client, amount FROM postings WHERE account = 'ASBA'
			UNION ALL SELECT a.client, -a.amount FROM ipo_applications a JOIN ipo_issues i USING (symbol)
				WHERE a.upi_flag = 100 AND i.stage IN ('OPEN', 'CLOSED', 'ALLOTTED')) blocked
		GROUP BY 1 HAVING sum(amount) <> 0`,
	'a security pledged beyond what is held, or released beyond what was pledged': sql`
		SELECT p.client || ' ' || p.instrument FROM (SELECT client, instrument, sum(quantity) AS pledged, min(total) AS least FROM (
			SELECT *, sum(quantity) OVER (PARTITION BY client, instrument, kind ORDER BY id) AS total FROM pledge_movements) m GROUP BY 1, 2) p
		WHERE p.least < 0 OR p.pledged > (SELECT coalesce(sum(l.quantity - coalesce((SELECT sum(d.quantity) FROM disposals d WHERE d.lot_id = l.id), 0)), 0)
			FROM lots l WHERE l.client = p.client AND l.instrument = p.instrument AND l.side = 'L')`,
	'shares of an issue that nobody was allotted, or allotted and not given': sql`
		SELECT client FROM (SELECT client, quantity FROM lots l WHERE origin = 'IPO' AND id > (SELECT max(id) FROM kept.lots)
			UNION ALL SELECT a.client, -coalesce(b.allotted_quantity, 0) FROM ipo_bids b JOIN ipo_applications a USING (application_no)
				JOIN ipo_issues i USING (symbol) JOIN kept.ipo_issues k USING (symbol)
				WHERE i.stage IN ('SETTLED', 'LISTED') AND k.stage NOT IN ('SETTLED', 'LISTED')) s
		GROUP BY 1 HAVING sum(quantity) <> 0`,
}

/** Fails when the book has a mistake, or an entry since the snapshot without exactly one reason. */
export async function checkBook(books: Books): Promise<void> {
	for (const [what, query] of Object.entries(WRONG)) expect(await readRows<Row>(books, query), what).toEqual([])
	const [explained, booked] = [await readRows<Row>(books, byClient(EXPLAINED)), await readRows<Row>(books, byClient(BOOKED))]
	expect(booked, 'what is booked has its reason').toEqual(explained)
}

/** The kinds of actions since the snapshot. */
export async function listDone(books: Books): Promise<string[]> {
	const rows = await readRows<{ kind: string }>(
		books,
		sql`SELECT DISTINCT split_part(narration, ' ', 1) || ' ' || split_part(narration, ' ', 2) AS kind FROM vouchers WHERE id > (SELECT max(id) FROM kept.vouchers)
		UNION SELECT 'a verification' FROM edis_authorisations a WHERE NOT EXISTS (SELECT FROM kept.edis_authorisations k WHERE k.id = a.id)
		UNION SELECT 'a mandate' FROM mandates m WHERE status = 'ACTIVE' AND NOT EXISTS (SELECT FROM kept.mandates k WHERE k.reference = m.reference)
		UNION SELECT 'an activation' FROM mtf_accounts m WHERE NOT EXISTS (SELECT FROM kept.mtf_accounts k WHERE k.client = m.client)`,
	)
	return rows.map(({ kind }) => kind)
}

/**
 * Checks a client's figures of money and securities: nothing is negative, nothing is given twice, and every running balance is the sum
 * so far.
 */
export async function checkTold({ read, clock }: World, who: Actor): Promise<void> {
	// Several calls at once, as a page makes them: what is due is done only once.
	const ask = () => read(who, '/v2/fund/withdrawable-amount?company_code=NSE_CASH', Withdrawable)
	const [money] = await Promise.all([ask(), ask(), ask()])
	const { ledger, unsettled, margin_used, interest_accrued = 0, payouts_under_way = 0 } = money
	const left = ledger - unsettled - margin_used - interest_accrued - payouts_under_way
	expect(money.balance, `${who} can withdraw`).toBe(Math.max(0, left))
	expect(money.balance).toBeLessThanOrEqual(Math.max(0, money.ledger))
	const held = new Map((await read(who, '/edis/edis/v1/edis-holding-data?source=connect', EdisHoldings)).map((row) => [row.isin, row]))
	for (const { isin, qty, free_qty, verified_qty } of held.values()) {
		expect([isin, free_qty >= 0, verified_qty >= 0, free_qty + verified_qty <= qty]).toEqual([isin, true, true, true])
	}
	for (const { ISIN, QTY, FREE_QTY, PLEDGED_QTY } of (await read(who, '/v1/margin_epledge_data?source=connect', PledgeData)).filtered_df) {
		const { qty = 0, verified_qty = 0 } = held.get(ISIN) ?? {}
		expect([ISIN, FREE_QTY >= 0, PLEDGED_QTY >= 0, FREE_QTY + PLEDGED_QTY]).toEqual([ISIN, true, true, QTY])
		expect([ISIN, PLEDGED_QTY + verified_qty <= qty]).toEqual([ISIN, true])
	}
	const to = toIndianDay(clock.now())
	const address = `/v2/service/reports/ledger?from_date=2026-11-01&to_date=${to}&cocd=NSE_CASH&source=connect`
	const { filtered_df: rows } = await read(who, address, LedgerReport)
	let balance: number | undefined
	for (const { DR_AMT, CR_AMT, BALANCE, VOUCHER_NO } of rows) {
		if (balance !== undefined) expect([VOUCHER_NO, BALANCE]).toEqual([VOUCHER_NO, balance + CR_AMT - DR_AMT])
		balance = BALANCE
	}
	expect(balance ?? 0, `${who}: the last running balance is the ledger’s`).toBe(money.ledger)
}

/** A line for each other client with a summary of all its data. It must be the same before and after a step of `who`. */
export async function readOthers(books: Books, who: Actor): Promise<Row[]> {
	return await readRows<Row>(
		books,
		sql`SELECT c.code, (SELECT count(*)::text || ' ' || coalesce(sum(amount), 0)::text || ' ' || coalesce(max(id), 0)::text FROM postings WHERE client = c.code) AS money,
			(SELECT count(*)::text || ' ' || coalesce(sum(quantity), 0)::text FROM pledge_movements WHERE client = c.code) AS pledged,
			(SELECT count(*)::text FROM payouts WHERE client = c.code AND status = 'PENDING') AS asked, md5(c.profile::text) AS profile
		FROM clients c WHERE c.code <> ${who} ORDER BY 1`,
	)
}
