import { type SQL, sql } from 'drizzle-orm'
import { type Segment } from '#contract/units'
import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { type InstrumentKind } from '#sandbox/rules/segments'
import { type Readable, readRows } from './rows'

/**
 * One client's trades and positions in one instrument in a period. Quantities as traded (on MCX: lots); long positive, short negative.
 * Amounts in paise.
 */
export type ScripPeriod = {
	instrument: string
	symbol: string
	name: string
	kind: InstrumentKind
	segment: Segment
	multiplier: number
	expiry: Day | null
	/** 1/10,000 rupee, as `close`. */
	strike: number | null
	optionType: 'CE' | 'PE' | null
	openQuantity: number
	/** FIFO cost, negative for a short; an unknown cost counts as nothing. */
	openCost: Paise
	/** Trades, and what came or went without a trade at its cost: IPO, transfer, bonus (at nil), buyback, expiry. */
	buyQuantity: number
	buyAmount: Paise
	sellQuantity: number
	sellAmount: Paise
	/** What splits and demergers took from this instrument's lots, and put into it in their place, at cost. Nothing is sold by that. */
	movedInQuantity: number
	movedInAmount: Paise
	movedOutQuantity: number
	movedOutAmount: Paise
	/** Before charges; an unknown cost has no known gain. */
	realised: Paise
	closeQuantity: number
	closeCost: Paise
	/** The part of closeQuantity with an unknown cost. */
	unknownQuantity: number
	/** Proceeds in the period from units of unknown cost. */
	unknownProceeds: Paise
	/** The charges of all trades in the period, brokerage included. */
	charges: Paise
	/** Last close by the end of the period; 0 when there is none, or the contract has expired. */
	close: number
	closeDay: Day | null
	closeValue: Paise
	/** The part of closeValue with a known cost. */
	knownValue: Paise
}

/** The kinds of disposal that realise a gain; a split or demerger only changes the lot's form. */
export const REALISING = sql`d.kind IN ('SALE', 'EXPIRY', 'BUYBACK')`

const movedIn = (column: SQL, from: Day) =>
	sql`coalesce(sum(${column}) FILTER (WHERE opened_on >= ${from} AND origin IN ('SPLIT', 'DEMERGER')), 0)`
const movedOut = (column: SQL, from: Day) =>
	sql`coalesce(sum(${column}) FILTER (WHERE d.day >= ${from} AND d.kind IN ('SPLIT', 'DEMERGER')), 0)`

const gain = sql`CASE l.side WHEN 'S' THEN d.cost - d.proceeds ELSE d.proceeds - d.cost END`

/** Lots and disposals of a client up to a day, summed by instrument and side, before the period (0) and in it (1). */
const movements = (client: string, from: Day, to: Day) => sql`
	opened AS (
		SELECT instrument, side, sum(quantity) FILTER (WHERE opened_on < ${from}) AS q0, sum(quantity) FILTER (WHERE opened_on >= ${from}) AS q1,
			sum(cost) FILTER (WHERE opened_on < ${from}) AS c0, sum(cost) FILTER (WHERE opened_on >= ${from}) AS c1,
			sum(quantity) FILTER (WHERE cost IS NULL) AS unknown, ${movedIn(sql`quantity`, from)} AS in_quantity, ${movedIn(sql`cost`, from)} AS in_amount
		FROM lots WHERE client = ${client} AND opened_on <= ${to} GROUP BY 1, 2
	),
	gone AS (
		SELECT l.instrument, l.side, sum(d.quantity) FILTER (WHERE d.day < ${from}) AS q0, sum(d.quantity) FILTER (WHERE d.day >= ${from}) AS q1,
			sum(d.cost) FILTER (WHERE d.day < ${from}) AS c0, sum(d.cost) FILTER (WHERE d.day >= ${from}) AS c1,
			sum(d.proceeds) FILTER (WHERE d.day >= ${from}) AS p1, sum(d.quantity) FILTER (WHERE d.cost IS NULL) AS unknown,
			sum(${gain}) FILTER (WHERE d.day >= ${from} AND ${REALISING}) AS realised,
			sum(d.proceeds) FILTER (WHERE d.day >= ${from} AND ${REALISING} AND d.cost IS NULL) AS unknown_proceeds,
			${movedOut(sql`d.quantity`, from)} AS out_quantity, ${movedOut(sql`d.proceeds`, from)} AS out_amount
		FROM disposals d JOIN lots l ON l.id = d.lot_id WHERE d.client = ${client} AND d.day <= ${to} GROUP BY 1, 2
	),
	sides AS (
		SELECT instrument, side, CASE side WHEN 'S' THEN -1 ELSE 1 END AS sign, coalesce(o.q0, 0) AS q0, coalesce(o.q1, 0) AS q1, coalesce(o.c0, 0) AS c0,
			coalesce(o.c1, 0) AS c1, coalesce(o.unknown, 0) - coalesce(g.unknown, 0) AS unknown, coalesce(g.q0, 0) AS g0, coalesce(g.q1, 0) AS g1,
			coalesce(g.c0, 0) AS d0, coalesce(g.c1, 0) AS d1, coalesce(g.p1, 0) AS p1, coalesce(g.realised, 0) AS realised,
			coalesce(g.unknown_proceeds, 0) AS unknown_proceeds, o.in_quantity, o.in_amount, coalesce(g.out_quantity, 0) AS out_quantity,
			coalesce(g.out_amount, 0) AS out_amount
		FROM opened o LEFT JOIN gone g USING (instrument, side)
	)`

