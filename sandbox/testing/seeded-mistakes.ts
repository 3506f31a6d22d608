import { sql } from 'drizzle-orm'

/** Queries for rows that seeded books must not have, on any day; each key names the mistake. */
export const SEEDED_MISTAKES = {
	'a voucher whose sides do not sum to zero': sql`SELECT voucher_id FROM postings GROUP BY 1 HAVING sum(amount) <> 0`,
	'a voucher without a posting': sql`SELECT id FROM vouchers v WHERE NOT EXISTS (SELECT 1 FROM postings p WHERE p.voucher_id = v.id)`,
	'a voucher of another day than its posting': sql`SELECT v.id FROM vouchers v JOIN postings p ON p.voucher_id = v.id WHERE v.day <> p.day`,
	'a note whose net is not its bill': sql`SELECT n.bill_no FROM notes n LEFT JOIN vouchers v ON v.bill_no = n.bill_no
		LEFT JOIN postings p ON p.voucher_id = v.id AND p.account = 'CLIENT'
		GROUP BY n.bill_no, n.net HAVING coalesce(sum(p.amount), 0) <> n.net`,
	'a holding that is not the units bought less the units sold, adjusted for corporate actions': sql`WITH left_over AS (
			SELECT l.id, l.client, l.instrument, l.quantity - coalesce(sum(d.quantity), 0) AS quantity, CASE l.side WHEN 'S' THEN -1 ELSE 1 END AS sign
			FROM lots l LEFT JOIN disposals d ON d.lot_id = l.id GROUP BY l.id),
		held AS (SELECT client, instrument, sum(quantity * sign) AS quantity FROM left_over GROUP BY 1, 2),
		traded AS (SELECT client, instrument, sum(CASE side WHEN 'B' THEN quantity ELSE -quantity END) AS quantity FROM trades GROUP BY 1, 2),
		adjusted AS (
			SELECT client, instrument, sum(quantity) AS quantity FROM (
				SELECT client, instrument, quantity FROM lots WHERE origin <> 'TRADE'
				UNION ALL SELECT d.client, l.instrument, CASE l.side WHEN 'S' THEN d.quantity ELSE -d.quantity END
					FROM disposals d JOIN lots l ON l.id = d.lot_id WHERE d.kind <> 'SALE') moves GROUP BY 1, 2)
		SELECT h.* FROM held h LEFT JOIN traded t USING (client, instrument) LEFT JOIN adjusted a USING (client, instrument)
		WHERE h.quantity <> coalesce(t.quantity, 0) + coalesce(a.quantity, 0)`,
	'a lot with more units sold than it has': sql`SELECT l.id FROM lots l JOIN disposals d ON d.lot_id = l.id
		GROUP BY l.id HAVING sum(d.quantity) > l.quantity`,
	'a closed lot whose sales do not sum to its cost and expenses': sql`SELECT l.id FROM lots l JOIN disposals d ON d.lot_id = l.id GROUP BY l.id
		HAVING sum(d.quantity) = l.quantity AND (sum(d.cost) <> l.cost OR sum(d.expenses) <> l.expenses)`,
	'a pledge of more units than are held': sql`WITH held AS (
			SELECT l.client, l.instrument, sum(l.quantity - coalesce((SELECT sum(d.quantity) FROM disposals d WHERE d.lot_id = l.id), 0)) AS quantity
			FROM lots l GROUP BY 1, 2)
		SELECT p.client, p.instrument FROM pledge_movements p LEFT JOIN held h USING (client, instrument)
		GROUP BY 1, 2, h.quantity HAVING sum(p.quantity) > coalesce(h.quantity, 0) OR sum(p.quantity) < 0`,
	'a payout of money that was paid in on the same day, which cannot be withdrawn before it settles': sql`WITH moved AS (
			SELECT p.client, p.cocd, p.day, sum(p.amount) AS amount, -coalesce(sum(p.amount) FILTER (WHERE v.type = 'PAYMENT'), 0) AS paid,
				coalesce(sum(p.amount) FILTER (WHERE v.type = 'RECEIPT' AND v.settles_on > v.day), 0) AS received
			FROM postings p JOIN vouchers v ON v.id = p.voucher_id WHERE p.account = 'CLIENT' AND NOT p.is_margin GROUP BY 1, 2, 3),
		stood AS (SELECT *, sum(amount) OVER (PARTITION BY client, cocd ORDER BY day) AS balance FROM moved)
		SELECT client, cocd, day, paid, received FROM stood WHERE paid > greatest(0, balance + paid - received)`,
} as const
