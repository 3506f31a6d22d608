import { spawnSync } from 'node:child_process'
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest'
import { startOfYear } from '#contract/values/financial-year'
import { BROKERS_YEAR } from '#tests/support/brokers-day'
import { openPortal, signedIn, Visitor } from '#tests/support/portal'
import { readCsv, readText } from '#tests/support/readers'

/*
 * The portal's pages through the example adapter, with a broker that has another API: other paths and field names, days as 21/11/2026,
 * the token in `authorization`, and two calls instead of one. The data comes from the sandbox's books.
 */
vi.stubEnv('BROKER_ADAPTER', 'tests/support/breakable-adapter.js')

type Json = Record<string, unknown>
type Row = Record<string, string | number | null>

const BROKER = 'http://127.0.0.1:4999'
let open: Awaited<ReturnType<typeof openPortal>>
let client: Visitor
let token = ''
const named = globalThis as { brokenPath?: string }

/** Calls the sandbox in its own API. */
async function askBooks(path: string, init: RequestInit = {}): Promise<{ status: number; said: { message: string; data: Json } }> {
	const headers = { 'auth-token': token, 'client-code': 'DEMO01', 'content-type': 'application/json' }
	const answer = await fetch(`${BROKER}${path}`, { ...init, headers })
	return { status: answer.status, said: (await answer.json()) as { message: string; data: Json } }
}

const iso = (day: string | null) => day?.split('/').reverse().join('-') ?? ''

/** The broker of the other API. A call in the contract's form also needs the token in `authorization`. */
async function answerOtherwise(request: Request): Promise<Response | undefined> {
	const { pathname, searchParams } = new URL(request.url)
	const authorization = request.headers.get('authorization')
	// Calls of askBooks go to the sandbox unchanged.
	if (!pathname.startsWith('/other/') && !authorization) return undefined
	if (pathname === '/other/sessions') {
		const { loginId, secret } = (await request.json()) as { loginId: string; secret: string }
		const { status, said } = await askBooks('/v2/user/login', {
			method: 'POST',
			body: JSON.stringify({ username: loginId, password: secret }),
		})
		if (status !== 200) return Response.json({ error: { text: said.message } }, { status })
		token = said.data.authToken as string
		return Response.json({ accessToken: token, account: { id: said.data.clientCode, holder: said.data.userName, dormant: 'N' } })
	}
	if (authorization !== `Bearer ${token}`) return Response.json({ error: { text: 'Token has expired' } }, { status: 401 })
	if (pathname === '/other/ledger') {
		for (const name of ['from_date', 'to_date']) {
			const day = searchParams.get(name)
			if (day && !/^\d\d\/\d\d\/\d{4}$/.test(day)) return Response.json({ error: { text: `${name} is no day` } }, { status: 422 })
			if (day) searchParams.set(name, iso(day))
		}
		const { said } = await askBooks(`/v2/service/reports/ledger?${searchParams}`)
		const { filtered_df, totals_df } = said.data as { filtered_df: Row[]; totals_df: Row[] }
		return Response.json({
			entries: filtered_df.map((row) => ({
				dt: String(row.VOUCHER_DATE).split('-').reverse().join('/'),
				vch: row.VOUCHER_NO,
				kind: row.VOUCHER_TYPE,
				book: row.COCD,
				settlement: row.SETL_NO,
				text: row.NARRATION,
				dr: row.DR_AMT,
				cr: row.CR_AMT,
				running: row.BALANCE,
				bill: row.BILL_NO,
			})),
			totals: { dr: totals_df[0]?.DR_AMT, cr: totals_df[0]?.CR_AMT, net: totals_df[0]?.BALANCE },
		})
	}
	if (pathname === '/other/valuation' || pathname === '/other/cost') {
		const { said } = await askBooks(`/v2/dashboard/holding?${searchParams}`)
		const { total_amount, invested_amount, day_change } = said.data
		return Response.json(pathname === '/other/cost' ? { invested: invested_amount } : { worth: total_amount, move: day_change })
	}
	const headers = new Headers(request.headers)
	headers.delete('authorization')
	headers.set('auth-token', token)
	const body = request.method === 'GET' ? undefined : await request.arrayBuffer()
	return fetch(request.url, { method: request.method, headers, body })
}

beforeAll(async () => {
	open = await openPortal()
	open.breakBroker(answerOtherwise)
	client = await signedIn(open)
})
afterAll(() => open.close())
afterEach(() => void delete named.brokenPath)

