import { beforeAll, beforeEach, expect, test } from 'vitest'
import { formatYear } from '#contract/values/financial-year'
import { BROKERS_YEAR } from '#tests/support/brokers-day'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { parsePage, readText } from '#tests/support/readers'

const open = openPortalForFile()
let client: Visitor
beforeAll(async () => {
	client = await signedIn(open)
})
beforeEach(() => void (open.asked.length = 0))

const PAGE = '/reports/profitnloss'
const last = formatYear(BROKERS_YEAR - 1)
const error = (status: number, message: string) => Response.json({ status: 'error', message, data: null }, { status })
const asked = (path: string) => open.asked.filter((request) => new URL(request.url).pathname === path)

test.for<[format: string, type: string, start: string]>([
	['pdf', 'application/pdf', '%PDF-'],
	['xls', 'application/vnd.ms-excel', '\u00D0\u00CF\u0011\u00E0'],
])('%s streams under our own name', async ([format, type, start]) => {
	const answer = await client.send(`/downloads/pnl/${format}?year=${last}&segment=NSE_FNO`)
	expect(answer.headers.get('content-type')).toBe(type)
	expect(answer.headers.get('content-disposition')).toContain(`filename="DEMO01_PNL.${format}"`)
	expect(
		Buffer.from(await answer.arrayBuffer())
			.toString('latin1')
			.startsWith(start),
	).toBe(true)
	const body = (await asked('/v1/reports/pnl')[0]?.json()) as Record<string, string>
	expect(body).toEqual({ client_code: 'DEMO01', type: 'NSE_FNO', year: last.slice(0, 4), download_type: format })
})

test('an unknown file and a refused file lead back with the message', async () => {
	open.failCalls('/v1/reports/pnl', () => new Response('<html>error</html>', { headers: { 'content-type': 'application/vnd.ms-excel' } }))
	const none = await client.send('/downloads/pnl/xls', { headers: { 'x-download': 'fetch' } })
	expect([none.status, ((await none.json()) as { message: string }).message]).toEqual([
		502,
		expect.stringContaining('did not send the file'),
	])
	open.failCalls('/v1/reports/pnl', () => error(400, 'Not this year'))
	const refused = await client.send('/downloads/pnl/pdf')
	expect([refused.status, refused.headers.get('location')]).toEqual([303, PAGE])
	expect((await client.send('/downloads/pnl/exe')).status).toBe(404)
})

test('the summary bundle: Generate makes a new one, Download shows its time in India', async () => {
	const wrap = (extra: object) => Response.json({ status: 'success', message: '', data: [], ...extra })
	open.breakBroker(async (request) => {
		const { pathname } = new URL(request.url)
		if (pathname === '/v1/reports/pnl-segment') return wrap({ zip_time: '2026-03-28T19:42:10Z', is_genearte: true })
		if (pathname !== '/v2/service/reports/pnl-summary') return undefined!
		const body = (await request.json()) as { process_type: string }
		if (body.process_type === 'old') return new Response('PK\u0003\u0004rest', { headers: { 'content-type': 'application/zip' } })
		return Response.json({ status: 'success', message: '', data: { zip_time: null, is_genearte: false } }, { status: 202 })
	})
	const { html } = await client.visit(`${PAGE}?year=${last}`)
	expect(readText(html)).toContain('Made at 01:12 on 29/03/2026')
	const posted = await client.post(`${PAGE}?year=${last}`, `${PAGE}?year=${last}`, {})
	expect([posted.status, posted.headers.get('location')]).toEqual([303, `${PAGE}?year=${last}`])
	expect(await asked('/v2/service/reports/pnl-summary')[0]?.json()).toEqual({
		client_code: 'DEMO01',
		year: last.slice(0, 4),
		process_type: 'new',
	})
	expect(readText((await client.visit(`${PAGE}?year=${last}`)).html)).toContain('The summary bundle is being made')
	const zip = await client.send(`/downloads/pnl/zip?year=${last}`)
	expect(zip.headers.get('content-disposition')).toContain('filename="DEMO01_PNL.zip"')
	expect(await zip.text()).toBe('PK\u0003\u0004rest')

	open.failCalls('/v2/service/reports/pnl-summary', () => error(429, 'Too many bundles today'))
	await client.post(PAGE, `${PAGE}?year=${last}`, {})
	expect(readText((await client.visit(PAGE)).html)).toContain('Too many bundles today')
	expect((await client.postRaw(PAGE, {})).status).toBe(403)
})

test('links at the top lead to the parts of the page, and an empty year has none', async () => {
	const page = parsePage((await client.visit('/reports/profitnloss?year=2025-2026')).html)
	const links = page.querySelectorAll('nav[aria-label="On this page"] a')
	const leadTo = links.map((link) => [readText(link), readText(page.querySelector(`${link.getAttribute('href')} h2`) ?? '')])
	expect(leadTo).toEqual([
		['Securities', 'Securities and contracts'],
		['By month', 'Realised by month'],
		['Charges', 'Charges by kind'],
		['Ledger', 'How this ties to the ledger'],
		['Summary bundle', 'Summary bundle'],
	])
	const fresh = await signedIn(open, 'NEW001')
	expect((await fresh.visit('/reports/profitnloss')).html).not.toContain('aria-label="On this page"')
})

test('with all segments shown, the broker’s files of each come first, then the file of all rows', async () => {
	const bar = async (query: string) => {
		const { html } = await client.visit(`/reports/profitnloss?year=2025-2026${query}`)
		const links = parsePage(html).querySelectorAll('main a[href^="/downloads/pnl/"], main a[href="#summary-bundle"]')
		return links
			.map((link) => readText(link).split(/ ?:/)[0]?.trim() ?? '')
			.filter((name) => /^(PDF|Excel|ZIP|CSV)(?! of charges)/.test(name))
	}
	expect(await bar('')).toEqual([
		...['Equity', 'Future & Options', 'Currency', 'Commodity'].flatMap((segment) => [`PDF of ${segment}`, `Excel of ${segment}`]),
		'CSV',
	])
	expect(await bar('&segment=NSE_CASH')).toEqual(['PDF', 'Excel', 'CSV'])
})
