import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Books, openBooks } from '#sandbox/db/open'
import { seedBooks } from '#sandbox/db/seed/seed'
import { latestCode, postForm, postJson, sign, wrongCode } from '#sandbox/testing/changes'
import { createTestSandbox, TEST_DAY } from '#sandbox/testing/sandbox'
import { createPostgres } from '#scripts/deployment/postgres'

const server = createPostgres(5499)
let books: Books

beforeAll(async () => {
	server.start()
	books = await openBooks({ databaseUrl: server.url })
	await seedBooks(books, { seed: 'test', today: TEST_DAY, personas: ['DEMO01', 'DEBT01'] })
})
afterAll(async () => {
	await books.close()
	server.stop('immediate')
	server.remove()
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

test('gives the same responses on PostgreSQL and on the embedded database, byte for byte', async () => {
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

/* With several connections calls run at the same time, unlike on the embedded database. */

test('counts twenty wrong codes at once as five, and accepts twenty correct ones once', async () => {
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

test('signs a change once, and loses no change made at the same time', async () => {
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
	// Each default replaced the one before it: no two changes in a row saw the same earlier default.
	const before = history.data.filter(({ kind }) => kind === 'DEFAULT_BANK').map(({ was }) => was)
	expect(
		Math.abs(before.filter((was) => was.startsWith('HDFC')).length - before.filter((was) => was.startsWith('AXIS')).length),
	).toBeLessThan(2)
})

test('continues after a restart of PostgreSQL', async () => {
	const sandbox = createTestSandbox(books)
	const ask = await sandbox.signIn('DEMO01')
	const readLedger = async () => (await ask('/v2/dashboard/ledger?source=connect&dataYear=2026')).status
	// More connections than one, so that some are idle when the server ends them.
	expect(new Set(await Promise.all(Array.from({ length: 8 }, readLedger)))).toEqual(new Set([200]))
	server.stop('immediate')
	await expect(books.db.execute('select 1')).rejects.toThrow('Failed query')
	server.start()
	await vi.waitFor(async () => expect(await readLedger()).toBe(200), { timeout: 20_000, interval: 200 })
})
