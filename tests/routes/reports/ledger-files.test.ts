import { beforeAll, beforeEach, expect, test } from 'vitest'
import { formatYear } from '#contract/values/financial-year'
import { BROKERS_YEAR } from '#tests/support/brokers-day'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { readText } from '#tests/support/readers'

const open = openPortalForFile()
let client: Visitor
beforeAll(async () => {
	client = await signedIn(open)
})
beforeEach(() => void (open.asked.length = 0))

const error = (status: number, message: string) => Response.json({ status: 'error', message, data: null }, { status })

test('the name of a file contains its year or its days', async () => {
	for (const [address, name] of [
		['pdf?year=2023-2024', 'DEMO01_LEDGER_2023-2024.pdf'],
		['xlsx?year=2023-2024', 'DEMO01_LEDGER_2023-2024.xlsx'],
		['csv?year=2023-2024', 'DEMO01_LEDGER_2023-2024.csv'],
		['csv?from=2023-05-01&to=2023-05-31', 'DEMO01_LEDGER_01-05-2023_31-05-2023.csv'],
		['pdf?from=2023-05-01&to=2023-05-31', 'DEMO01_LEDGER_01-05-2023_31-05-2023.pdf'],
		['xlsx?from=2023-05-01&to=2023-05-31', 'DEMO01_LEDGER_01-05-2023_31-05-2023.xlsx'],
		[`csv?year=${formatYear(BROKERS_YEAR)}`, 'DEMO01_LEDGER.csv'],
	] as const) {
		const answer = await client.send(`/downloads/ledger/${address}`)
		expect(answer.headers.get('content-disposition')).toContain(`filename="${name}"`)
		await answer.body?.cancel()
	}
	await client.visit(`/reports/ledger?year=${formatYear(BROKERS_YEAR)}`)
})

test('shows the broker’s text as text, never as markup, formula or link', async () => {
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
	const csv = await (await client.send('/downloads/ledger/csv?segment=NSE_CASH&filtered=1&opening=Y')).text()
	expect(csv).toContain(`"'=HYPERLINK(""//x"")</script><img src=x onerror=alert(1)>"`)
	expect(csv).toContain(",'-1+1,")
	expect(csv).toContain(",'@x,")
	const dashboard = await client.visit('/dashboard')
	expect(dashboard.html).not.toContain('href="javascript')
	expect(dashboard.html).toContain('href="https://good.test/"')
	open.breakBroker(undefined)
	await client.visit('/reports/ledger/NSE_CASH?refresh=1')
})

test('streams files under the portal’s own names, and forbids caching', async () => {
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

test('a failed file leads back to the page with the message; a script gets the message itself', async () => {
	for (const [answer, message] of [
		[() => error(422, 'No ledger for that year'), 'No ledger for that year'],
		[() => new Response('<html>not a pdf</html>'), 'The broker’s system did not send the file.'],
		[() => error(404, 'No Data Found!'), 'No Data Found!'],
	] as const) {
		open.breakBroker((request) => (request.method === 'POST' && request.url.includes('/v1/reports/ledger') ? answer() : undefined))
		const plain = await client.send('/downloads/ledger/pdf', { headers: { referer: 'https://portal.test/reports/ledger?q=bill' } })
		expect([plain.status, plain.headers.get('location')]).toEqual([303, '/reports/ledger?q=bill'])
		expect(readText((await client.visit('/reports/ledger?q=bill')).html)).toContain(message)
		const scripted = await client.send('/downloads/ledger/pdf', { headers: { 'x-download': 'fetch' } })
		expect(scripted.status).toBeGreaterThanOrEqual(404)
		expect(await scripted.json()).toEqual({ message })
	}
	const elsewhere = await client.send('/downloads/ledger/pdf', { headers: { referer: 'https://evil.test/x' } })
	expect(elsewhere.headers.get('location') ?? '').not.toContain('evil')
})

test('a client cannot get another client’s files', async () => {
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
