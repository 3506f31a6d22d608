import { beforeAll, beforeEach, expect, test } from 'vitest'
import { formatYear } from '#contract/values/financial-year'
import { BROKERS_YEAR } from '#tests/support/brokers-day'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { listAttributes, parsePage, readFileName, readHeading, readText } from '#tests/support/readers'

const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const YEAR = '2024-2025'

const open = openPortalForFile()
let client: Visitor
beforeAll(async () => {
	client = await signedIn(open)
})
beforeEach(() => void (open.asked.length = 0))

const error = (status: number, message: string) => Response.json({ status: 'error', message, data: null }, { status })
test('every link of the page downloads a file under its own name', async () => {
	const { html } = await client.visit(`/reports/downloads?year=${YEAR}`)
	expect(readHeading(html)).toBe('Downloads')
	const links = listAttributes(html, 'a[href^="/downloads/"]', 'href')
	expect(links.length).toBeGreaterThan(20)
	expect(links[0]).toBe(`/downloads/year-pack?year=${YEAR}`)
	const names: string[] = []
	for (const link of links.filter((href) => !href.includes('year-pack'))) {
		const answer = await client.send(link)
		expect(answer.status, link).toBe(200)
		names.push(readFileName(answer) ?? link)
		await answer.body?.cancel()
	}
	for (const name of names) expect(name).toMatch(/^(DEMO01_[A-Z0-9_-]+|Approved_(Margin|MTF|Collateral)_List)\.(pdf|xlsx|xls|csv)$/)
})

test('has the files of parts of a report, and leads to the summary bundle', async () => {
	const hrefs = async () => listAttributes((await client.visit(`/reports/downloads?year=${YEAR}`)).html, 'main a', 'href')
	const parts = ['/downloads/pnl/charges', '/downloads/income-tax/dividends'].map((path) => `${path}?year=${YEAR}`)
	const all = await hrefs()
	expect(all).toEqual(expect.arrayContaining([...parts, `/reports/profitnloss?year=${YEAR}#summary-bundle`]))
	const bundle = parsePage((await client.visit(`/reports/downloads?year=${YEAR}`)).html)
		.querySelectorAll('tbody tr')
		.find((row) => readText(row).includes('Summary bundle'))
	expect(bundle && readText(bundle)).toBe('Profit & Loss: Summary bundle (all segments) ZIP : choose what is in it')
	// A client without a trade has no bundle on that page.
	expect(readText((await (await signedIn(open, 'NEW001')).visit('/reports/downloads')).html)).not.toContain('Summary bundle')
	const { html } = await client.visit(`/reports/contractnbill?year=${YEAR}`)
	expect(listAttributes(html, 'main a', 'href')).toContain(`/downloads/year-pack?year=${YEAR}`)
})

test('offers the profit and loss of the segments that the page Profit & Loss has, and the contract notes of the year', async () => {
	const read = async (page: string) => listAttributes((await client.visit(page)).html, 'main a', 'href')
	// The only year without a currency contract.
	const year = '2023-2024'
	const listed = async (page: string) => new Set((await read(page)).flatMap((href) => /pnl\/pdf\?.*segment=(\w+)/.exec(href)?.[1] ?? []))
	const offered = await listed(`/reports/downloads?year=${year}`)
	expect(offered).toEqual(await listed(`/reports/profitnloss?year=${year}`))
	expect([...offered]).not.toContain('CD_NSE')
	const row = parsePage((await client.visit(`/reports/downloads?year=${year}`)).html)
		.querySelectorAll('tbody tr')
		.find((each) => readText(each).startsWith('Contract/Bill'))
	expect(listAttributes(row?.toString() ?? '', 'a', 'href')).toContain(`/downloads/year-pack?year=${year}`)
})

test('says that all segments are offered when neither the client’s own nor those with figures could be loaded', async () => {
	const visitor = await signedIn(open, 'CASH01')
	const read = async () => readText((await visitor.visit(`/reports/downloads?year=${YEAR}`)).html)
	const said = 'All segments are offered, because yours could not be loaded.'
	open.failCalls(/personal-details|pnl-segment/, () => error(500, 'Down'))
	expect(await read()).toContain(said)
	// Either is enough.
	open.failCalls(/pnl-segment/, () => error(500, 'Down'))
	expect(await read()).not.toContain(said)
	open.breakBroker(undefined)
})

test('says that the statements of a year before the account was opened are empty', async () => {
	const visitor = await signedIn(open, 'NEW001')
	const read = async (year: string) => readText((await visitor.visit(`/reports/downloads?year=${year}`)).html)
	expect(await read(YEAR)).toMatch(/Your account was opened on \d\d\/\d\d\/\d{4}, so these are empty\./)
	expect(await read(formatYear(BROKERS_YEAR))).not.toContain('so these are empty')
})

