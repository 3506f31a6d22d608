import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { currentYear, formatYear } from '~/lib/financial-year'
import { paiseOf } from '~/lib/money'
import { openPortal, Visitor } from './portal'

let open: Awaited<ReturnType<typeof openPortal>>
let client: Visitor
beforeAll(async () => {
	open = await openPortal()
	client = new Visitor(open.portal)
	await client.login('DEMO01')
})
afterAll(() => open.close())
beforeEach(() => void (open.asked.length = 0))
afterEach(() => open.breakBroker(undefined))

const error = (status: number, message: string) => Response.json({ status: 'error', message, data: null }, { status })
const asked = (path: string) => open.asked.filter((request) => new URL(request.url).pathname === path)

/** What a person reads: no tags, no scripts. */
const textOf = (html: string) =>
	html
		.replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '')
		.replace(/<[^>]+>/g, ' ')
		.replaceAll('&#x27;', '’')
		.replaceAll('&amp;', '&')
		.replace(/\s+/g, ' ')

/** `₹ 4,41,242.14 Cr` in paise, credit positive. */
function paiseFrom(text: string | undefined): number {
	const found = /₹ ([\d,]+\.\d\d)(?: (Cr|Dr))?/.exec(text ?? '')
	expect(found, text).not.toBeNull()
	return paiseOf(Number(found?.[1]?.replaceAll(',', ''))) * (found?.[2] === 'Dr' ? -1 : 1)
}

const linesOf = (csv: string) => csv.trimEnd().split('\r\n').slice(1)
const csvAt = async (query: string) => (await client.send(`/downloads/ledger/csv${query}`)).text()

test('the ledger balance is the same on the dashboard, the ledger, its CSV and the way to what can be withdrawn', async () => {
	const dashboard = textOf((await client.visit('/dashboard')).html)
	const onDashboard = paiseFrom(/Ledger (₹ [\d,.]+ (?:Cr|Dr)) Equity/.exec(dashboard)?.[1])
	const equity = paiseFrom(/Equity (₹ [\d,.]+ (?:Cr|Dr))/.exec(dashboard)?.[1])
	const commodity = paiseFrom(/Commodity (₹ [\d,.]+ (?:Cr|Dr))/.exec(dashboard)?.[1])
	expect(equity + commodity).toBe(onDashboard)

	const ledger = textOf((await client.visit('/reports/ledger')).html)
	expect(paiseFrom(/= closing (₹ [\d,.]+ (?:Cr|Dr))/.exec(ledger)?.[1])).toBe(onDashboard)
	const last = linesOf(await csvAt(''))
		.at(-1)
		?.split(',')
		.at(-1)
	expect(paiseOf(Number(last))).toBe(onDashboard)
	expect(
		paiseOf(
			Number(
				linesOf(await csvAt('?segment=MCX'))
					.at(-1)
					?.split(',')
					.at(-1),
			),
		),
	).toBe(commodity)

	const bridge = textOf((await client.visit('/reports/ledger/deducted')).html)
	expect(paiseFrom(/Ledger balance (₹ [\d,.]+ (?:Cr|Dr))/.exec(bridge)?.[1])).toBe(equity)
	const deducted = [...bridge.matchAll(/Deducted ledger (₹ [\d,.]+(?: (?:Cr|Dr))?)/g)].map((found) => paiseFrom(found[1]))
	expect(deducted).toHaveLength(2)
	const card = paiseFrom(/Deducted ledger (₹ [\d,.]+ (?:Cr|Dr)) Equity/.exec(dashboard)?.[1])
	expect(deducted[0]! + deducted[1]!).toBe(card)
	expect(bridge).not.toContain('These lines make')
})

