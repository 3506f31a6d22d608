import { afterAll, beforeAll, expect, test } from 'vitest'
import { LedgerReport } from '#contract/ledger'
import { type Books } from '#sandbox/db/open'
import { createReader, parseJournal, sumRows } from '#sandbox/testing/reader'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

let books: Books
let sandbox: ReturnType<typeof createTestSandbox>
beforeAll(async () => {
	books = await openTestBooks()
	sandbox = createTestSandbox(books)
})
afterAll(() => books.close())

const journalAt = async (query = '') => parseJournal(await (await sandbox.app.request(`/journal${query}`)).text())

test('has one transaction per voucher, each of which sums to zero, with declared accounts', async () => {
	const { declared, transactions } = await journalAt()
	expect(transactions.length).toBeGreaterThan(1000)
	expect(new Set(transactions.map(({ code }) => code)).size).toBe(transactions.length)
	expect(transactions.map(({ day }) => day)).toEqual(transactions.map(({ day }) => day).toSorted())
	for (const { code, postings } of transactions) {
		expect([code, sumRows(postings, ({ paise }) => paise)]).toEqual([code, 0])
		expect(postings.length, code).toBeGreaterThan(1)
	}
	const used = new Set(transactions.flatMap(({ postings }) => postings.map(({ account }) => account)))
	expect([...used].toSorted()).toEqual(declared)
})

test('shows a client’s ledger balance as a liability', async () => {
	const read = createReader('DEMO01', await sandbox.signIn('DEMO01'))
	const { transactions } = await journalAt('?client=demo01')
	for (const [cocd, name] of [
		['NSE_CASH', 'equity'],
		['MCX', 'commodity'],
	]) {
		const { totals_df } = await read(
			`/v2/service/reports/ledger?from_date=2022-04-01&to_date=2026-11-21&margin=Y&cocd=${cocd}`,
			LedgerReport,
		)
		const own = transactions.flatMap(({ postings }) => postings).filter(({ account }) => account === `liabilities:clients:DEMO01:${name}`)
		// A credit is positive in the ledger, a debit is positive in hledger.
		expect(sumRows(own, ({ paise }) => -paise)).toBe(totals_df[0]?.BALANCE)
		expect(own.length).toBeGreaterThan(20)
	}
})

test('shows money in a client’s own bank as the client’s, with its deducted tax', async () => {
	const { transactions } = await journalAt('?client=DEMO01')
	const memo = transactions.find(({ postings }) => postings.some(({ account }) => account.includes('tax deducted at source')))
	const of = (name: string) => memo?.postings.find(({ account }) => account.startsWith(`memo:${name}`))?.paise ?? 0
	// TDS is a tenth of a dividend (section 194), plus the tax that earlier dividends of the year still lacked.
	expect(of('companies')).toBeLessThan(0)
	expect(of('tax deducted at source')).toBeGreaterThanOrEqual(Math.round(-of('companies') / 10))
	expect(of('banks of clients') + of('tax deducted at source')).toBe(-of('companies'))
	// No voucher mixes the broker's money with memo accounts.
	for (const { code, postings } of transactions)
		expect([code, new Set(postings.map(({ account }) => account.startsWith('memo:'))).size]).toEqual([code, 1])
})

test('of one client names no other client, and has whole vouchers', async () => {
	const { declared, transactions } = await journalAt('?client=CASH01')
	const clients = declared.flatMap((account) => /\b[A-Z]{4}\d\d\b/.exec(account) ?? [])
	expect(new Set(clients)).toEqual(new Set(['CASH01']))
	for (const { postings } of transactions) expect(sumRows(postings, ({ paise }) => paise)).toBe(0)
	expect((await journalAt('?client=NOBODY')).transactions).toEqual([])
})