test.for([
	[503, 'Closed for the night'],
	[429, 'Slow down'],
] as const)('a contract note whose list returns %i leads back to the page, which says why', async ([status, message]) => {
	open.failCalls(/contract-note|contractbills/, () => error(status, message))
	const answer = await client.send('/downloads/contract/N1234')
	expect([answer.status, answer.headers.get('location')]).toEqual([303, '/reports/contractnbill'])
	const asked = await client.send('/downloads/contract/N1234', { headers: { 'x-download': 'fetch' } })
	expect(await asked.json()).toEqual({ message })
	open.breakBroker(undefined)
	expect((await client.visit('/reports/contractnbill')).html).toContain(message)
})

test.for<[address: string, name: string, type: string, start: string]>([
	['holding/pdf', 'DEMO01_HOLDING.pdf', 'application/pdf', '%PDF-'],
	['holding/xlsx', 'DEMO01_HOLDING.xlsx', XLSX, 'PK'],
	['holding/csv', 'DEMO01_HOLDING.csv', 'text/csv; charset=utf-8', '\uFEFF#,Symbol'],
	['global-summary/pdf', 'DEMO01_GLOBAL_SUMMARY.pdf', 'application/pdf', '%PDF-'],
	['global-details/xlsx', 'DEMO01_GLOBAL_DETAILS.xlsx', XLSX, 'PK'],
	['client-details/pdf', 'DEMO01_CLIENT_DETAILS.pdf', 'application/pdf', '%PDF-'],
	['client-master/pdf', 'DEMO01_CLIENT_MASTER.pdf', 'application/pdf', '%PDF-'],
	['approved-list/Margin', 'Approved_Margin_List.xlsx', XLSX, 'PK'],
	['approved-list/MTF', 'Approved_MTF_List.xlsx', XLSX, 'PK'],
	['approved-list/Collateral', 'Approved_Collateral_List.xlsx', XLSX, 'PK'],
])('/downloads/%s', async ([address, name, type, start]) => {
	const answer = await client.send(`/downloads/${address}?year=${YEAR}`)
	expect(answer.status).toBe(200)
	expect(answer.headers.get('content-disposition')).toBe(`attachment; filename="${name}"; filename*=UTF-8''${name}`)
	expect(answer.headers.get('content-type')).toBe(type)
	expect(answer.headers.get('cache-control')).toBe('private, no-store, no-transform')
	expect(
		Buffer.from(await answer.arrayBuffer())
			.toString('utf8')
			.startsWith(start),
	).toBe(true)
})

test.for(['holding/exe', 'approved-list/Other', 'approved-list/pdf', 'toString/pdf', 'client-master/csv', '__proto__/csv'])(
	'/downloads/%s returns 404',
	async (address) => {
		expect((await client.send(`/downloads/${address}`)).status).toBe(404)
	},
)

test.for<[string, unknown]>([
	['no base64', 'not base64 at all, but long enough to be asked about!'],
	['no PDF', Buffer.from('<html>not a PDF, though it is base64 as it should be</html>').toString('base64')],
	['nothing', ''],
	['no text', { pdf: 1 }],
])('a client master that is %s gets a message and a log line', async ([, data]) => {
	open.failCalls(/download-client-master/, () => Response.json({ status: 'success', message: '', data }))
	const scripted = await client.send('/downloads/client-master/pdf', { headers: { 'x-download': 'fetch' } })
	expect([scripted.status, await scripted.json()]).toEqual([502, { message: 'The file could not be read. Try again.' }])
	const plain = await client.send('/downloads/client-master/pdf', { headers: { referer: 'https://portal.test/reports/downloads' } })
	expect([plain.status, plain.headers.get('location')]).toEqual([303, '/reports/downloads'])
	expect(readText((await client.visit('/reports/downloads')).html)).toContain('The file could not be read. Try again.')
})

test('a quick-links failure leaves the page up, and only web addresses become links', async () => {
	open.failCalls(/quick-links/, () => error(500, 'Oops'))
	const failed = await client.visit('/reports/downloads')
	expect([failed.status, readText(failed.html)]).toEqual([200, expect.stringContaining('Quick links could not be loaded.')])
	const links = [
		{ title: 'bad', url: 'javascript:alert(1)', group: 'x' },
		{ title: 'good', url: 'https://good.test/', group: 'x' },
	]
	open.failCalls(/quick-links/, () => Response.json({ status: 'success', message: '', data: links }))
	const { html } = await client.visit('/reports/downloads')
	expect(html).toContain('href="https://good.test/"')
	expect(html).not.toContain('href="javascript')
})