test('opening + credits − debits = closing, and a year opens where the last one closed', async () => {
	const year = currentYear()
	const proofs = []
	for (const start of [year - 2, year - 1, year]) {
		const text = textOf((await client.visit(`/reports/ledger?year=${formatYear(start)}`)).html)
		const found =
			/Opening (₹ [\d,.]+(?: (?:Cr|Dr))?) \+ credits (₹ [\d,.]+) − debits (₹ [\d,.]+) = closing (₹ [\d,.]+(?: (?:Cr|Dr))?)/.exec(text)
		const [opening, credits, debits, closing] = [1, 2, 3, 4].map((group) => paiseFrom(found?.[group])) as [number, number, number, number]
		expect(opening + credits - debits).toBe(closing)
		proofs.push({ opening, closing })
	}
	expect(proofs[1]?.opening).toBe(proofs[0]?.closing)
	expect(proofs[2]?.opening).toBe(proofs[1]?.closing)
})

test('a page full of rupee signs has no empty bytes where React cuts it', async () => {
	for (const year of [2022, 2023, 2024, 2025, 2026]) {
		for (const address of ['/reports/ledger', '/dashboard', '/reports/ledger/deducted']) {
			expect((await client.visit(`${address}?year=${formatYear(year)}`)).html).not.toContain('\0')
		}
	}
	await client.visit(`/dashboard?year=${formatYear(currentYear())}`)
})

test('every narration of the books is explained in plain words', async () => {
	for (const code of ['DEMO01', 'CASH01', 'DEBT01']) {
		const person = new Visitor(open.portal)
		await person.login(code)
		for (let page = 1; page < 20; page++) {
			const { html } = await person.visit(`/reports/ledger?from=2022-04-01&to=2026-11-21&filtered=1&opening=Y&margin=Y&page=${page}`)
			const rows = html.split('<tbody>')[1]?.split('</tbody>')[0]?.split('</tr>').slice(0, -1) ?? []
			for (const row of rows) expect(row, textOf(row)).toContain('<details')
			if (!html.includes('rel="next"')) break
		}
	}
})

test('the running number counts over all pages, and each page continues the last', async () => {
	const all = '?from=2022-04-01&filtered=1&opening=Y'
	const numbers = async (page: number) =>
		[...(await client.visit(`/reports/ledger${all}&page=${page}`)).html.matchAll(/<td class="figure n">(\d+)<\/td>/g)].map(([, n]) =>
			Number(n),
		)
	expect(await numbers(1)).toEqual(Array.from({ length: 100 }, (_, index) => index + 1))
	expect((await numbers(2))[0]).toBe(101)
	// One reply of the broker served all three pages.
	expect(asked('/v2/service/reports/ledger')).toHaveLength(1)
	await client.visit(`/reports/ledger${all}&page=2&refresh=1`)
	expect(asked('/v2/service/reports/ledger')).toHaveLength(2)
	expect(asked('/v2/service/reports/ledger')[1]?.headers.get('hard-refresh')).toBe('true')
})

test('sorting and searching reach over the whole set, on screen and in the CSV alike', async () => {
	const query = '?from=2022-04-01&filtered=1&opening=Y&sort=-debit&q=charges'
	const csv = linesOf(await csvAt(query))
	const debits = csv.map((line) => Number(line.split(',').at(-3)))
	expect(csv.length).toBeGreaterThan(20)
	expect(debits).toEqual([...debits].sort((a, b) => b - a))
	for (const line of csv) expect(line).toMatch(/charges/i)
	const { html } = await client.visit(`/reports/ledger${query}`)
	expect(html).toContain('aria-sort="descending"')
	const shown = textOf(html)
	expect(shown).toContain(`1–${Math.min(100, csv.length)} of ${csv.length}`)
	expect(shown).toContain(`Of the ${csv.length} found`)
})

