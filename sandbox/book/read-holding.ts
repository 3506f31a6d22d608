import { sql } from 'drizzle-orm'
import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { type Readable, readRows } from './rows'

/** A client's position in one instrument at the end of one day. */
export type Position = {
	day: Day
	instrument: string
	symbol: string
	sector: string
	/** Securities are in the demat account; contracts are open positions, and not part of the holding. */
	isSecurity: boolean
	quantity: number
	/** Market value at the day's close, or the last one before it; a short position's is negative. */
	value: Paise
	/** The value at the previous close, restated on the day of a bonus, a split or a demerger. */
	valueBefore: Paise
	/** The part of the value with a known cost, and that cost; a short position's are negative. */
	knownValue: Paise
	cost: Paise
}

/**
 * Positions at the end of each given day (oldest first): lots opened by then less disposals by then, at the close of then. All days are
 * computed in one pass, so twelve month ends cost as much as one: each movement counts before the first day that includes it, and the
 * movements are summed forwards.
 */
export async function readPositions(books: Readable, client: string, days: Day[]): Promise<Position[]> {
	const last = days.at(-1)
	if (last === undefined) return []
	const seenDays = sql`ARRAY[${sql.join(
		days.map((day) => sql`${day}::date`),
		sql`, `,
	)}]`
	return await readRows<Position>(
		books,
		sql`WITH seen AS (SELECT day, place - 1 AS place FROM unnest(${seenDays}) WITH ORDINALITY AS given(day, place)),
		movements AS (
			SELECT instrument, side, opened_on AS day, quantity, CASE WHEN cost IS NULL THEN 0 ELSE quantity END AS known, coalesce(cost, 0) AS cost
			FROM lots WHERE client = ${client} AND opened_on <= ${last}
			UNION ALL
			SELECT l.instrument, l.side, d.day, -d.quantity, CASE WHEN d.cost IS NULL THEN 0 ELSE -d.quantity END, -coalesce(d.cost, 0)
			FROM disposals d JOIN lots l ON l.id = d.lot_id WHERE d.client = ${client} AND d.day <= ${last}
		),
		steps AS (
			SELECT instrument, width_bucket(day - 1, ${seenDays}) AS place, sum(CASE side WHEN 'S' THEN -quantity ELSE quantity END)::float8 AS quantity,
				sum(CASE side WHEN 'S' THEN -known ELSE known END)::float8 AS known, sum(CASE side WHEN 'S' THEN -cost ELSE cost END)::float8 AS cost
			FROM movements GROUP BY 1, 2
		),
		held AS (
			SELECT seen.day, m.instrument, sum(m.quantity) AS quantity, sum(m.known) AS known, sum(m.cost) AS cost
			FROM seen JOIN steps m ON m.place <= seen.place GROUP BY seen.day, m.instrument HAVING sum(m.quantity) <> 0
		)
		SELECT h.day::text AS day, h.instrument, i.symbol, i.sector, i.kind NOT IN ('FUTURE', 'OPTION') AS "isSecurity", h.quantity,
			round((h.quantity * i.multiplier * coalesce(now.close, 0))::numeric / 100)::float8 AS value,
			round((h.quantity * i.multiplier * coalesce(restated.close, before.close, now.close, 0))::numeric / 100)::float8 AS "valueBefore",
			round((h.known * i.multiplier * coalesce(now.close, 0))::numeric / 100)::float8 AS "knownValue", h.cost
		FROM held h JOIN instruments i ON i.id = h.instrument
		LEFT JOIN LATERAL (SELECT p.day, p.close FROM prices p WHERE p.instrument = h.instrument AND p.day <= h.day ORDER BY p.day DESC LIMIT 1) now ON true
		LEFT JOIN LATERAL (SELECT p.close FROM prices p WHERE p.instrument = h.instrument AND p.day < now.day ORDER BY p.day DESC LIMIT 1) before ON true
		LEFT JOIN LATERAL (
			-- On the day of a corporate action the same holding is more shares, or shares of two companies: the close before is restated.
			SELECT CASE a.kind
				WHEN 'BONUS' THEN before.close * a.denominator::numeric / (a.numerator + a.denominator)
				WHEN 'DEMERGER' THEN before.close - other.close * a.numerator::numeric / a.denominator
				ELSE other.close * a.denominator::numeric / a.numerator END AS close
			FROM corporate_actions a
			LEFT JOIN LATERAL (
				SELECT p.close FROM prices p
				WHERE a.kind = 'DEMERGER' AND p.instrument = a.into_instrument AND p.day = now.day
					OR a.kind = 'SPLIT' AND p.instrument = a.instrument AND p.day < now.day
				ORDER BY p.day DESC LIMIT 1
			) other ON true
			WHERE a.ex_day = now.day
				AND (a.kind IN ('BONUS', 'DEMERGER') AND a.instrument = h.instrument OR a.kind = 'SPLIT' AND a.into_instrument = h.instrument)
			LIMIT 1
		) restated ON true
		ORDER BY h.day, h.instrument`,
	)
}

/** Totals of the holding in paise, securities only. Lots of unknown cost count in the value but not in the invested amount. */
export function sumHolding(positions: Position[]) {
	const held = positions.filter((position) => position.isSecurity)
	return {
		value: held.reduce((sum, position) => sum + position.value, 0),
		invested: held.reduce((sum, position) => sum + position.cost, 0),
		dayChange: held.reduce((sum, position) => sum + position.value - position.valueBefore, 0),
	}
}

/** True for a security with a lot of unknown cost. */
export function hasUnknownCost({ isSecurity, knownValue, value }: Position): boolean {
	return isSecurity && knownValue < value
}

/** The number of holdings with a lot of unknown cost, and the value of those lots in paise. */
export function sumUnknownCost(positions: Position[]): { holdings: number; value: Paise } {
	const unknown = positions.filter(hasUnknownCost)
	return { holdings: unknown.length, value: unknown.reduce((sum, { value, knownValue }) => sum + value - knownValue, 0) }
}

/** Value by sector in paise, largest first. Each security is rounded once, so the sectors sum to the holding's total. */
export function sumSectors(positions: Position[]): { sector: string; value: Paise }[] {
	const sectors = new Map<string, Paise>()
	for (const { sector, value, isSecurity } of positions) if (isSecurity) sectors.set(sector, (sectors.get(sector) ?? 0) + value)
	return [...sectors].map(([sector, value]) => ({ sector, value })).sort((a, b) => b.value - a.value || a.sector.localeCompare(b.sector))
}

/** Unrealised gain of securities and contracts, in paise. Lots of unknown cost are left out. */
export function sumUnrealised(positions: Position[]): Paise {
	return positions.reduce((sum, position) => sum + position.knownValue - position.cost, 0)
}
