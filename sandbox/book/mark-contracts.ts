import { sql } from 'drizzle-orm'
import type { Day } from '~/lib/days'
import type { Paise } from '~/lib/money'
import type { Queries } from '#sandbox/db/open'
import { marks, notes } from '#sandbox/db/schema'
import { findMark } from '#sandbox/rules/mark-to-market'
import { valueOf } from '#sandbox/rules/rounding'
import type { Segment } from '#sandbox/rules/segments'
import { postMark } from './marks'
import { lockBook, recordVouchers } from './record'
import { readRows } from './rows'

type OpenFuture = {
	instrument: string
	segment: Segment
	multiplier: number
	side: 'L' | 'S'
	quantity: number
	cost: Paise
	/** The last mark that this lot has seen, in 1/10,000 rupee; null for one that was opened since. */
	marked: number | null
	close: number
}

/** What is open of futures that have not expired, lot by lot, with their last mark and the last close by the end of a day. */
async function readOpenFutures(tx: Queries, client: string, day: Day): Promise<OpenFuture[]> {
	return await readRows<OpenFuture>(
		{ db: tx },
		sql`SELECT l.instrument, i.segment, i.multiplier, l.side, (l.quantity - coalesce(g.quantity, 0))::float8 AS quantity,
			(l.cost - coalesce(g.cost, 0))::float8 AS cost, m.price::float8 AS marked,
			(SELECT close FROM prices p WHERE p.instrument = l.instrument AND p.day <= ${day} ORDER BY p.day DESC LIMIT 1)::float8 AS close
		FROM lots l JOIN instruments i ON i.id = l.instrument
		LEFT JOIN LATERAL (SELECT sum(d.quantity) AS quantity, sum(d.cost) AS cost FROM disposals d WHERE d.lot_id = l.id AND d.day <= ${day}) g ON true
		LEFT JOIN LATERAL (
			SELECT m.price FROM marks m WHERE m.client = l.client AND m.instrument = l.instrument AND m.day >= l.opened_on AND m.day < ${day}
			ORDER BY m.day DESC LIMIT 1
		) m ON true
		WHERE l.client = ${client} AND i.kind = 'FUTURE' AND l.opened_on <= ${day} AND i.expiry >= ${day} AND l.quantity > coalesce(g.quantity, 0)
		ORDER BY l.instrument, l.id`,
	)
}

/** How many bills a segment has on a day, so that the next goes on after them. */
async function countBills(tx: Queries, segment: Segment, day: Day): Promise<number> {
	const [row] = await readRows<{ bills: number }>(
		{ db: tx },
		sql`SELECT count(*)::float8 AS bills FROM notes WHERE segment = ${segment} AND day = ${day}`,
	)
	return row?.bills ?? 0
}

/** Marks a client's open futures to a day's close, by the same rule as the seed; a close that has not moved brings nothing. */
export async function markContracts(tx: Queries, client: string, day: Day): Promise<void> {
	const open = await readOpenFutures(tx, client, day)
	for (const instrument of new Set(open.map((lot) => lot.instrument))) {
		const own = open.filter((lot) => lot.instrument === instrument)
		const [first] = own
		if (first === undefined) continue
		const { segment, multiplier, close: price } = first
		const lots = own.map(({ side, quantity, cost, marked }) => {
			return { side, quantity, stood: marked === null ? cost : valueOf(quantity, marked, multiplier) }
		})
		const mark = findMark(lots, price, multiplier)
		if (mark.amount === 0) continue
		// Two clients' bills of one day must not get one number.
		await lockBook(tx)
		const bills = await countBills(tx, segment, day)
		const posted = await recordVouchers(tx, day, (journal) => {
			journal.running.set(`${segment} ${day}`, bills)
			return postMark(journal, { client, day, segment, instrument, price }, mark)
		})
		if (posted === undefined) continue
		await tx.insert(notes).values(posted.note)
		await tx.insert(marks).values(posted.mark)
	}
}
