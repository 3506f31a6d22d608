import { sql } from 'drizzle-orm'
import { type Day } from '#contract/values/dates'

/**
 * A lot that a split or a demerger made (`id`) and the lot that it came from, with the quantity that turned, the quantity that was bought,
 * and the part of the earlier money that moves along: all of it for a split, the moved part of the cost for a demerger.
 */
export const turnedLots = (client: string, to: Day) => sql`
	turned AS (
		SELECT s.id, l.id AS ancestor, s.instrument AS successor, l.instrument, d.day, d.quantity::numeric AS quantity, l.quantity::numeric AS bought,
			CASE WHEN d.kind = 'SPLIT' THEN 1 WHEN s.instrument = l.instrument THEN 1 - a.cost_moved_bps / 10000.0 ELSE a.cost_moved_bps / 10000.0 END AS part
		FROM lots s JOIN lots l ON l.id = s.from_lot JOIN disposals d ON d.lot_id = l.id AND d.day = s.opened_on AND d.kind IN ('SPLIT', 'DEMERGER')
		JOIN corporate_actions a ON a.instrument = l.instrument AND a.ex_day = d.day AND a.kind = d.kind
		WHERE s.client = ${client} AND s.opened_on <= ${to}
	)`
