import { spawn } from 'node:child_process'
import { mkdtempSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { OPTIONAL_OPERATIONS } from '#contract/operations'
import { runs } from '#sandbox/testing/runs'
import { checkBroker, findExitCode, listExtras, type Result } from '#scripts/broker-check/check'
import { createCaller } from '#scripts/broker-check/connection'
import { formatHtml, formatLine } from '#scripts/broker-check/report'
import { createWritings } from '#scripts/broker-check/writings'
import { startSandboxBroker } from '#tests/services/processes'
import { standInForBroker } from '#tests/support/test-wire'

/* The conformance checker of a broker's API, against the sandbox: complete, with only the required operations, and with wrong replies. */

type Fault = (url: URL, answer: () => Promise<Response>) => Promise<Response> | Response | undefined

const PASSWORD = 'Demo@1234'
let end = () => {}
let broker: Awaited<ReturnType<typeof startSandboxBroker>>
beforeAll(async () => {
	broker = await startSandboxBroker(['DEMO01'])
	// Making these books takes a minute while other tests run.
}, 180_000)
afterAll(() => broker.close())
afterEach(() => end())

/** Checks the sandbox; `fault` replaces its reply unless it returns undefined. */
async function check(fault: Fault = () => undefined, more: Partial<Parameters<typeof checkBroker>[1]> = {}): Promise<Result[]> {
	end = standInForBroker(async (request) => (await fault(new URL(request.url), () => fetch(request))) ?? fetch(request))
	const { url } = broker
	const caller = createCaller({ urls: { broker: url, ekyc: url, edis: url, ipo: url, payment: url }, timeoutMs: 10_000 })
	return checkBroker(caller, { username: 'DEMO01', password: PASSWORD, ...more })
}

const inState = (results: readonly Result[], state: Result['state']) =>
	results.filter((result) => result.state === state).map(({ id }) => id)

test('reports no remark for the sandbox, and finds every optional operation that was called', async () => {
	const results = await check()
	expect(results).toHaveLength(103)
	expect([inState(results, 'remarks'), inState(results, 'unreadable'), inState(results, 'absent')]).toEqual([[], [], []])
	expect(inState(results, 'ok').length).toBeGreaterThanOrEqual(65)
	expect(inState(results, 'skipped')).toEqual(
		expect.arrayContaining(['submitIpoBid', 'requestPayout', 'validateReportLink', 'getRekycDetails']),
	)
	expect(findExitCode(results)).toBe(0)
	expect(listExtras(results)).toMatchObject({ live: expect.arrayContaining(['The purchases behind a holding']) as unknown, missing: [] })
})

/** How brokers answer a call that they do not have: the paths get these in turn. */
const ABSENT: (() => Response)[] = [
	() => Response.json({ status: 'error', message: 'No such call', data: null }, { status: 404 }),
	() => new Response('', { status: 405 }),
	() => new Response('', { status: 501 }),
	() => Response.json({ status: 'error', message: 'Forbidden', data: null }, { status: 403 }),
	() => new Response('<!doctype html><title>Welcome</title>', { headers: { 'content-type': 'text/html' } }),
]

test.each(Array.from({ length: runs(1, ABSENT.length) }, (_, turn) => turn))(
	'a broker with only the required operations, which answers 404, 405, 501, 403 and a page to the others, passes (turn %i)',
	async (turn) => {
		const optional = [...new Set(OPTIONAL_OPERATIONS.map((operation) => operation.path))]
		const results = await check(({ pathname }) =>
			optional.includes(pathname) ? ABSENT[(optional.indexOf(pathname) + turn) % ABSENT.length]?.() : undefined,
		)
		const required = results.filter(({ isRequired }) => isRequired)
		expect(required.filter(({ state }) => state !== 'ok' && state !== 'skipped')).toEqual([])
		const asked = results.filter(({ isRequired, state }) => !isRequired && state !== 'skipped')
		expect(asked.length).toBeGreaterThan(15)
		expect(asked.filter(({ state }) => state !== 'absent')).toEqual([])
		expect(findExitCode(results)).toBe(0)
		expect(listExtras(results).live).toEqual([])
	},
)

/** Changes the JSON of one path. */
const rewrite =
	(pathname: string, change: (data: never) => void): Fault =>
	(url, answer) =>
		url.pathname !== pathname
			? undefined
			: answer().then(async (response) => {
					const json = (await response.json()) as { data: never }
					change(json.data)
					return Response.json(json)
				})

test('reports an unreadable figure by its field’s name, without its value', async () => {
	const results = await check(
		rewrite('/v2/service/reports/ledger', ({ filtered_df }: { filtered_df: Record<string, unknown>[] }) => {
			for (const row of filtered_df.slice(0, 2)) row.DR_AMT = 'twelve rupees'
		}),
	)
	expect(inState(results, 'remarks')).toEqual(['getLedgerReport'])
	const line = formatLine(results.find(({ id }) => id === 'getLedgerReport') as Result)
	expect(line).toMatch(/read with remarks\s+not read: .*DR_AMT \(2\)\. \/reports\/ledger/)
	expect(line).not.toContain('twelve')
	expect(findExitCode(results)).toBe(1)
})

test('a list of which no row can be read is unreadable, and every field that is missing is named', async () => {
	const spoil = (isKept: (at: number) => boolean) =>
		rewrite('/v2/service/reports/ledger', ({ filtered_df }: { filtered_df: Record<string, unknown>[] }) => {
			for (const [at, row] of filtered_df.entries()) if (!isKept(at)) Object.assign(row, { VOUCHER_DATE: 'someday', VOUCHER_NO: [] })
		})
	const none = await check(spoil(() => false))
	expect(inState(none, 'unreadable')).toEqual(['getLedgerReport'])
	const line = formatLine(none.find(({ id }) => id === 'getLedgerReport') as Result)
	expect(line).toMatch(
		/unreadable\s+no row of filtered_df can be read: VOUCHER_DATE \((\d+)\), VOUCHER_NO \(\1\)\. Does not work: \/reports\/ledger/,
	)
	expect(findExitCode(none)).toBe(2)
	end()

	const one = await check(spoil((at) => at === 0))
	expect([inState(one, 'remarks'), findExitCode(one)]).toEqual([['getLedgerReport'], 1])
	end()
	const empty = await check(rewrite('/v2/service/reports/ledger', (data: Record<string, unknown>) => void (data.filtered_df = [])))
	expect([inState(empty, 'ok').includes('getLedgerReport'), findExitCode(empty)]).toEqual([true, 0])
})

test('reports a required reply with wrong fields, an HTML page instead of a reply, and a missing reply', async () => {
	const shape = rewrite('/v1/margin_epledge_data', (data: Record<string, unknown>) => void (data.filtered_df = 'none'))
	const results = await check((url, answer) => {
		if (url.pathname === '/v2/dashboard/holding') return new Response('<html>', { headers: { 'content-type': 'text/html' } })
		if (url.pathname === '/v2/account-profile/mtf-details') return new Response('', { status: 404 })
		return shape(url, answer)
	})
	expect(inState(results, 'unreadable').sort()).toEqual(['getDashboardHolding', 'getPledgeData'])
	expect(results.find(({ id }) => id === 'getPledgeData')?.detail).toContain('filtered_df: Invalid input: expected array, received string')
	expect(inState(results, 'absent')).toEqual(['getMtfDetails'])
	expect(results.find(({ id }) => id === 'getMtfDetails')?.means).toBe('Does not work: /connect/mtf')
	expect(findExitCode(results)).toBe(2)
	const page = formatHtml('https://api.broker.example/?a=<b>', results)
	expect(page).toContain('filtered_df: Invalid input: expected array, received string')
	expect(page).not.toContain('<b>')
})

test('a required operation whose connection breaks off is unreadable, and not one that was not asked', async () => {
	const results = await check(({ pathname }) =>
		pathname === '/v2/service/reports/holding' ? Promise.reject(new TypeError('other side closed')) : undefined,
	)
	expect(inState(results, 'unreadable')).toEqual(['getHoldingReport'])
	expect(formatLine(results.find(({ id }) => id === 'getHoldingReport') as Result)).toContain('no answer')
	expect(findExitCode(results)).toBe(2)
})

test('with --write calls operations that stop before a code or a signature, and asks for the code of one', async () => {
	const asked: string[] = []
	const readOtp = async (what: string) => {
		asked.push(what)
		return '123456'
	}
	const results = await check(undefined, { writings: createWritings(readOtp) })
	const written = ['modifyProfile', 'addBank', 'modifyIncome', 'createPayinRequest', 'createPhysicalEmandate', 'requestStockVerification']
	expect(inState(results, 'ok')).toEqual(expect.arrayContaining([...written, 'verifyStockVerificationOtp']))
	expect(inState(results, 'unreadable')).toEqual([])
	expect(asked).toHaveLength(1)
	expect(inState(results, 'skipped')).toEqual(expect.arrayContaining(['requestPayout', 'submitIpoBid', 'esignClosure', 'updatePassword']))
})

/** Runs the command with this text on its standard input. */
async function run(args: string[], input: string) {
	const child = spawn('node_modules/.bin/tsx', ['scripts/broker-check/main.ts', ...args], { stdio: 'pipe' })
	let said = ''
	for (const stream of [child.stdout, child.stderr]) stream.on('data', (bytes: Buffer) => (said += bytes.toString()))
	child.stdin.end(input)
	const status = await new Promise<number | null>((resolve) => child.once('close', resolve))
	return { status, said }
}

test('reads the password from the standard input, never shows it, and writes the reports', async () => {
	const html = path.join(mkdtempSync(path.join(os.tmpdir(), 'khata-check-')), 'report.html')
	const good = await run(['--url', broker.url, '--login', 'DEMO01', '--json', '--html', html], `${PASSWORD}\n`)
	expect(good.status).toBe(0)
	const report = JSON.parse(good.said.slice(good.said.indexOf('{'))) as { exit: number; results: Result[]; extras: { live: string[] } }
	expect([report.exit, report.results.length]).toEqual([0, 103])
	expect(report.extras.live).toContain('Schedule 112A to copy from for the tax return')
	expect(readFileSync(html, 'utf8')).toContain('getLedgerReport')
	expect(good.said + readFileSync(html, 'utf8')).not.toContain(PASSWORD)
	const wrong = await run(['--url', broker.url, '--login', 'DEMO01'], 'not-the-password\n')
	expect(wrong.status).toBe(3)
	expect(wrong.said).toContain('DEMO01 could not log in: refused with 401')
	expect(await run(['--url', broker.url, '--login', 'DEMO01', '--write', 'CASH01'], `${PASSWORD}\n`)).toMatchObject({
		status: 3,
		said: expect.stringContaining('--write must name the same client') as string,
	})
	expect((await run(['--url', broker.url, '--login', 'DEMO01', '--password', PASSWORD], '')).status).toBe(3)
}, 120_000)
