import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Books, openBooks } from '#sandbox/db/open'
import { seedBooks } from '#sandbox/db/seed/seed'
import { createTestSandbox, TEST_DAY } from '#sandbox/test-sandbox'

const PORT = '5499'
const INSTALLED = '/usr/lib/postgresql'
const folder = mkdtempSync(path.join(tmpdir(), 'khata-postgres-'))
let books: Books

/** PostgreSQL will not run as root; Debian's package brings a user for it. */
function run(program: string, ...args: string[]) {
	const file = path.join(INSTALLED, readdirSync(INSTALLED).at(-1) ?? '', 'bin', program)
	const isRoot = process.getuid?.() === 0
	execFileSync(isRoot ? 'runuser' : file, isRoot ? ['-u', 'postgres', '--', file, ...args] : args, { stdio: 'ignore', cwd: folder })
}

beforeAll(async () => {
	chmodSync(folder, 0o777)
	run('initdb', '-D', path.join(folder, 'data'), '-U', 'khata', '--auth=trust', '--no-sync')
	run(
		'pg_ctl',
		'-D',
		path.join(folder, 'data'),
		'-w',
		'-o',
		`-p ${PORT} -k ${folder} -c listen_addresses=127.0.0.1 -c fsync=off`,
		'-l',
		path.join(folder, 'log'),
		'start',
	)
	books = await openBooks({ databaseUrl: `postgres://khata@127.0.0.1:${PORT}/postgres` })
	await seedBooks(books, { seed: 'test', today: TEST_DAY, personas: ['DEMO01', 'DEBT01'] })
})
afterAll(async () => {
	await books.close()
	run('pg_ctl', '-D', path.join(folder, 'data'), '-m', 'immediate', 'stop')
	rmSync(folder, { recursive: true })
})

const CALLS: [method: string, path: string][] = [
	['POST', '/v1/user/dashboard?year=2026'],
	['POST', '/v1/user/dashboard?year=2023'],
	['GET', '/v2/dashboard/ledger?source=connect&dataYear=2025'],
	['GET', '/v2/dashboard/deducted-ledger?source=connect'],
	['GET', '/v2/dashboard/holding?source=connect&dataYear=2026'],
	['GET', '/v2/service/reports/ledger?dataYear=2026&margin=Y'],
	['GET', '/v2/service/reports/ledger?from_date=2022-04-01&to_date=2026-11-21'],
	['GET', '/v1/ours/deductions?company_code=MCX'],
]

test('the same books give the same answers on PostgreSQL and on the embedded database, byte for byte', async () => {
	const embedded = await openBooks()
	await seedBooks(embedded, { seed: 'test', today: TEST_DAY, personas: ['DEMO01', 'DEBT01'] })
	for (const client of ['DEMO01', 'DEBT01']) {
		const answers = await Promise.all(
			[books, embedded].map(async (each) => {
				const ask = await createTestSandbox(each).signIn(client)
				const texts = []
				for (const [method, path] of CALLS) texts.push(await (await ask(path, { method })).text())
				return texts
			}),
		)
		expect(answers[0]).toEqual(answers[1])
		expect(answers[0]?.join().length).toBeGreaterThan(10_000)
	}
	await embedded.close()
})