test('with and without the opening balance and the margin entries', async () => {
	expect(linesOf(await csvAt(''))[0]).toContain('Opening balance')
	expect(await csvAt('?filtered=1')).not.toContain('Opening balance')
	expect(await csvAt('')).not.toMatch(/MARGIN BLOCKED/)
	expect(await csvAt('?margin=Y')).toMatch(/MARGIN BLOCKED/)
	expect(Object.fromEntries(new URL(asked('/v2/service/reports/ledger').at(-1)?.url ?? '').searchParams)).toMatchObject({
		margin: 'Y',
		with_opening: 'Y',
		client_code: 'DEMO01',
		source: 'connect',
	})
})

test('a segment the client does not have is not offered, and its address says why', async () => {
	const person = new Visitor(open.portal)
	await person.login('CASH01')
	for (const address of ['/reports/ledger/MCX', '/reports/ledger?segment=MCX']) {
		const text = textOf((await person.visit(address)).html)
		expect(text).toContain('Commodity is not active on your account')
	}
	expect((await person.visit('/reports/ledger')).html).not.toContain('value="MCX"')
	expect((await person.visit('/reports/ledger/toString')).status).toBe(404)
})

test.for(['1999-2000', '2024', 'abc', ''])('the unknown year %s falls back to the current one', async (year) => {
	await client.send(`/reports/ledger?year=${year}`)
	await client.send('/dashboard')
	const last = asked('/v2/dashboard/ledger').at(-1)
	expect(new URL(last?.url ?? '').searchParams.get('dataYear')).toBe(String(currentYear()))
})

test('the year chosen on one page is the year of the next', async () => {
	const person = new Visitor(open.portal)
	await person.login('DEMO01')
	await person.send(`/dashboard?year=${formatYear(currentYear() - 1)}`)
	await person.send('/dashboard')
	expect(new URL(asked('/v2/dashboard/ledger').at(-1)?.url ?? '').searchParams.get('dataYear')).toBe(String(currentYear() - 1))
})

