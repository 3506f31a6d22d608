import { type SQL, sql } from 'drizzle-orm'
import { type LedgerCocd } from '#contract/common'
import { type VoucherType } from '#contract/ledger'
import { addDays, type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { type Books } from '#sandbox/db/open'
import { type Readable, readRows } from './rows'

/** Which entries of a client's ledgers to read. Both days are included. */
export type LedgerPeriod = { client: string; ledgers: LedgerCocd[]; from: Day; to: Day; withMargin: boolean }

export type LedgerSums = {
	cocd: LedgerCocd
	/** True with any posting on or before the last day. A ledger without one has no opening row. */
	hasHistory: boolean
	opening: Paise
	debit: Paise
	credit: Paise
	entries: number
	/** The newest posting that was read. A later read of the rows stops at it, so both see the same entries. */
	lastId: number
}

export type LedgerEntry = {
	VOUCHER_DATE: Day
	VOUCHER_NO: string
	VOUCHER_TYPE: VoucherType
	COCD: LedgerCocd
	SETL_NO: string | null
	NARRATION: string
	BILL_NO: string | null
	amount: Paise
	balance: Paise
}

const own = (client: string, cocd: LedgerCocd, withMargin: boolean) => sql`
	p.account = 'CLIENT' AND p.client = ${client} AND p.cocd = ${cocd} ${withMargin ? sql`` : sql`AND NOT p.is_margin`}`

/** The order within one day: bills, journals, receipts, payments; then by voucher number. */
const bookOrder = sql`p.day, CASE v.type WHEN 'BILL' THEN 1 WHEN 'JOURNAL' THEN 2 WHEN 'RECEIPT' THEN 3 ELSE 4 END, v.voucher_no COLLATE "C", p.id`

/** Opening balance and sums of debits and credits for each ledger, in paise. */
export async function readLedgerSums(books: Books, { client, ledgers, from, to, withMargin }: LedgerPeriod): Promise<LedgerSums[]> {
	return await Promise.all(
		ledgers.map(async (cocd) => {
			const [sums] = await readRows<{ opening: number; debit: number; credit: number; entries: number; seen: number; last_id: number }>(
				books,
				sql`SELECT
					coalesce(sum(p.amount) FILTER (WHERE p.day < ${from}), 0)::float8 AS opening,
					coalesce(-sum(p.amount) FILTER (WHERE p.day >= ${from} AND p.amount < 0), 0)::float8 AS debit,
					coalesce(sum(p.amount) FILTER (WHERE p.day >= ${from} AND p.amount > 0), 0)::float8 AS credit,
					(count(*) FILTER (WHERE p.day >= ${from}))::float8 AS entries, count(*)::float8 AS seen, coalesce(max(p.id), 0)::float8 AS last_id
				FROM postings p WHERE ${own(client, cocd, withMargin)} AND p.day <= ${to}`,
			)
			if (sums === undefined) throw new Error('A sum answers one row')
			const { opening, debit, credit, entries } = sums
			return { cocd, hasHistory: sums.seen > 0, opening, debit, credit, entries, lastId: sums.last_id }
		}),
	)
}

/** The balance of one ledger at the end of a day, in paise, credit positive. Margin postings are left out. */
export async function readLedgerBalance(books: Readable, client: string, cocd: LedgerCocd, day: Day): Promise<Paise> {
	const [balance] = await readRows<{ amount: number }>(
		books,
		sql`SELECT coalesce(sum(p.amount), 0)::float8 AS amount FROM postings p WHERE ${own(client, cocd, false)} AND p.day <= ${day}`,
	)
	return balance?.amount ?? 0
}

/** Paise as exact rupees for the API: `-1234.50`. */
const rupees = (paise: SQL) =>
	sql`CASE WHEN ${paise} < 0 THEN '-' ELSE '' END || abs(${paise}) / 100 || '.' || lpad((abs(${paise}) % 100)::text, 2, '0')`
const textOrNull = (column: SQL) => sql`coalesce(to_json(${column})::text, 'null')`

const ROWS_A_CHUNK = 2000

/**
 * The entries of one ledger as the API's JSON, in comma-joined chunks. PostgreSQL writes the text: parsing 100,000 rows into objects and
 * writing them again costs several times as much as everything else.
 */
export async function readLedgerJson(books: Books, period: LedgerPeriod, sums: LedgerSums, start: Paise): Promise<string[]> {
	const { client, from, to, withMargin } = period
	const row = sql`'{"VOUCHER_DATE":"' || day || '","VOUCHER_NO":' || to_json(voucher_no)::text || ',"VOUCHER_TYPE":"' || type
		|| '","COCD":"' || ${sums.cocd}::text || '","SETL_NO":' || ${textOrNull(sql`settlement_no`)} || ',"NARRATION":' || to_json(narration)::text
		|| ',"DR_AMT":' || CASE WHEN amount < 0 THEN ${rupees(sql`(-amount)`)} ELSE '0' END
		|| ',"CR_AMT":' || CASE WHEN amount > 0 THEN ${rupees(sql`amount`)} ELSE '0' END
		|| ',"BALANCE":' || ${rupees(sql`balance`)} || ',"BILL_NO":' || ${textOrNull(sql`bill_no`)} || '}'`
	const chunks = await readRows<{ rows: string }>(
		books,
		sql`SELECT string_agg(${row}, ',' ORDER BY n) AS rows FROM (
			SELECT p.day, v.voucher_no, v.type, v.settlement_no, v.narration, v.bill_no, p.amount, row_number() OVER ledger AS n,
				(${start}::float8 + sum(p.amount::float8) OVER ledger)::bigint AS balance
			FROM postings p JOIN vouchers v ON v.id = p.voucher_id
			WHERE ${own(client, sums.cocd, withMargin)} AND p.day BETWEEN ${from} AND ${to} AND p.id <= ${sums.lastId}
			WINDOW ledger AS (ORDER BY ${bookOrder} ROWS UNBOUNDED PRECEDING)
		) entries GROUP BY (n - 1) / ${sql.raw(String(ROWS_A_CHUNK))} ORDER BY (n - 1) / ${sql.raw(String(ROWS_A_CHUNK))}`,
	)
	return chunks.map((chunk) => chunk.rows)
}

/**
 * The entries of all given ledgers as one statement for a file, by date; within a day one ledger after the other. The running balance
 * covers all ledgers and starts at the sum of their openings. It is read month by month, so that a long ledger is never completely in
 * memory.
 */
export async function* readLedgerEntries(
	books: Books,
	period: LedgerPeriod,
	ledgers: readonly LedgerSums[],
): AsyncGenerator<LedgerEntry[]> {
	let balance = ledgers.reduce((sum, { opening }) => sum + opening, 0)
	for (const month of monthsBetween(period.from, period.to)) {
		const read = await Promise.all(ledgers.map((sums) => readMonth(books, period, sums, month)))
		// Array.sort is stable: within a day each ledger keeps its order.
		const entries = read.flat().sort((a, b) => (a.VOUCHER_DATE < b.VOUCHER_DATE ? -1 : a.VOUCHER_DATE > b.VOUCHER_DATE ? 1 : 0))
		if (entries.length > 0) yield entries.map((entry) => ({ ...entry, balance: (balance += entry.amount) }))
	}
}

async function readMonth(books: Books, { client, withMargin }: LedgerPeriod, { cocd, lastId }: LedgerSums, [from, to]: [Day, Day]) {
	const entries = await readRows<Omit<LedgerEntry, 'COCD' | 'balance'>>(
		books,
		sql`SELECT p.day::text AS "VOUCHER_DATE", v.voucher_no AS "VOUCHER_NO", v.type AS "VOUCHER_TYPE", v.settlement_no AS "SETL_NO",
			v.narration AS "NARRATION", v.bill_no AS "BILL_NO", p.amount::float8 AS amount
		FROM postings p JOIN vouchers v ON v.id = p.voucher_id
		WHERE ${own(client, cocd, withMargin)} AND p.day BETWEEN ${from} AND ${to} AND p.id <= ${lastId}
		ORDER BY ${bookOrder}`,
	)
	return entries.map((entry) => ({ ...entry, COCD: cocd }))
}

function* monthsBetween(from: Day, to: Day): Generator<[Day, Day]> {
	for (let start = from; start <= to;) {
		const nextMonth = `${addDays(`${start.slice(0, 7)}-28`, 4).slice(0, 7)}-01`
		const end = addDays(nextMonth, -1)
		yield [start, end < to ? end : to]
		start = nextMonth
	}
}
