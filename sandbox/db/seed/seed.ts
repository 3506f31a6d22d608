import { sql } from 'drizzle-orm'
import { getTableConfig, PgTable } from 'drizzle-orm/pg-core'
import { type Day, toIndianDay } from '#contract/values/dates'
import { startOfYear, findFinancialYear } from '#contract/values/financial-year'
import { hashPassword } from '#sandbox/auth/password-hash'
import { openBook } from '#sandbox/book/book'
import { numberContractNotes } from '#sandbox/book/contract-numbers'
import { type Books } from '#sandbox/db/open'
import * as schema from '#sandbox/db/schema'
import { underlyings } from '#sandbox/reference-data/contracts'
import { isMarketOpen } from '#sandbox/rules/sessions'
import { storeChanges } from './changes'
import { simulateHistory } from './client-history'
import { storeFunds } from './funds'
import { storeIssues } from './ipo'
import { makeMarket, type Market, priceOn } from './market'
import { storeMtfAccounts } from './mtf'
import { PASSWORD, type Persona, personas as everybody } from './personas'
import { planHistory } from './plans'
import { storeBook, storeRows } from './store'
import { openSimulator } from './trading-simulator'

/** Increase this when the seed makes different books from the same seed and day, so that stored books are made again. */
const VERSION = 23
const YEARS_BEFORE = 4

export interface SeedOptions {
	/** Any text; the same text and day give the same books to the paisa. By default that of the running sandbox. */
	seed?: string
	/** The day of the books; today in India when not given. */
	today?: Day
	/** The clock's day, when the market has not opened on it yet: then `today` is the day before. */
	clockDay?: Day
	/** Codes of the clients to make; by default all. BULK01 takes most of the time. */
	personas?: readonly string[]
	/** The first day of BULK01's history; by default the same as for all. Books that differ only in this count as the same. */
	bulkFrom?: Day
	/** scrypt's cost for the passwords; by default that of a new password. Books that differ only in this count as the same. */
	passwordCost?: number
}

const tables = Object.values(schema).filter((value) => value instanceof PgTable)

/** Big indexes are created after the rows, which is faster than updating them row by row. */
const heavyTables = [schema.postings, schema.vouchers, schema.trades, schema.lots, schema.disposals, schema.noteCharges]

async function dropHeavyIndexes({ db }: Books): Promise<string[]> {
	const names = heavyTables.map((table) => getTableConfig(table).name)
	const list = sql.join(
		names.map((name) => sql`${name}`),
		sql`, `,
	)
	const { rows } = await db.execute<{ name: string; definition: string }>(
		sql`SELECT i.indexname AS name, i.indexdef AS definition FROM pg_indexes i LEFT JOIN pg_constraint c ON c.conname = i.indexname
		WHERE i.schemaname = 'public' AND i.tablename IN (${list}) AND c.oid IS NULL`,
	)
	for (const { name } of rows) await db.execute(sql`DROP INDEX ${sql.identifier(name)}`)
	return rows.map(({ definition }) => definition)
}

async function storeMarket(books: Books, market: Market): Promise<void> {
	const contracts = [...market.contracts.values()]
	const rows = [...market.instruments.values(), ...contracts.map(({ instrument }) => instrument)]
	const nothing = { lot: 1, multiplier: 1, expiry: null, strike: null, option_type: null, fmv_2018: null }
	await storeRows(
		books,
		schema.instruments,
		rows.map((row) => ({ ...nothing, ...row })),
	)
	await storeRows(
		books,
		schema.corporateActions,
		market.actions.map((action) => ({ into_instrument: null, cost_moved_bps: null, amount: null, ...action })),
	)
	const prices: { instrument: string; day: Day; close: number }[] = []
	for (const [instrument, series] of market.series) {
		if (!market.instruments.has(instrument)) continue
		for (const [at, close] of series.entries()) if (!Number.isNaN(close)) prices.push({ instrument, day: market.days[at] ?? '', close })
	}
	for (const [root, series] of market.series) {
		// Only underlyings without a security, which are the indices.
		if (!underlyings.some((underlying) => underlying.root === root && underlying.segment === 'NSE_FNO' && underlying.path)) continue
		for (const [at, close] of series.entries()) prices.push({ instrument: root, day: market.days[at] ?? '', close })
	}
	for (const { instrument, firstDay, underlying } of contracts) {
		const last = instrument.expiry ?? ''
		for (const day of market.days) {
			if (day >= firstDay && day <= last && isMarketOpen(underlying.segment, day))
				prices.push({ instrument: instrument.id, day, close: priceOn(market, instrument.id, day) })
		}
	}
	await storeRows(books, schema.prices, prices)
}

