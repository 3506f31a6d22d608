import { sql } from 'drizzle-orm'
import { type LedgerCocd } from '#contract/common'
import { addDays, type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { findUnderlying, findPriceKey } from '#sandbox/reference-data/contracts'
import { lastTradingDay, nextTradingDay } from '#sandbox/rules/calendar'
import { type Collateral, findCashMargin, findMarginRequired, type PledgedUnits, valueCollateral } from '#sandbox/rules/margin'
import { findLedger, type Segment } from '#sandbox/rules/segments'
import { readFreeBeforePayouts } from './read-deductions'
import { type Readable, readRows } from './rows'

/** The margin of a ledger's open contracts, and the collateral for it; paise. */
export type MarginNeed = { margin: Paise; collateral: Collateral; cash: Paise }

type OpenContract = { instrument: string; kind: 'FUTURE' | 'OPTION'; segment: Segment; multiplier: number; quantity: number; close: number }

/** Contracts that are open at the end of a day and did not expire before it. Long is positive; the price is the last close by then. */
async function readOpenContracts(books: Readable, client: string, day: Day): Promise<OpenContract[]> {
	return await readRows<OpenContract>(
		books,
		sql`SELECT l.instrument, i.kind, i.segment, i.multiplier, sum(CASE l.side WHEN 'S' THEN -1 ELSE 1 END * (l.quantity - coalesce(g.quantity, 0)))::float8 AS quantity,
			(SELECT close FROM prices p WHERE p.instrument = l.instrument AND p.day <= ${day} ORDER BY p.day DESC LIMIT 1)::float8 AS close
		FROM lots l JOIN instruments i ON i.id = l.instrument
		LEFT JOIN LATERAL (SELECT sum(d.quantity) AS quantity FROM disposals d WHERE d.lot_id = l.id AND d.day <= ${day}) g ON true
		WHERE l.client = ${client} AND l.segment <> 'NSE_CASH' AND l.opened_on <= ${day} AND i.expiry >= ${day}
		GROUP BY 1, 2, 3, 4 HAVING sum(l.quantity - coalesce(g.quantity, 0)) > 0`,
	)
}

/** Last closes of the contracts' underlyings, by price key, in 1/10,000 rupee. */
async function readUnderlyingCloses(books: Readable, contracts: readonly OpenContract[], day: Day): Promise<Map<string, number>> {
	const keys = [...new Set(contracts.map(({ instrument }) => findPriceKey(findUnderlying(instrument))))]
	const rows = await readRows<{ instrument: string; close: number }>(
		books,
		sql`SELECT DISTINCT ON (instrument) instrument, close::float8 AS close FROM prices
		WHERE day <= ${day} AND instrument IN (${sql.join(keys, sql`, `)}) ORDER BY instrument, day DESC`,
	)
	return new Map(rows.map(({ instrument, close }) => [instrument, close]))
}

/** Securities whose margin pledge counts on a day: a pledge from the next trading day on (as CDSL announces), a release at once. */
async function readPledged(books: Readable, client: string, day: Day): Promise<PledgedUnits[]> {
	return await readRows<PledgedUnits>(
		books,
		sql`SELECT m.instrument AS isin, i.kind, i.sector, sum(m.quantity)::float8 AS quantity,
			coalesce((SELECT close FROM prices p WHERE p.instrument = m.instrument AND p.day <= ${day} ORDER BY p.day DESC LIMIT 1), 0)::float8 AS close
		FROM pledge_movements m JOIN instruments i ON i.id = m.instrument
		WHERE m.client = ${client} AND m.kind = 'MARGIN' AND (m.day < ${day} OR m.day = ${day} AND m.quantity < 0)
		GROUP BY 1, 2, 3 HAVING sum(m.quantity) > 0`,
	)
}

/**
 * The margin that a ledger's open contracts need at a day's close. Pledged securities count only for the margin of the equity ledger:
 * commodity has its own clearing corporation, which does not hold them.
 */
export async function readMarginNeed(books: Readable, client: string, cocd: LedgerCocd, day: Day): Promise<MarginNeed> {
	const nothing = { margin: 0, collateral: { securities: 0, cashEquivalents: 0 }, cash: 0 }
	const contracts = (await readOpenContracts(books, client, day)).filter(({ segment }) => findLedger(segment) === cocd)
	if (contracts.length === 0) return nothing
	const underlyings = await readUnderlyingCloses(books, contracts, day)
	const margin = findMarginRequired(
		contracts.map(({ close: price, ...contract }) => {
			return { ...contract, price, underlying: underlyings.get(findPriceKey(findUnderlying(contract.instrument))) ?? 0 }
		}),
	)
	const collateral = cocd === 'MCX' ? nothing.collateral : valueCollateral(await readPledged(books, client, day))
	return { margin, collateral, cash: findCashMargin(margin, collateral) }
}

/** The amount that a ledger has blocked for open contracts by the end of a day, in paise. */
export async function readBlocked(books: Readable, client: string, cocd: LedgerCocd, day: Day): Promise<Paise> {
	const [blocked] = await readRows<{ amount: number }>(
		books,
		sql`SELECT coalesce(sum(amount), 0)::float8 AS amount FROM postings
		WHERE account = 'MARGIN' AND client = ${client} AND cocd = ${cocd} AND day <= ${day}`,
	)
	return blocked?.amount ?? 0
}

/** The part of a ledger's blocked margin that no money covers at the end of a day, in paise; 0 when all is covered. */
async function findMissing(books: Readable, client: string, cocd: LedgerCocd, day: Day): Promise<Paise> {
	const blocked = await readBlocked(books, client, cocd, day)
	if (blocked === 0) return 0
	const { free } = await readFreeBeforePayouts(books, client, cocd, day)
	return Math.min(blocked, Math.max(0, -free))
}

/**
 * Missing margin of open contracts in a ledger, in paise, and its deadline. The deadline is the end of the trading day after the one on
 * which the margin first fell short, as for margin funding; null when that day is over. Undefined when nothing is missing.
 */
export async function readMarginShortfall(
	books: Readable,
	client: string,
	cocd: LedgerCocd,
	day: Day,
): Promise<{ amount: Paise; by: Day | null } | undefined> {
	const amount = await findMissing(books, client, cocd, day)
	if (amount === 0) return undefined
	let first = lastTradingDay(day)
	// When it was missing before the last trading day too, the deadline is over, whatever its exact day.
	for (let steps = 0; steps < 2; steps++) {
		const before = lastTradingDay(addDays(first, -1))
		if ((await findMissing(books, client, cocd, before)) === 0) break
		first = before
	}
	const by = nextTradingDay(first)
	return { amount, by: by >= day ? by : null }
}