const asked = (path: string) => open.asked.filter(({ url }) => new URL(url).pathname === path)

test('signs in at a broker with another API, and shows its refusal in the form', async () => {
	expect((await client.visit('/dashboard')).status).toBe(200)
	expect(asked('/other/sessions')).toHaveLength(1)
	const stranger = new Visitor(open.portal)
	const refused = await stranger.login('DEMO01', 'not-the-password')
	expect(refused.status).toBe(422)
	expect(readText(await refused.text())).toContain('Invalid username or password')
})

test('shows the ledger in page and file, for a year and for days', async () => {
	const from = startOfYear(BROKERS_YEAR - 1)
	const to = `${BROKERS_YEAR - 1}-09-30`
	for (const query of ['', `?from=${from}&to=${to}&filtered=1`]) {
		const rows = readCsv(await (await client.send(`/downloads/ledger/csv${query}`)).text())
		const { searchParams } = new URL(asked('/other/ledger').at(-1)?.url ?? '')
		for (const [name, value] of [...searchParams]) if (value.includes('/')) searchParams.set(name, iso(value))
		const { said } = await askBooks(`/v2/service/reports/ledger?${searchParams}`)
		const books = (said.data as { filtered_df: Row[] }).filtered_df
		expect(books.length).toBeGreaterThan(5)
		const text = rows.map((row) => row.join(' ')).join('\n')
		// The file has one opening row for both ledgers.
		const entries = books.filter(({ VOUCHER_TYPE }) => VOUCHER_TYPE !== 'OPENING')
		expect(entries.filter(({ VOUCHER_NO }) => !text.includes(String(VOUCHER_NO)))).toEqual([])
		const page = await client.visit(`/reports/ledger${query}`)
		expect(page.status).toBe(200)
		expect(readText(page.html)).not.toContain('could not be loaded')
	}
	const days = asked('/other/ledger').flatMap(({ url }) => new URL(url).searchParams.get('from_date') ?? [])
	expect(days.length).toBeGreaterThan(0)
	for (const day of days) expect(day).toMatch(/^\d\d\/\d\d\/\d{4}$/)
})

test('combines two calls into one figure of the dashboard', async () => {
	open.asked.length = 0
	const text = readText((await client.visit('/dashboard')).html)
	expect([asked('/other/valuation').length, asked('/other/cost').length]).toEqual([1, 1])
	const { said } = await askBooks(`/v2/dashboard/holding?dataYear=${BROKERS_YEAR}&source=connect`)
	const rupees = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2 })
	expect(text).toContain(rupees.format(said.data.total_amount as number))
	expect(text).toContain(rupees.format(said.data.invested_amount as number))
})

test('passes a file on unchanged, and sends the token in no header of the contract', async () => {
	const file = await client.send('/downloads/holding/pdf')
	expect(Buffer.from(await file.arrayBuffer()).toString('latin1', 0, 5)).toBe('%PDF-')
	const ofPortal = open.asked.filter(({ headers }) => headers.has('authorization'))
	expect(ofPortal.length).toBeGreaterThan(5)
	expect(ofPortal.filter(({ headers }) => headers.has('auth-token') || headers.has('authtoken'))).toEqual([])
})

test('shows a part as failed when the adapter fails, and keeps the client signed in', async () => {
	named.brokenPath = '/v2/dashboard/holding'
	open.lines.length = 0
	const page = await client.visit('/dashboard')
	expect(page.status).toBe(200)
	expect(page.url).toBe('/dashboard')
	expect(readText(page.html)).toContain('could not be loaded')
	delete named.brokenPath
	expect(readText((await client.visit('/dashboard')).html)).not.toContain('could not be loaded')
})

test('does not start with a missing or broken adapter, and says so in one line', () => {
	const start = (BROKER_ADAPTER: string) =>
		spawnSync(process.execPath, ['build/server.js'], {
			env: { ...process.env, BROKER_ADAPTER, NODE_OPTIONS: '' },
			encoding: 'utf8',
			timeout: 30_000,
		})
	for (const [file, words] of [
		['./no-such-adapter.js', 'BROKER_ADAPTER: there is no file ./no-such-adapter.js'],
		['tests/support/event-loop.mjs', 'BROKER_ADAPTER: tests/support/event-loop.mjs has no function as its default export'],
	] as const) {
		const { status, stdout, stderr } = start(file)
		expect([status, stderr]).toEqual([1, `${words}\n`])
		expect(stdout).not.toContain(' is at ')
	}
})
