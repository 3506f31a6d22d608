import { type SQL, sql } from 'drizzle-orm'
import { addDays, type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { readPositions } from '#sandbox/book/read-holding'
import { readEncumbrances } from '#sandbox/book/read-open-lots'
import { readScripPeriods } from '#sandbox/book/read-scrips'
import { type Readable, readRows } from '#sandbox/book/rows'
import { type Queries } from '#sandbox/db/open'
import { securities } from '#sandbox/reference-data/securities'
import { splitQuantity } from '#sandbox/reports/holding-rows'
import { findHaircut, isCashEquivalent } from '#sandbox/rules/approved'
import { listPostTradeDays } from '#sandbox/rules/depository'
import { computePercent, computeValue } from '#sandbox/rules/rounding'

/** One security in a client's demat account. Its parts and the units not delivered yet sum to the holding. */
export type Stock = {
	isin: string
	symbol: string
	name: string
	/** Units in the demat account, free or not. Sold units leave it at their pay-in. */
	delivered: number
	/** Settled and not pledged. */
	free: number
	/** Pledged for margin, without margin-funding pledges. */
	pledged: number
	/** Free units that a valid code (e-DIS) allows the broker to take for a sale. */
	verified: number
	/**
	 * Units that the client sold on days that can still be verified after the sale, not delivered and not verified; part of `delivered`. The
	 * broker's own sales are left out: it takes those units out of its pledge.
	 */
	sold: readonly { day: Day; quantity: number }[]
	/** 1/10,000 rupee. */
	close: number
	/** Per cent of the value that a pledge does not count. */
	haircut: string
	isCashEquivalent: boolean
}

const nifty = new Set(securities.slice(0, 50).map(([, , isin]) => isin))

/** Makes operations on one client's units run one after the other until the transaction ends, so that no unit is used twice. */
export async function lockDemat(tx: Pick<Queries, 'execute'>, client: string): Promise<void> {
	await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext(${`demat ${client}`}))`)
}

/** An SQL condition: the verification has not expired, and no corporate action has ended it. */
export function isAlive(day: Day, now: Date): SQL {
	return sql`e.valid_until > ${now.toISOString()}::timestamptz AND NOT EXISTS (
		SELECT FROM corporate_actions a WHERE a.instrument = e.instrument AND a.ex_day > e.granted_on AND a.ex_day <= ${day}
	)`
}

/** Units of a security that a sale takes, or that a code allows a sale to take, and the day of the sale. */
type OfDay = { instrument: string; day: Day; quantity: number }

/** Delivery sales that have not reached their pay-in by the end of a day. */
async function readSold(books: Readable, client: string, day: Day): Promise<(OfDay & { isForced: boolean })[]> {
	return await readRows<OfDay & { isForced: boolean }>(
		books,
		sql`SELECT t.instrument, n.day::text AS day, t.is_forced AS "isForced", sum(t.quantity - t.intraday_quantity)::float8 AS quantity FROM notes n JOIN trades t USING (bill_no)
		WHERE n.client = ${client} AND n.segment = 'NSE_CASH' AND n.day BETWEEN ${day}::date - 14 AND ${day} AND n.settles_on >= ${day}
			AND t.side = 'S' AND t.quantity > t.intraday_quantity GROUP BY 1, 2, 3`,
	)
}

/**
 * Units that codes allow a sale to take, by day. A code from before a sale counts for the day on which it expires, a code from after the
 * sale for the day of the sale.
 */
async function readVerified(
	books: Readable,
	client: string,
	day: Day,
	now: Date,
): Promise<(OfDay & { isBefore: boolean; isAlive: boolean })[]> {
	return await readRows<OfDay & { isBefore: boolean; isAlive: boolean }>(
		books,
		sql`SELECT e.instrument, coalesce(e.sold_on, (e.valid_until AT TIME ZONE 'Asia/Kolkata')::date)::text AS day, e.trade_type = 'PRE' AS "isBefore",
			(${isAlive(day, now)}) AS "isAlive", sum(e.quantity)::float8 AS quantity
		FROM edis_authorisations e WHERE e.client = ${client} AND e.valid_until > ${now.toISOString()}::timestamptz - interval '14 days' GROUP BY 1, 2, 3, 4`,
	)
}

const sumUnits = (rows: readonly OfDay[]) => rows.reduce((sum, { quantity }) => sum + quantity, 0)

/**
 * A client's securities by symbol, including securities that are all sold and not delivered. Call it with `{ db: tx }` after
 * `lockDemat`; then nothing else changes them.
 */
export async function readDemat(books: Readable, client: string, day: Day, now: Date): Promise<Stock[]> {
	// One after the other, because the connection of a transaction takes one query at a time.
	const positions = await readPositions(books, client, [day])
	// Starts before the oldest sale that may be undelivered, because after it nothing may be held.
	const scrips = await readScripPeriods(books, client, addDays(day, -14), day)
	const encumbrances = await readEncumbrances(books, client, day)
	const sales = await readSold(books, client, day)
	const codes = await readVerified(books, client, day, now)
	const days = listPostTradeDays(day)
	const positionsByInstrument = new Map(positions.filter(({ isSecurity }) => isSecurity).map((position) => [position.instrument, position]))
	return scrips
		.flatMap((scrip): Stock[] => {
			const isin = scrip.instrument
			const position = positionsByInstrument.get(isin)
			const own = sales.filter(({ instrument }) => instrument === isin)
			if (scrip.segment !== 'NSE_CASH' || ((position?.quantity ?? 0) <= 0 && own.length === 0)) return []
			const encumbrance = encumbrances.get(isin)
			const { free, unsettled } = splitQuantity({ position: { quantity: position?.quantity ?? 0 }, encumbrance })
			// Units sold before they were delivered to the client are delivered by the clearing corporation. They were never in the
			// account.
			let neverCame = (encumbrance?.unsettled ?? 0) - unsettled
			const fromDemat = own.map(({ quantity, ...sale }) => {
				const passed = Math.min(quantity, neverCame)
				neverCame -= passed
				return { ...sale, quantity: quantity - passed }
			})
			const fromClient = (of: Day) => sumUnits(fromDemat.filter((sale) => sale.day === of && !sale.isForced))
			const its = codes.filter(({ instrument }) => instrument === isin)
			const before = (of: Day) => sumUnits(its.filter((code) => code.isBefore && code.day === of))
			const left = (of: Day) => fromClient(of) - before(of) - sumUnits(its.filter((code) => !code.isBefore && code.day === of))
			const unused = its
				.filter((code) => code.isBefore && code.isAlive)
				.reduce((sum, code) => sum + Math.max(0, code.quantity - fromClient(code.day)), 0)
			const marks = { kind: scrip.kind, isNifty: nifty.has(isin), isLiquid: position?.sector === 'ETF - Liquid' }
			return [
				{
					isin,
					symbol: scrip.symbol,
					name: scrip.name,
					delivered: (position?.quantity ?? 0) - unsettled + sumUnits(fromDemat),
					free,
					pledged: Math.min(position?.quantity ?? 0, encumbrance?.margin ?? 0),
					// Units pledged after their verification can no longer be delivered.
					verified: Math.min(free, unused),
					sold: days.map((of) => ({ day: of, quantity: Math.max(0, left(of)) })).filter(({ quantity }) => quantity > 0),
					close: scrip.close,
					haircut: findHaircut(marks),
					isCashEquivalent: isCashEquivalent(marks),
				},
			]
		})
		.sort((a, b) => (a.symbol < b.symbol ? -1 : 1))
}

/** The margin of this many units in paise: the value at the close less the haircut. */
export function computePledgeMargin({ close, haircut }: Pick<Stock, 'close' | 'haircut'>, quantity: number): Paise {
	return computePercent(computeValue(quantity, close), String(100 - Number(haircut)))
}
