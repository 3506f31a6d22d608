import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Books, openBooks } from '#sandbox/db/open'
import { seedBooks } from '#sandbox/db/seed/seed'
import { latestCode, postForm, postJson, sign, wrongCode } from '#sandbox/testing/changes'
import { createTestSandbox, TEST_DAY } from '#sandbox/testing/sandbox'

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

/* With several connections nothing is in a queue of its own accord, as it is on the embedded database. */

test('twenty wrong codes at once are five, and twenty right ones are one', async () => {
	const sandbox = createTestSandbox(books)
	const ask = await sandbox.signIn('DEMO01')
	const change = (process: string, body: object) =>
		postJson(ask, `/v1/modifications/profile-modifications?types=mobile&process=${process}`, body)
	const tryTwenty = async (otp: string) =>
		(await Promise.all(Array.from({ length: 20 }, () => change('verify_otp', { input: '9123456780', otp })))).map(({ status }) => status)
	await change('send_otp', { input: '9123456780' })
	expect((await tryTwenty(wrongCode(await latestCode(sandbox, 'DEMO01')))).filter((status) => status === 422)).toHaveLength(4)
	await change('send_otp', { input: '9123456780' })
	expect((await tryTwenty(await latestCode(sandbox, 'DEMO01'))).filter((status) => status === 200)).toHaveLength(1)
})

test('a change is signed once, and loses nothing of what changes beside it', async () => {
	const sandbox = createTestSandbox(books)
	const ask = await sandbox.signIn('DEBT01')
	const bank = { acc_number: '440012345611', ifsc_code: 'HDFC0000214', account_type: 'Savings', set_default: 'true' }
	const addition = '/v1/modifications/bank-addition?process='
	await postForm(ask, `${addition}send_otp`, bank)
	await postForm(ask, `${addition}verify_otp`, { ...bank, otp: await latestCode(sandbox, 'DEBT01') })
	const contact = '/v1/modifications/profile-modifications?types=email'
	await postJson(ask, `${contact}&process=send_otp`, { input: 'imran.new@example.com' })
	const body = { input: 'imran.new@example.com', otp: await latestCode(sandbox, 'DEBT01') }
	const { data } = (await (await postJson(ask, `${contact}&process=verify_otp`, body)).json()) as { data: string }
	const accounts = [
		{ acc_no: '440012345611', bank_name: 'HDFC BANK LTD', micr_code: '700240007', ifsc_code: 'HDFC0000214' },
		{ acc_no: '917020045518823', bank_name: 'AXIS BANK LTD', micr_code: '400211061', ifsc_code: 'UTIB0000642' },
	]
	const changes = Array.from({ length: 20 }, (_, index) =>
		postJson(ask, '/v1/modifications/default-bank-change', accounts[index % 2] ?? {}),
	)
	await Promise.all([...changes, ...Array.from({ length: 10 }, () => sign(sandbox, data))])
	expect(await (await ask('/v2/account-profile/personal-details')).text()).toContain('"email":"imran.new@example.com"')
	const banks = (await (await ask('/v2/account-profile/bank-details')).json()) as { data: { set_default: boolean }[] }
	expect(banks.data.filter(({ set_default }) => set_default)).toHaveLength(1)
	const history = (await (await ask('/v1/ours/change-requests')).json()) as { data: { kind: string; was: string; status: string }[] }
	expect(history.data.filter(({ kind }) => kind === 'EMAIL')).toMatchObject([{ status: 'DONE' }])
	// Each default gave way to the next: no two changes saw the same one before them twice in a row.
	const before = history.data.filter(({ kind }) => kind === 'DEFAULT_BANK').map(({ was }) => was)
	expect(
		Math.abs(before.filter((was) => was.startsWith('HDFC')).length - before.filter((was) => was.startsWith('AXIS')).length),
	).toBeLessThan(2)
})