/**
 * Every instrument that a client held at the start of a period or moved in it, by segment and name. PostgreSQL sums them from the stored
 * lots and disposals. The only source of positions, P&L and global summary.
 */
export async function readScripPeriods(books: Readable, client: string, from: Day, to: Day): Promise<ScripPeriod[]> {
	if (from > to) return []
	return await readRows<ScripPeriod>(
		books,
		sql`WITH ${movements(client, from, to)},
		sums AS (
			SELECT instrument, sum(sign * (q0 - g0)) AS open_quantity, sum(sign * (c0 - d0)) AS open_cost,
				sum(CASE side WHEN 'L' THEN q1 ELSE g1 END - in_quantity) AS buy_quantity, sum(CASE side WHEN 'L' THEN c1 ELSE p1 END - in_amount) AS buy_amount,
				sum(CASE side WHEN 'L' THEN g1 ELSE q1 END - out_quantity) AS sell_quantity,
				sum(CASE side WHEN 'L' THEN p1 ELSE c1 END - out_amount) AS sell_amount,
				sum(in_quantity) AS in_quantity, sum(in_amount) AS in_amount, sum(out_quantity) AS out_quantity, sum(out_amount) AS out_amount,
				sum(realised) AS realised, sum(sign * (q0 + q1 - g0 - g1)) AS close_quantity, sum(sign * (c0 + c1 - d0 - d1)) AS close_cost,
				sum(unknown) AS unknown, sum(unknown_proceeds) AS unknown_proceeds
			FROM sides GROUP BY 1 HAVING sum(q0 - g0) <> 0 OR sum(q1) <> 0 OR sum(g1) <> 0
		),
		charged AS (SELECT instrument, sum(charges) AS charges FROM trades WHERE client = ${client} AND day BETWEEN ${from} AND ${to} GROUP BY 1)
		SELECT s.instrument, i.symbol, i.name, i.kind, i.segment, i.multiplier, i.expiry::text AS expiry, i.strike::float8 AS strike,
			i.option_type AS "optionType", s.open_quantity::float8 AS "openQuantity", s.open_cost::float8 AS "openCost",
			s.buy_quantity::float8 AS "buyQuantity", s.buy_amount::float8 AS "buyAmount", s.sell_quantity::float8 AS "sellQuantity",
			s.sell_amount::float8 AS "sellAmount", s.in_quantity::float8 AS "movedInQuantity", s.in_amount::float8 AS "movedInAmount",
			s.out_quantity::float8 AS "movedOutQuantity", s.out_amount::float8 AS "movedOutAmount", s.realised::float8 AS realised, s.close_quantity::float8 AS "closeQuantity",
			s.close_cost::float8 AS "closeCost", s.unknown::float8 AS "unknownQuantity", s.unknown_proceeds::float8 AS "unknownProceeds",
			coalesce(c.charges, 0)::float8 AS charges, coalesce(p.close, 0)::float8 AS close, p.day::text AS "closeDay",
			round((s.close_quantity * i.multiplier * coalesce(p.close, 0))::numeric / 100)::float8 AS "closeValue",
			round(((s.close_quantity - s.unknown) * i.multiplier * coalesce(p.close, 0))::numeric / 100)::float8 AS "knownValue"
		FROM sums s JOIN instruments i ON i.id = s.instrument LEFT JOIN charged c ON c.instrument = s.instrument
		LEFT JOIN LATERAL (
			SELECT p.day, p.close FROM prices p WHERE p.instrument = s.instrument AND p.day <= ${to} AND (s.close_quantity <> 0 OR i.expiry IS NULL OR i.expiry > ${to})
			ORDER BY p.day DESC LIMIT 1
		) p ON true
		ORDER BY array_position(ARRAY['NSE_CASH', 'NSE_FNO', 'CD_NSE', 'MCX'], i.segment), upper(i.name) COLLATE "C", s.instrument`,
	)
}

/** A quantity in units of the contract, so that quantity × price is the amount. */
export const countUnits = (scrip: Pick<ScripPeriod, 'multiplier'>, quantity: number): number => quantity * scrip.multiplier

/** Unrealised gain of units with a known cost, in paise. */
export const computeUnrealised = (scrip: ScripPeriod): Paise => scrip.knownValue - scrip.closeCost

/** True when the cost of all units of the period is unknown. Then there is no average, cost or gain. */
export function isCostUnknown({ unknownQuantity, unknownProceeds, openCost, buyAmount, movedInAmount }: ScripPeriod): boolean {
	return (unknownQuantity > 0 || unknownProceeds > 0) && openCost === 0 && buyAmount === 0 && movedInAmount === 0
}

/** The ISIN, or null for a contract. */
export const findIsin = ({ kind, instrument }: Pick<ScripPeriod, 'kind' | 'instrument'>): string | null =>
	kind === 'FUTURE' || kind === 'OPTION' ? null : instrument

/** Rupees per unit with four decimals, from an amount in paise; 0 when there are no units. */
export function computeRate(amount: Paise, units: number): number {
	return units === 0 ? 0 : Math.round((Math.abs(amount) / Math.abs(units)) * 100) / 10_000
}

/** Converts a price in 1/10,000 rupee to rupees. */
export const toPrice = (price: number): number => price / 10_000
