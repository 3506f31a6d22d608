import { type SQL, sql } from 'drizzle-orm'
import { type Day } from '~/lib/days'
import { type Paise } from '~/lib/money'
import { readPositions } from '#sandbox/book/read-holding'
import { readEncumbrances } from '#sandbox/book/read-open-lots'
import { readScripPeriods } from '#sandbox/book/read-scrips'
import { type Readable, readRows } from '#sandbox/book/rows'
import { securities } from '#sandbox/data/securities'
import { type Queries } from '#sandbox/db/open'
import { splitQuantity } from '#sandbox/reports/holding-rows'
import { findHaircut, isCashEquivalent } from '#sandbox/rules/approved'
import { percentOf, valueOf } from '#sandbox/rules/rounding'

/** One security in a client's demat account. The parts, with what is not delivered yet, sum to the holding. */
export type Stock = {
	isin: string
	symbol: string
	name: string
	/** In the demat account, whatever stands on it. */
	delivered: number
	/** Settled and not pledged. */
	free: number
	/** Pledged for margin, which is not what is pledged for margin funding. */
	pledged: number
	/** Of the free units, those that may be taken for a sale by a code (e-DIS) that still holds. */
	verified: number
	/** 1/10,000 rupee. */
	close: number
	/** Per cent of the value that a pledge does not count. */
	haircut: string
	isCashEquivalent: boolean
}

const nifty = new Set(securities.slice(0, 50).map(([, , isin]) => isin))

/** Attempts on one client's units stand in a queue until the transaction ends: the same unit must not be given away twice. */
export async function lockDemat(tx: Pick<Queries, 'execute'>, client: string): Promise<void> {
	await tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext(${`demat ${client}`}))`)
}

/** A verification that has not run out and that no corporate action has overtaken since. */
export function isAlive(day: Day, now: Date): SQL {
	return sql`e.valid_until > ${now.toISOString()}::timestamptz AND NOT EXISTS (
		SELECT FROM corporate_actions a WHERE a.instrument = e.instrument AND a.ex_day > e.granted_on AND a.ex_day <= ${day}
	)`
}

/** A client's securities by symbol. With `{ db: tx }`, after `lockDemat`, nobody changes them meanwhile. */
export async function readDemat(books: Readable, client: string, day: Day, now: Date): Promise<Stock[]> {
	const [positions, scrips, encumbrances, verified] = await Promise.all([
		readPositions(books, client, [day]),
		readScripPeriods(books, client, day, day),
		readEncumbrances(books, client, day),
		readRows<{ instrument: string; quantity: number }>(
			books,
			sql`SELECT e.instrument, sum(e.quantity)::float8 AS quantity FROM edis_authorisations e
			WHERE e.client = ${client} AND ${isAlive(day, now)} GROUP BY 1`,
		),
	])
	const scripOf = new Map(scrips.map((scrip) => [scrip.instrument, scrip]))
	const verifiedOf = new Map(verified.map(({ instrument, quantity }) => [instrument, quantity]))
	return positions
		.flatMap((position): Stock[] => {
			const scrip = scripOf.get(position.instrument)
			if (!position.isSecurity || position.quantity <= 0 || !scrip) return []
			const { instrument: isin, symbol, sector } = position
			const encumbrance = encumbrances.get(isin)
			const { free, unsettled } = splitQuantity({ position, encumbrance })
			const marks = { kind: scrip.kind, isNifty: nifty.has(isin), isLiquid: sector === 'ETF - Liquid' }
			return [
				{
					isin,
					symbol,
					name: scrip.name,
					delivered: position.quantity - unsettled,
					free,
					pledged: Math.min(position.quantity, encumbrance?.margin ?? 0),
					// What was pledged after it was verified can not be delivered any more.
					verified: Math.min(free, verifiedOf.get(isin) ?? 0),
					close: scrip.close,
					haircut: findHaircut(marks),
					isCashEquivalent: isCashEquivalent(marks),
				},
			]
		})
		.sort((a, b) => (a.symbol < b.symbol ? -1 : 1))
}

/** What so many units count as margin: the value at the close less the haircut. */
export function marginOf({ close, haircut }: Pick<Stock, 'close' | 'haircut'>, quantity: number): Paise {
	return percentOf(valueOf(quantity, close), String(100 - Number(haircut)))
}