test.for<[part: string, path: string]>([
	['Ledger', '/v2/dashboard/ledger'],
	['Deducted ledger', '/v2/dashboard/deducted-ledger'],
	['Total holding', '/v2/dashboard/holding'],
	['Portfolio value', '/v1/user/dashboard'],
])('when %s cannot be had it fails alone', async ([part, path]) => {
	for (const answer of [
		() => error(500, 'Oops'),
		() => error(403, 'Not for you'),
		() => new Response('<html>'),
		() => new Response('{"status":"su'),
	]) {
		open.breakBroker((request) => (new URL(request.url).pathname === path ? answer() : undefined))
		const { status, html } = await client.visit('/dashboard')
		const text = textOf(html)
		expect(status).toBe(200)
		expect(text).toContain(`${part} could not be loaded.`)
		expect(text).toContain('Try again')
		expect(text).toMatch(/₹ [\d,]+\.\d\d/)
		expect(text).not.toMatch(/NaN|undefined|\[object|Invalid|<html>/)
	}
})

test('no data is an empty state, not a failure', async () => {
	open.breakBroker((request) => (/dashboard|reports\/ledger/.test(request.url) ? error(404, 'No Data Found!') : undefined))
	const dashboard = await client.visit('/dashboard')
	expect(dashboard.status).toBe(200)
	const ledger = await client.visit('/reports/ledger?refresh=1')
	expect([ledger.status, textOf(ledger.html)]).toEqual([200, expect.stringMatching(/No entries between/)])
})

test.for<[string, () => Response, number]>([
	['500', () => error(500, 'Oops'), 502],
	['503', () => error(503, 'Back office is not reachable'), 503],
	['HTML', () => new Response('<html>broker</html>'), 502],
	['nonsense', () => Response.json({ status: 'success', message: '', data: { filtered_df: 'none', totals_df: [] } }), 502],
])('a ledger that answers %s keeps the shell, says so and offers to try again', async ([, answer, status]) => {
	open.breakBroker((request) => (request.url.includes('/reports/ledger') ? answer() : undefined))
	const page = await client.visit('/reports/ledger?refresh=1')
	expect(page.status).toBe(status)
	expect(page.html).toContain('aria-label="Main"')
	expect(page.html).toMatch(/<h1[^>]*>Ledger<\/h1>/)
	expect(textOf(page.html)).toContain('Try again')
	const reference = page.answer.headers.get('x-request-id') ?? ''
	expect(textOf(page.html)).toContain(`Reference ${reference}`)
})

test('a ledger that is off by one paisa shows a banner and the row where it starts', async () => {
	open.breakBroker(async (request) => {
		if (!request.url.includes('/reports/ledger')) return undefined as never
		const row = {
			VOUCHER_DATE: '2026-05-01',
			VOUCHER_NO: 'JV2605010001',
			VOUCHER_TYPE: 'JOURNAL',
			COCD: 'NSE_CASH',
			SETL_NO: null,
			NARRATION: 'X',
			DR_AMT: 1,
			CR_AMT: 0,
			BILL_NO: null,
		}
		const rows = [
			{ ...row, BALANCE: -1 },
			{ ...row, VOUCHER_NO: 'JV2605020002', BALANCE: -2.01 },
			{ ...row, VOUCHER_NO: 'JV2605030003', BALANCE: -3.01 },
		]
		return Response.json({
			status: 'success',
			message: '',
			data: { filtered_df: rows, totals_df: [{ DR_AMT: 3, CR_AMT: 0, BALANCE: -3.01 }] },
		})
	})
	const text = textOf((await client.visit('/reports/ledger/NSE_CASH?refresh=1')).html)
	expect(text).toContain('This ledger does not add up')
	expect(text).toContain('a difference of ₹ 0.01')
	expect(text).toContain('voucher JV2605020002')
	expect(text).not.toContain('= closing')
	open.breakBroker(undefined)
	await client.visit('/reports/ledger/NSE_CASH?refresh=1')
})

test('what a broker writes is text, never markup, formula or link', async () => {
	const evil = '=HYPERLINK("//x")</script><img src=x onerror=alert(1)>'
	open.breakBroker((request) => {
		const { pathname } = new URL(request.url)
		const wrap = (data: unknown) => Response.json({ status: 'success', message: '', data })
		if (pathname.endsWith('/reports/ledger')) {
			const row = {
				VOUCHER_DATE: '2026-05-01',
				VOUCHER_NO: '-1+1',
				VOUCHER_TYPE: 'JOURNAL',
				COCD: 'NSE_CASH',
				SETL_NO: '@x',
				NARRATION: evil,
				DR_AMT: 0,
				CR_AMT: 5,
				BALANCE: 5,
				BILL_NO: null,
			}
			return wrap({ filtered_df: [row], totals_df: [{ DR_AMT: 0, CR_AMT: 5, BALANCE: 5 }] })
		}
		if (pathname === '/v1/quick-links')
			return wrap([
				{ title: evil, url: 'javascript:alert(1)', group: 'x' },
				{ title: 'good', url: 'https://good.test/', group: 'x' },
			])
		return undefined
	})
	const { html } = await client.visit('/reports/ledger/NSE_CASH?refresh=1')
	expect(html).not.toContain('<img src=x')
	expect(html.match(/<\/script>/g)?.length).toBe(html.match(/<script\b/g)?.length)
	const csv = await csvAt('?segment=NSE_CASH&filtered=1&opening=Y')
	expect(csv).toContain(`"'=HYPERLINK(""//x"")</script><img src=x onerror=alert(1)>"`)
	expect(csv).toContain(",'-1+1,")
	expect(csv).toContain(",'@x,")
	const dashboard = await client.visit('/dashboard')
	expect(dashboard.html).not.toContain('href="javascript')
	expect(dashboard.html).toContain('href="https://good.test/"')
	open.breakBroker(undefined)
	await client.visit('/reports/ledger/NSE_CASH?refresh=1')
})

test('files stream under our own names and are kept by nobody', async () => {
	for (const [format, type, start] of [
		['pdf', 'application/pdf', '%PDF-'],
		['xlsx', 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'PK'],
		['csv', 'text/csv; charset=utf-8', '\uFEFF#,Date'],
	] as const) {
		const answer = await client.send(`/downloads/ledger/${format}`)
		expect(answer.headers.get('content-type')).toBe(type)
		expect(answer.headers.get('content-disposition')).toBe(
			`attachment; filename="DEMO01_LEDGER.${format}"; filename*=UTF-8''DEMO01_LEDGER.${format}`,
		)
		expect(answer.headers.get('cache-control')).toBe('private, no-store, no-transform')
		expect(
			Buffer.from(await answer.arrayBuffer())
				.toString('utf8')
				.startsWith(start),
		).toBe(true)
	}
	expect((await client.send('/downloads/ledger/exe')).status).toBe(404)
})

test('a file that cannot be had leads back with the message; a script gets the message itself', async () => {
	for (const [answer, message] of [
		[() => error(422, 'No ledger for that year'), 'No ledger for that year'],
		[() => new Response('<html>not a pdf</html>'), 'The broker’s system did not send the file.'],
		[() => error(404, 'No Data Found!'), 'No Data Found!'],
	] as const) {
		open.breakBroker((request) => (request.method === 'POST' && request.url.includes('/v1/reports/ledger') ? answer() : undefined))
		const plain = await client.send('/downloads/ledger/pdf', { headers: { referer: 'https://portal.test/reports/ledger?q=bill' } })
		expect([plain.status, plain.headers.get('location')]).toEqual([303, '/reports/ledger?q=bill'])
		expect(textOf((await client.visit('/reports/ledger?q=bill')).html)).toContain(message)
		const scripted = await client.send('/downloads/ledger/pdf', { headers: { 'x-download': 'fetch' } })
		expect(scripted.status).toBeGreaterThanOrEqual(404)
		expect(await scripted.json()).toEqual({ message })
	}
	const elsewhere = await client.send('/downloads/ledger/pdf', { headers: { referer: 'https://evil.test/x' } })
	expect(elsewhere.headers.get('location') ?? '').not.toContain('evil')
})

test('a client can ask for nothing of another client’s', async () => {
	for (const address of [
		'/reports/ledger?client_code=CASH01',
		'/downloads/ledger/csv?client_code=CASH01',
		'/downloads/ledger/pdf?client_code=CASH01',
		'/dashboard?client_code=CASH01',
	])
		await client.send(address)
	for (const request of open.asked) {
		expect(request.headers.get('client-code') ?? 'DEMO01').toBe('DEMO01')
		expect(request.url).not.toContain('CASH01')
		if (request.method === 'POST') expect(await request.clone().text()).not.toContain('CASH01')
	}
})

test.for(['/reports/ledger?from=31/02/2026', '/reports/ledger?from=2026-05-02&to=2026-05-01', '/reports/ledger?to=9999-99-99'])(
	'%s is shown again with what is wrong',
	async (address) => {
		const { status, html } = await client.visit(address)
		expect(status).toBe(400)
		expect(html).toContain('There is a problem')
		expect(html).toMatch(/<title>Error: Ledger · /)
		expect(asked('/v2/service/reports/ledger')).toHaveLength(0)
	},
)

test.for([
	'?page=0',
	'?page=-1',
	'?page=1e9',
	'?page=abc',
	'?sort=nothing',
	'?sort=__proto__',
	'?q=%00',
	'?q=' + 'a'.repeat(5000),
	'?segment=x&margin=z&opening=q',
	'?__proto__[x]=1&constructor.prototype.y=1',
])('the odd query %s is a page all the same', async (query) => {
	const { status, html } = await client.visit(`/reports/ledger${query}`)
	expect(status).toBe(200)
	expect(textOf(html)).not.toMatch(/NaN|undefined|\[object/)
	expect(({} as { x?: unknown }).x).toBeUndefined()
})
