import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Books } from '#sandbox/db/open'
import { notes } from '#sandbox/db/schema'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'
import { numberContractNotes } from './contract-numbers'
import { readRows } from './rows'

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())

type Numbered = { billNo: string; contractNo: string | null; day: string; isMark: boolean }

/** Every note of the broker, in the order of days and bills. */
const readNotes = () =>
	readRows<Numbered>(
		books,
		sql`SELECT bill_no AS "billNo", contract_no AS "contractNo", day::text AS day, EXISTS (SELECT FROM marks m WHERE m.bill_no = n.bill_no) AS "isMark"
		FROM notes n ORDER BY day, bill_no COLLATE "C"`,
	)

/** The series of a note, computed without the code under test: a financial year begins on 1 April. */
function findSeries({ day, billNo }: Numbered): string {
	const calendar = Number(day.slice(2, 4))
	const first = day.slice(5) >= '04-01' ? calendar : calendar - 1
	return `CN${first}${first + 1}${billNo.slice(0, 2)}`
}

async function expectWholeSeries(): Promise<Map<string, number>> {
	const counts = new Map<string, number>()
	for (const note of await readNotes()) {
		if (note.isMark) {
			expect(note.contractNo, note.billNo).toBeNull()
			continue
		}
		const series = findSeries(note)
		const running = (counts.get(series) ?? 0) + 1
		counts.set(series, running)
		expect(note.contractNo, note.billNo).toBe(series + String(running).padStart(7, '0'))
	}
	return counts
}

describe('numbers of contract notes', () => {
	test('have no gap in each financial year and segment, over all clients, and skip marks', async () => {
		const counts = await expectWholeSeries()
		// Five years of four segments; DEMO01 trades in each.
		expect([...counts.keys()].filter((series) => series.endsWith('NC')).toSorted()).toEqual(
			['CN2223NC', 'CN2324NC', 'CN2425NC', 'CN2526NC', 'CN2627NC'].toSorted(),
		)
		for (const segment of ['NF', 'CD', 'MX'])
			expect(
				[...counts.keys()].some((series) => series.endsWith(segment)),
				segment,
			).toBe(true)
	})

	test('are given to the notes of contracts that end while the sandbox runs', async () => {
		const before = await expectWholeSeries()
		const { signIn, passTime } = createTestSandbox(books)
		// DEMO01 has December contracts of an index, a share and gold. 45 days later it is January.
		passTime(45 * 86_400_000)
		const ask = await signIn('DEMO01')
		await ask('/v1/ours/attention')
		const after = await expectWholeSeries()
		for (const series of ['CN2627NF', 'CN2627MX']) expect(after.get(series), series).toBeGreaterThan(before.get(series) ?? 0)
	})

	test('continue after the last, and begin again on 1 April', async () => {
		const before = await expectWholeSeries()
		const note = { client: 'CASH01', segment: 'NSE_CASH', cocd: 'NSE_CASH', settlement_no: 'M2027000', obligation: 0, net: 0 }
		await books.db.insert(notes).values([
			{ ...note, bill_no: 'NC27033101', day: '2027-03-31', settles_on: '2027-04-01' },
			{ ...note, bill_no: 'NC27040101', day: '2027-04-01', settles_on: '2027-04-02' },
			{ ...note, bill_no: 'NC27040102', day: '2027-04-01', settles_on: '2027-04-02' },
		])
		await numberContractNotes(books.db)
		await numberContractNotes(books.db)
		const after = await expectWholeSeries()
		expect(after.get('CN2627NC')).toBe((before.get('CN2627NC') ?? 0) + 1)
		expect(after.get('CN2728NC')).toBe(2)
	})
})
