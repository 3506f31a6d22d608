import { sql } from 'drizzle-orm'
import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { type Queries } from '#sandbox/db/open'
import { findUnderlying, findPriceKey } from '#sandbox/reference-data/contracts'
import { type OpenLot } from '#sandbox/rules/fifo'
import { numberTrade } from '#sandbox/rules/order-number'
import { computeValue } from '#sandbox/rules/rounding'
import { type Segment } from '#sandbox/rules/segments'
import { findSession, pickTimes } from '#sandbox/rules/sessions'
import { expireWorthless } from './actions'
import { type Positions } from './book'
import { bookMark } from './marks'
import { recordBills } from './record'
import { readRows } from './rows'
import { bookTrades, type Execution } from './trading'

type StoredLot = {
	id: number
	instrument: string
	segment: Segment
	kind: 'FUTURE' | 'OPTION'
	multiplier: number
	strike: number | null
	optionType: 'CE' | 'PE' | null
	expiry: Day
	side: 'L' | 'S'
	opened_on: Day
	quantity: number
	cost: Paise
	expenses: Paise
	/** The last mark of this lot, in 1/10,000 rupee; null when the lot has no mark yet. */
	marked: number | null
	/** The last close by the end of the day, in 1/10,000 rupee. */
	close: number
}

/** A client's open contracts at the end of a day, oldest first. */
async function readOpenLotsOfContracts(tx: Queries, client: string, day: Day): Promise<StoredLot[]> {
	return await readRows<StoredLot>(
		{ db: tx },
		sql`SELECT l.id::float8 AS id, l.instrument, i.segment, i.kind, i.multiplier, i.strike::float8 AS strike, i.option_type AS "optionType",
			i.expiry::text AS expiry, l.side, l.opened_on::text AS opened_on, (l.quantity - coalesce(g.quantity, 0))::float8 AS quantity,
			(l.cost - coalesce(g.cost, 0))::float8 AS cost, (l.expenses - coalesce(g.expenses, 0))::float8 AS expenses, m.price::float8 AS marked,
			(SELECT close FROM prices p WHERE p.instrument = l.instrument AND p.day <= ${day} ORDER BY p.day DESC LIMIT 1)::float8 AS close
		FROM lots l JOIN instruments i ON i.id = l.instrument
		LEFT JOIN LATERAL (
			SELECT sum(d.quantity) AS quantity, sum(d.cost) AS cost, sum(d.expenses) AS expenses FROM disposals d WHERE d.lot_id = l.id AND d.day <= ${day}
		) g ON true
		LEFT JOIN LATERAL (
			SELECT m.price FROM marks m WHERE m.client = l.client AND m.instrument = l.instrument AND m.day >= l.opened_on AND m.day < ${day}
			ORDER BY m.day DESC LIMIT 1
		) m ON true
		WHERE l.client = ${client} AND l.segment <> 'NSE_CASH' AND l.opened_on <= ${day} AND l.quantity > coalesce(g.quantity, 0)
		ORDER BY l.id`,
	)
}

function groupPositions(lots: readonly StoredLot[]): Positions {
	const positions: Positions = new Map()
	for (const { id, instrument, kind, multiplier, side, opened_on, quantity, cost, expenses, marked } of lots) {
		const stood = kind === 'FUTURE' && marked !== null ? computeValue(quantity, marked, multiplier) : undefined
		const lot: OpenLot = { id, side, opened_on, acquired_on: opened_on, quantity, cost, expenses, marked: stood }
		positions.set(instrument, [...(positions.get(instrument) ?? []), lot])
	}
	return positions
}

/** The oldest lot of each contract. */
const listFirst = (lots: readonly StoredLot[]) =>
	lots.filter((lot, at) => lots.findIndex(({ instrument }) => instrument === lot.instrument) === at)

/** Marks a client's open futures to a day's close, with the seed's function. Nothing is written when no close has changed. */
export async function markContracts(tx: Queries, client: string, day: Day): Promise<void> {
	const lots = (await readOpenLotsOfContracts(tx, client, day)).filter(({ kind, expiry }) => kind === 'FUTURE' && expiry >= day)
	if (lots.every(({ marked, close }) => marked === close)) return
	await recordBills(tx, day, (book) => {
		const positions = groupPositions(lots)
		for (const { instrument, segment, multiplier, close } of listFirst(lots)) {
			bookMark(book, positions, { client, day, segment, instrument, price: close }, multiplier)
		}
	})
}

/** An option's value on its last day, in 1/10,000 rupee: how far its underlying is in the money, else 0. */
async function findIntrinsic(tx: Queries, { instrument, strike, optionType }: StoredLot, day: Day): Promise<number> {
	const [row] = await readRows<{ close: number }>(
		{ db: tx },
		sql`SELECT close::float8 AS close FROM prices WHERE instrument = ${findPriceKey(findUnderlying(instrument))} AND day <= ${day} ORDER BY day DESC LIMIT 1`,
	)
	const beyond = (row?.close ?? 0) - (strike ?? 0)
	return Math.max(0, optionType === 'PE' ? -beyond : beyond)
}

/** The order by which the broker closes a future that the exchange would deliver, late in its last session. */
function squareOff(segment: Segment, day: Day, own: number): Pick<Execution, 'time' | 'order_no' | 'trade_no'> {
	const [time = ''] = pickTimes(findSession(segment, day), 1, () => 0.97)
	return { time, ...numberTrade(day, time, own) }
}

/**
 * Ends contracts on their last day, as the seed does. A future is closed at the day's price, one that the exchange would deliver by an
 * order; an option in the money is exercised or assigned. Each has its own contract note. Other options expire worthless.
 */
export async function expireContracts(tx: Queries, client: string, isIntraState: boolean, day: Day): Promise<void> {
	const lots = (await readOpenLotsOfContracts(tx, client, day)).filter(({ expiry }) => expiry <= day)
	if (lots.length === 0) return
	const prices = new Map<string, number>()
	for (const lot of listFirst(lots)) prices.set(lot.instrument, lot.kind === 'FUTURE' ? lot.close : await findIntrinsic(tx, lot, day))
	await recordBills(tx, day, (book) => {
		const positions = groupPositions(lots)
		for (const { instrument, segment, kind, multiplier, side } of listFirst(lots)) {
			const price = prices.get(instrument) ?? 0
			if (kind === 'OPTION' && price <= findUnderlying(instrument).tick) {
				expireWorthless(book, positions, client, instrument, day)
				continue
			}
			const quantity = (positions.get(instrument) ?? []).reduce((sum, lot) => sum + lot.quantity, 0)
			const order =
				kind === 'FUTURE' && findUnderlying(instrument).isDelivered
					? squareOff(segment, day, book.nextTrade)
					: { time: '15:30:00', order_no: '', trade_no: '' }
			const execution: Execution = {
				instrument,
				kind,
				series: 'XX',
				multiplier,
				side: side === 'L' ? 'S' : 'B',
				quantity,
				price,
				...order,
				is_exercise: kind === 'OPTION',
			}
			bookTrades(book, positions, { client, day, segment, isIntraState }, [execution])
		}
	})
}
