import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { parseJournal } from '#sandbox/testing/reader'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'
import { BOOKS } from '#tests/e2e/kept'
import { BROKERS_DAY } from '#tests/support/brokers-day'

const folder = mkdtempSync(path.join(tmpdir(), 'khata-hledger-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Throws hledger's message when it ends with an error. */
const hledger = (file: string, ...args: string[]) => execFileSync('hledger', ['-f', file, ...args], { encoding: 'utf8', stdio: 'pipe' })

test('hledger accepts the journal, sums it to zero, and finds a missing paisa', async () => {
	const books = await openTestBooks()
	const journal = await (await createTestSandbox(books).app.request('/journal')).text()
	await books.close()
	const file = path.join(folder, 'book.journal')
	writeFileSync(file, journal)
	hledger(file, 'check', '--strict', 'ordereddates')
	expect(hledger(file, 'balance', '--depth', '1', '-O', 'csv').trim().split('\n').at(-1)).toBe('"total","0"')

	const wrong = path.join(folder, 'wrong.journal')
	writeFileSync(
		wrong,
		journal.replace(/^( {4}.*)\.(\d\d) INR$/m, (_, before: string, paise: string) => `${before}.${paise === '99' ? '98' : '99'} INR`),
	)
	expect(() => hledger(wrong, 'check')).toThrow(/balance|unbalanced/i)
})

test('npm run sandbox:journal writes a journal from stored books, and of one client on request', { timeout: 120_000 }, () => {
	const out = path.join(folder, 'one.journal')
	const stored = path.join(folder, 'books')
	// `npm test` has made them for the browsers. Without them the command makes its own.
	if (existsSync(BOOKS)) cpSync(BOOKS, stored, { recursive: true })
	const env = {
		...process.env,
		DATABASE_URL: '',
		SANDBOX_DATA_DIR: stored,
		SANDBOX_PORT: '0',
		SANDBOX_TODAY: BROKERS_DAY,
	}
	const said = execFileSync('npm', ['run', '--silent', 'sandbox:journal', '--', '--client', 'demo01', '--out', out], {
		env,
		encoding: 'utf8',
	})
	expect(said).toContain(out)
	hledger(out, 'check', '--strict')
	const { declared, transactions } = parseJournal(readFileSync(out, 'utf8'))
	expect(transactions.length).toBeGreaterThan(500)
	expect(declared).toContain('liabilities:clients:DEMO01:equity')
	expect(declared.join(' ')).not.toContain('CASH01')
})
