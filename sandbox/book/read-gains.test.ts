import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Books } from '#sandbox/db/open'
import { openTestBooks } from '#sandbox/testing/sandbox'
import { readRealisedParts } from './read-gains'
import { readOpenLots } from './read-open-lots'
import { readScripPeriods } from './read-scrips'
import { readScripCharges, readTrades } from './read-trades'

const [FROM, TO] = ['2022-04-01', '2026-11-21'] as const
const sum = <Row>(rows: readonly Row[], of: (row: Row) => number) => rows.reduce((total, row) => total + of(row), 0)

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())

describe('charges of lots', () => {
	test('of closed contracts sum to the charges of their trades, including transaction tax of both ends', async () => {
		const [parts, charges, scrips] = await Promise.all([
			readRealisedParts(books, 'DEMO01', FROM, TO),
			readScripCharges(books, 'DEMO01', FROM, TO),
			readScripPeriods(books, 'DEMO01', FROM, TO),
		])
		const closed = scrips.filter(({ segment, closeQuantity }) => segment !== 'NSE_CASH' && closeQuantity === 0)
		expect(closed.length).toBeGreaterThan(20)
		for (const { instrument } of closed) {
			const own = parts.filter((part) => part.instrument === instrument)
			const spent = sum(own, (part) => part.openingExpenses + part.closingExpenses + part.stt + part.openingStt)
			expect([instrument, spent]).toEqual([instrument, charges.find((line) => line.instrument === instrument)?.total])
		}
		expect(parts.some(({ side, openingStt }) => side === 'S' && openingStt > 0)).toBe(true)
	})

	test('of shares sum to the charges of their trades, including the tax on purchases, which no gain may deduct', async () => {
		const [parts, lots, trades] = await Promise.all([
			readRealisedParts(books, 'CASH01', FROM, TO),
			readOpenLots(books, 'CASH01', TO),
			readTrades(books, 'CASH01', FROM, TO),
		])
		const spent = sum(parts, (part) => part.openingExpenses + part.closingExpenses + part.stt) + sum(lots, ({ expenses }) => expenses)
		const { rows } = await books.db.execute<{ stt: number }>(
			sql`SELECT sum(stt)::float8 AS stt FROM trades WHERE client = 'CASH01' AND side = 'B'`,
		)
		expect(spent + (rows[0]?.stt ?? 0)).toBe(sum(trades, ({ charges }) => charges))
	})
})

test('include shorts, intraday trades and expiries in the demonstration books, so that tests of reports cover them', async () => {
	const parts = await readRealisedParts(books, 'DEMO01', FROM, TO)
	const kinds = [
		parts.some(({ side }) => side === 'S'),
		parts.some(({ isIntraday }) => isIntraday),
		parts.some(({ how }) => how === 'EXPIRY'),
		parts.some(({ how }) => how === 'BUYBACK'),
		parts.some(({ acquiredOn }) => acquiredOn < '2018-02-01'),
		parts.some(({ kind }) => kind === 'OTHER_ETF'),
		parts.some(({ segment }) => segment === 'CD_NSE'),
	]
	expect(kinds).toEqual([true, true, true, true, true, true, true])
})