async function storeClients({ db }: Books, people: readonly Persona[], lastTrades: Map<string, Day>, cost?: number): Promise<void> {
	// One hash for all clients: scrypt is slow by design, and the sandbox shows the password anyway.
	const password_hash = await hashPassword(PASSWORD, { salt: Buffer.from('khata sandbox 01'), cost })
	for (const { code, name, isDormant, profile } of people) {
		const personal_details = { ...profile.personal_details, last_trade_date: lastTrades.get(code) ?? null }
		await db.insert(schema.clients).values({ code, name, password_hash, is_dormant: isDormant, profile: { ...profile, personal_details } })
	}
}

/** Rows were loaded with their ids, so the sequences must continue after them. */
async function continueSequences({ db }: Books): Promise<void> {
	for (const table of [schema.trades]) {
		const { name } = getTableConfig(table)
		await db.execute(sql`SELECT setval(pg_get_serial_sequence(${name}, 'id'), coalesce((SELECT max(id) FROM ${table}), 0) + 1, false)`)
	}
}

async function isSeeded({ db }: Books, seed: string, day: Day): Promise<boolean> {
	const [stored] = await db.select().from(schema.origin)
	return stored?.seed === seed && stored.day === day && stored.version === VERSION
}

async function emptyTables({ db }: Books): Promise<void> {
	const names = sql.join(
		tables.map((table) => sql`${table}`),
		sql`, `,
	)
	await db.execute(sql`TRUNCATE ${names} RESTART IDENTITY`)
}

/**
 * Fills the books with five financial years of every persona's history, including the current year up to the clock's day. Books made
 * from the same seed, day, personas and version are kept, with all changes since. Otherwise all books are deleted and made again. So on
 * the first start of a new day (from 09:15) the sandbox starts again: earlier pay-ins and withdrawals are gone, and sessions end. Returns
 * true when it has made books.
 */
export async function seedBooks(
	books: Books,
	{ seed = 'khata', today = toIndianDay(), clockDay = today, personas, bulkFrom, passwordCost }: SeedOptions,
): Promise<boolean> {
	const people = everybody.filter(({ code }) => personas === undefined || personas.includes(code))
	const origin = `${seed}/${people.map(({ code }) => code).join(',')}`
	if (await isSeeded(books, origin, today)) return false
	await emptyTables(books)
	const indexes = await dropHeavyIndexes(books)
	const from = startOfYear(findFinancialYear(today) - YEARS_BEFORE)
	const market = makeMarket(seed, from, today)
	const book = openBook()
	const lastTrades = new Map<string, Day>()
	for (const { code, isWoman, isIntraState } of people) {
		const simulator = openSimulator({ code, isWoman, isIntraState }, book, market, seed)
		const history = planHistory(simulator, (code === 'BULK01' && bulkFrom) || from)
		if (history) simulateHistory(simulator, market, history)
		const last = book.trades.at(-1)
		if (last) lastTrades.set(code, last.day)
		await storeBook(books, book)
	}
	await storeMarket(books, market)
	await storeClients(books, people, lastTrades, passwordCost)
	await storeFunds(
		books,
		people.map(({ code }) => code),
		today,
	)
	await storeChanges(
		books,
		people.map(({ code }) => code),
		clockDay,
	)
	await storeMtfAccounts(
		books,
		people.map(({ code }) => code),
		today,
	)
	for (const definition of indexes) await books.db.execute(sql.raw(definition))
	await numberContractNotes(books.db)
	await continueSequences(books)
	await storeIssues(
		books,
		today,
		people.map(({ code }) => code),
	)
	// Vacuum too: before it, an index-only scan cannot know which rows are visible.
	await books.db.execute(sql`VACUUM ANALYZE`)
	await books.db.insert(schema.origin).values({ id: 1, seed: origin, day: today, version: VERSION })
	return true
}
