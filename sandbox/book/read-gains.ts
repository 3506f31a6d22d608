import { sql } from 'drizzle-orm'
import { type Segment } from '#contract/units'
import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { type Books } from '#sandbox/db/open'
import { type InstrumentKind } from '#sandbox/rules/segments'
import { REALISING } from './read-scrips'
import { readRows } from './rows'
import { turnedLots } from './turned-lots'

/** A part of a lot that was sold, tendered, squared off or expired: one line of the tax report. */
export type RealisedPart = {
	day: Day
	instrument: string
	name: string
	kind: InstrumentKind
	segment: Segment
	multiplier: number
	side: 'L' | 'S'
	how: 'SALE' | 'EXPIRY' | 'BUYBACK'
	acquiredOn: Day
	quantity: number
	/** For a short, the proceeds of its opening. */
	cost: Paise | null
	/** For a short, the cost of buying it back. */
	proceeds: Paise
	/** Charges without transaction tax, of opening and closing. */
	openingExpenses: Paise
	closingExpenses: Paise
	/** Transaction tax of the closing. */
	stt: Paise
	/** Its share of the opening's transaction tax. */
	openingStt: Paise
	isIntraday: boolean
	/** 1/10,000 rupee. */
	fmv2018: number | null
}

/**
 * A client's realised parts in a period, by day. A lot gets the transaction tax that its opening trade did not spend on lots it closed;
 * after a split or a demerger that tax moves along with the cost. It is divided over the lot's parts so that they sum to it.
 */
export async function readRealisedParts(books: Books, client: string, from: Day, to: Day): Promise<RealisedPart[]> {
	return await readRows<RealisedPart>(
		books,
		sql`WITH RECURSIVE ${turnedLots(client, to)},
		taxed AS (
			SELECT l.id,
				(t.stt - coalesce((SELECT sum(x.stt) FROM disposals x WHERE x.client = l.client AND x.day = l.opened_on AND x.trade_id = t.id), 0))::numeric AS stt
			FROM lots l JOIN trades t ON t.id = l.trade_id WHERE l.client = ${client}
			UNION ALL
			SELECT n.id, o.stt * n.quantity / n.bought * n.part FROM taxed o JOIN turned n ON n.ancestor = o.id
		),
		opening AS (
			SELECT d.id, round(o.stt * sum(d.quantity) OVER so_far / l.quantity) - round(o.stt * (sum(d.quantity) OVER so_far - d.quantity) / l.quantity) AS stt
			FROM taxed o JOIN lots l ON l.id = o.id JOIN disposals d ON d.lot_id = l.id
			-- An intraday purchase has no tax: all of its trade's tax is for the part that was delivered.
			WHERE NOT d.is_intraday WINDOW so_far AS (PARTITION BY d.lot_id ORDER BY d.id)
		)
		SELECT d.day::text AS day, l.instrument, i.name, i.kind, i.segment, i.multiplier, l.side, d.kind AS how, l.acquired_on::text AS "acquiredOn",
			d.quantity, d.cost::float8 AS cost, d.proceeds::float8 AS proceeds, d.expenses::float8 AS "openingExpenses",
			d.sale_expenses::float8 AS "closingExpenses", d.stt::float8 AS stt, coalesce(o.stt, 0)::float8 AS "openingStt",
			d.is_intraday AS "isIntraday", i.fmv_2018::float8 AS "fmv2018"
		FROM disposals d JOIN lots l ON l.id = d.lot_id JOIN instruments i ON i.id = l.instrument LEFT JOIN opening o ON o.id = d.id
		WHERE d.client = ${client} AND d.day BETWEEN ${from} AND ${to} AND ${REALISING}
		ORDER BY d.day, d.id`,
	)
}

export type DividendLine = { day: Day; instrument: string; name: string; quantity: number; amount: Paise; tds: Paise; isBuyback: boolean }

/**
 * Dividends of a period by ex-day, before deducted tax. `isBuyback` marks a buyback's receipt that is taxed as a dividend. Their sum
 * equals readYearFigures.
 */
export async function readDividends(books: Books, client: string, from: Day, to: Day): Promise<DividendLine[]> {
	return await readRows<DividendLine>(
		books,
		sql`SELECT v.ex_day::text AS day, v.instrument, i.name, v.quantity::float8 AS quantity, v.amount::float8 AS amount, v.tds::float8 AS tds,
			EXISTS (SELECT 1 FROM corporate_actions a WHERE a.instrument = v.instrument AND a.ex_day = v.ex_day AND a.kind = 'BUYBACK') AS "isBuyback"
		FROM dividends v JOIN instruments i ON i.id = v.instrument
		WHERE v.client = ${client} AND v.ex_day BETWEEN ${from} AND ${to} ORDER BY v.ex_day, upper(i.name) COLLATE "C", v.id`,
	)
}
