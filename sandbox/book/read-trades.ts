import { sql } from 'drizzle-orm'
import { type Segment } from '#contract/units'
import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { type Books } from '#sandbox/db/open'
import { nameOn } from '#sandbox/reference-data/former-names'
import { type InstrumentKind } from '#sandbox/rules/segments'
import { readRows } from './rows'

export type TradeLine = {
	day: Day
	time: string
	settlementNo: string
	billNo: string
	contractNo: string
	instrument: string
	name: string
	kind: InstrumentKind
	multiplier: number
	side: 'B' | 'S'
	quantity: number
	intradayQuantity: number
	/** 1/10,000 rupee. */
	price: number
	amount: Paise
	brokerage: Paise
	/** Brokerage included. */
	charges: Paise
	orderNo: string
	tradeNo: string
	/** Close of the day in 1/10,000 rupee; only for contracts. */
	close: number | null
}

const line = sql`t.day::text AS day, t.time, n.settlement_no AS "settlementNo", t.bill_no AS "billNo", n.contract_no AS "contractNo", t.instrument, i.name, i.kind, i.multiplier,
	t.side, t.quantity, t.intraday_quantity AS "intradayQuantity", t.price::float8 AS price,
	round((t.quantity::bigint * i.multiplier * t.price)::numeric / 100)::float8 AS amount, t.brokerage::float8 AS brokerage, t.charges::float8 AS charges,
	t.order_no AS "orderNo", t.trade_no AS "tradeNo", p.close::float8 AS close
	FROM trades t JOIN notes n USING (bill_no) JOIN instruments i ON i.id = t.instrument
	LEFT JOIN prices p ON i.expiry IS NOT NULL AND p.instrument = t.instrument AND p.day = t.day`

/** A client's trades of a period, oldest first; only of `segment` when it is given. */
export async function readTrades(books: Books, client: string, from: Day, to: Day, segment?: Segment): Promise<TradeLine[]> {
	const only = segment === undefined ? sql`` : sql`AND t.segment = ${segment}`
	return await readRows<TradeLine>(
		books,
		sql`SELECT ${line} WHERE t.client = ${client} AND t.day BETWEEN ${from} AND ${to} ${only} ORDER BY t.day, t.id`,
	)
}

/**
 * The trades of one contract note in order of time. Securities have their names of that day, because a note is a document of that day.
 */
export async function readNoteTrades(books: Books, billNo: string): Promise<TradeLine[]> {
	const trades = await readRows<TradeLine>(books, sql`SELECT ${line} WHERE t.bill_no = ${billNo} ORDER BY t.id`)
	return trades.map((trade) => ({ ...trade, name: nameOn(trade.instrument, trade.day, trade.name) }))
}

export type ScripCharges = {
	segment: Segment
	instrument: string
	name: string
	kind: InstrumentKind
	turnover: Paise
	brokerage: Paise
	exchange: Paise
	sebi: Paise
	gst: Paise
	stt: Paise
	stamp: Paise
	total: Paise
}

/** Charges of a period's trades by instrument and kind, in paise: the sum of each trade's share of its note. */
export async function readScripCharges(books: Books, client: string, from: Day, to: Day): Promise<ScripCharges[]> {
	return await readRows<ScripCharges>(
		books,
		sql`SELECT i.segment, t.instrument, i.name, i.kind, sum(round((t.quantity::bigint * i.multiplier * t.price)::numeric / 100))::float8 AS turnover,
			sum(t.brokerage)::float8 AS brokerage, sum(t.exchange)::float8 AS exchange, sum(t.sebi)::float8 AS sebi, sum(t.gst)::float8 AS gst,
			sum(t.stt)::float8 AS stt, sum(t.stamp)::float8 AS stamp, sum(t.charges)::float8 AS total
		FROM trades t JOIN instruments i ON i.id = t.instrument WHERE t.client = ${client} AND t.day BETWEEN ${from} AND ${to}
		GROUP BY 1, 2, 3, 4 ORDER BY array_position(ARRAY['NSE_CASH', 'NSE_FNO', 'CD_NSE', 'MCX'], i.segment), upper(i.name) COLLATE "C", 2`,
	)
}
