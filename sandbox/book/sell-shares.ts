import { inArray, sql } from 'drizzle-orm'
import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { type Queries } from '#sandbox/db/open'
import { instruments } from '#sandbox/db/schema'
import { type OpenLot, sumQuantity } from '#sandbox/rules/fifo'
import { numberTrade } from '#sandbox/rules/order-number'
import { type InstrumentKind } from '#sandbox/rules/segments'
import { findSession } from '#sandbox/rules/sessions'
import { type Positions } from './book'
import { postFunding, postPledgeCharge } from './entries'
import { readOpenLots } from './read-open-lots'
import { recordBills } from './record'
import { readRows } from './rows'
import { bookTrades, type Execution } from './trading'

/**
 * The units of one security that the broker sells. For a funded one also the loan repaid (paise) and the units released from its pledge.
 */
export type ShareSale = { instrument: string; quantity: number; funded?: { repaid: Paise; released: number } }

const KINDS: readonly InstrumentKind[] = ['EQUITY', 'ETF', 'OTHER_ETF', 'FUND']

async function readLastClose(tx: Queries, instrument: string, day: Day): Promise<number> {
	const [row] = await readRows<{ close: number }>(
		{ db: tx },
		sql`SELECT close::float8 AS close FROM prices WHERE instrument = ${instrument} AND day <= ${day} ORDER BY day DESC LIMIT 1`,
	)
	if (row === undefined) throw new RangeError(`${instrument} has no price by ${day}`)
	return row.close
}

/**
 * Sells a client's shares when the market opens, at the last close, oldest first, in one contract note. It repays loans and releases
 * pledges. The depository's charge is posted on settlement, as for any sale.
 */
export async function sellShares(
	tx: Queries,
	client: string,
	isIntraState: boolean,
	day: Day,
	wanted: readonly ShareSale[],
): Promise<void> {
	const ids = wanted.map(({ instrument }) => instrument)
	const known = await tx.select().from(instruments).where(inArray(instruments.id, ids))
	const positions: Positions = new Map()
	const closes = new Map<string, number>()
	for (const id of ids) {
		closes.set(id, await readLastClose(tx, id, day))
		const lots = await readOpenLots({ db: tx }, client, day, id)
		positions.set(
			id,
			lots.map(({ id: lot, openedOn, acquiredOn, quantity, cost, expenses }): OpenLot => {
				return { id: lot, side: 'L', opened_on: openedOn, acquired_on: acquiredOn, quantity, cost, expenses }
			}),
		)
	}
	// The client may already have sold some of them.
	const sales = wanted
		.map((sale) => ({ ...sale, quantity: Math.min(sale.quantity, sumQuantity(positions.get(sale.instrument) ?? [])) }))
		.filter(({ quantity }) => quantity > 0)
	if (sales.length === 0) return
	await recordBills(tx, day, (book) => {
		const executions = sales.map(({ instrument, quantity, funded }, at): Execution => {
			const its = known.find(({ id }) => id === instrument)
			const kind = KINDS.find((each) => each === its?.kind)
			if (!its || !kind) throw new RangeError(`${instrument} is no security`)
			const time = `${findSession('NSE_CASH', day)[0]}:00`
			const price = closes.get(instrument) ?? 0
			const order = { series: its.series, multiplier: 1, side: 'S', time, ...numberTrade(day, time, book.nextTrade + at) } as const
			return { instrument, kind, quantity, price, ...order, is_mtf: funded !== undefined, is_forced: true }
		})
		bookTrades(book, positions, { client, day, segment: 'NSE_CASH', isIntraState }, executions)
		const place = { client, cocd: 'NSE_CASH', day } as const
		for (const { instrument, funded } of sales) {
			const symbol = known.find(({ id }) => id === instrument)?.symbol ?? instrument
			if (!funded) continue
			book.fundings.push({ client, instrument, day, amount: -funded.repaid })
			postFunding(book, place, -funded.repaid, symbol)
			if (funded.released === 0) continue
			book.pledges.push({ client, instrument, kind: 'MTF', day, quantity: -funded.released })
			postPledgeCharge(book, place, symbol, true)
		}
	})
}
