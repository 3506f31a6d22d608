import { sql } from 'drizzle-orm'
import { type Queries } from '#sandbox/db/open'

/**
 * Gives a number to every contract note that has none: `CN2627NC0000001`, the financial year, the letters of exchange and segment, and a
 * running number over all clients without gaps (as Indian brokers number notes in a financial year). Older notes come first, and
 * existing numbers do not change. A mark to market is a bill, not a contract note, and gets no number. Call it only while holding the
 * lock of the book, so that one caller runs at a time.
 */
export async function numberContractNotes(queries: Queries): Promise<void> {
	await queries.execute(sql`
		WITH unnumbered AS (
			SELECT bill_no, day, 'CN' || to_char(day - interval '3 months', 'YY') || to_char(day + interval '9 months', 'YY') || left(bill_no, 2) AS series
			FROM notes n WHERE contract_no IS NULL AND NOT EXISTS (SELECT FROM marks m WHERE m.bill_no = n.bill_no)
		), last AS (
			SELECT series, coalesce((SELECT right(max(n.contract_no COLLATE "C"), 7)::int FROM notes n
				WHERE n.contract_no COLLATE "C" BETWEEN series || '0000000' AND series || '9999999'), 0) AS number
			FROM (SELECT DISTINCT series FROM unnumbered) s
		), numbered AS (
			SELECT bill_no, series, last.number + row_number() OVER (PARTITION BY series ORDER BY day, bill_no COLLATE "C") AS number
			FROM unnumbered JOIN last USING (series)
		)
		UPDATE notes SET contract_no = numbered.series || lpad(numbered.number::text, 7, '0') FROM numbered WHERE notes.bill_no = numbered.bill_no`)
}
