import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import { formatYear } from '#contract/values/financial-year'
import { BROKERS_YEAR } from '#tests/support/brokers-day'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { listAttributes, paiseIn, parsePage, readColumn, readCsv, readFileName, readHeading, readText, sum } from '#tests/support/readers'

const run = promisify(execFile)
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'
const YEAR = '2024-2025'

const open = openPortalForFile()
let client: Visitor
let folder: string
beforeAll(async () => {
	client = await signedIn(open)
	folder = await mkdtemp(path.join(tmpdir(), 'khata-'))
})
afterAll(() => rm(folder, { recursive: true }))
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

/** The pack on disk, checked by unzip, and the lines of its manifest. */
async function unpack(answer: Response, name: string) {
	const file = path.join(folder, `${name}.zip`)
	await writeFile(file, Buffer.from(await answer.arrayBuffer()))
	expect((await run('unzip', ['-t', file], { maxBuffer: 1e7 })).stdout).toContain('No errors detected')
	const into = path.join(folder, name)
	await run('unzip', ['-q', file, '-d', into])
	const listed = (await run('unzip', ['-Z1', file], { maxBuffer: 1e7 })).stdout.trim().split('\n')
	const [head, ...rows] = readCsv(await readFile(path.join(into, 'manifest.csv'), 'utf8'))
	expect(head?.join()).toBe('#,File,Statement,Bytes,SHA-256,Figure,Amount,Problem')
	const manifest = rows.map(([, name = '', statement = '', bytes = '', sha256 = '', figure = '', amount = '', problem = '']) => {
		return { name, statement, bytes: Number(bytes), sha256, figure, amount, problem }
	})
	return { into, listed, manifest }
}

test('the year pack opens, and its manifest matches the files byte for byte', { timeout: 120_000 }, async () => {
	const answer = await client.send(`/downloads/year-pack?year=${YEAR}`)
	expect(answer.headers.get('content-disposition')).toContain(`filename="DEMO01_YEAR_PACK_${YEAR}.zip"`)
	expect(answer.headers.get('content-type')).toBe('application/zip')
	const announced = Number(answer.headers.get('x-files'))
	const { into, listed, manifest } = await unpack(answer, 'whole')
	// With the files that fail and are left out.
	expect(announced).toBe(manifest.length + 1)
	const there = manifest.filter(({ problem }) => !problem)
	expect(listed).toEqual([...there.map(({ name }) => name), 'manifest.csv'])
	for (const { name, bytes, sha256 } of there) {
		const content = await readFile(path.join(into, name))
		expect([name, content.length, createHash('sha256').update(content).digest('hex')]).toEqual([name, bytes, sha256])
		if (name.endsWith('.pdf')) expect(content.subarray(0, 5).toString(), name).toBe('%PDF-')
	}
	// The broker makes the holding file for today only; past years have the CSV.
	expect(manifest.filter(({ problem }) => problem).map(({ name }) => name)).toEqual(['DEMO01_HOLDING.pdf'])
	for (const name of ['LEDGER.pdf', 'LEDGER.xlsx', 'LEDGER.csv', 'HOLDING.csv', 'PNL.csv', 'INCOME_TAX.xlsx', 'SCHEDULE_112A.csv'])
		expect(listed).toContain(`DEMO01_${name}`)
	expect(listed.filter((name) => name.startsWith('contract-notes/')).length).toBeGreaterThan(5)

	// A figure in the manifest equals the figure on the page and in the file.
	const csvIn = async (report: string) => readCsv(await readFile(path.join(into, `DEMO01_${report}.csv`), 'utf8'))
	const ledger = (await csvIn('LEDGER')).at(-1)?.at(-1)
	expect(manifest.find(({ name }) => name === 'DEMO01_LEDGER.csv')).toMatchObject({ figure: 'Closing balance', amount: ledger })
	for (const [file, column] of [
		['HOLDING', 'Value'],
		['GLOBAL_SUMMARY', 'Realised'],
		['GLOBAL_DETAILS', 'Net'],
		['INCOME_TAX', 'Gain'],
		['SCHEDULE_112A', 'Balance'],
		['CONTRACTNBILL', 'Amount'],
		['PNL', 'Net'],
		['PNL_CHARGES', 'All charges'],
		['DIVIDENDS', 'Amount'],
	] as const) {
		const total = sum(readColumn(await csvIn(file), column))
		const stated = manifest.find(({ name }) => name === `DEMO01_${file}.csv`)
		expect([file, stated?.figure, paiseIn(stated?.amount)]).toEqual([file, column, total])
	}
})

test('leaves out files that fail, and the manifest gives their names and the reason', { timeout: 120_000 }, async () => {
	open.failCalls(/download_income_tax|client-master/, () => error(422, 'Not for that year'))
	const person = await signedIn(open, 'NEW001')
	const { listed, manifest } = await unpack(await person.send(`/downloads/year-pack?year=${YEAR}`), 'partly')
	expect(listed).not.toContain('NEW001_INCOME_TAX.xlsx')
	expect(manifest.find(({ name }) => name === 'NEW001_INCOME_TAX.xlsx')).toMatchObject({
		bytes: 0,
		sha256: '',
		problem: 'Not for that year',
	})
	expect(manifest.at(-1)).toMatchObject({ name: 'NEW001_CLIENT_MASTER.pdf', problem: 'Not for that year' })
})

test('names incomplete CSV files in the manifest, and asks for the bills once', async () => {
	const totals = [{ BUY_AMT: 0, SELL_AMT: 0, REALISED: 0, UNREALISED: 0, CHARGES: 0 }]
	const answers: Record<string, unknown> = {
		'/v1/reports/contractbills': ['nonsense'],
		'/v2/service/reports/holding': ['nonsense'],
		'/v1/user/report/pnl': { filtered_df: ['nonsense'], totals_df: totals },
	}
	open.breakBroker(({ url }) => {
		const data = answers[new URL(url).pathname]
		return data ? Response.json({ status: 'success', message: '', data }) : undefined
	})
	const person = await signedIn(open, 'NEW001')
	open.asked.length = 0
	const { manifest } = await unpack(await person.send(`/downloads/year-pack?year=${YEAR}`), 'unread')
	const asked = open.asked.filter(({ url }) => new URL(url).pathname === '/v1/reports/contractbills')
	expect(asked).toHaveLength(1)
	// One unreadable row in each of the client's segments.
	const segments = open.asked.filter(({ url }) => new URL(url).pathname === '/v1/user/report/pnl').length
	const ofPnl = segments === 1 ? '1 entry could not be read and is' : `${segments} entries could not be read and are`
	const problem = (name: string) => manifest.find((entry) => entry.name === `NEW001_${name}.csv`)?.problem
	expect(problem('CONTRACTNBILL')).toMatch(/^Incomplete: 1 entry could not be read and is left out\. Reference [\w-]+\.$/)
	expect(problem('HOLDING')).toMatch(/^Incomplete: 1 entry could not be read and is left out\. Reference [\w-]+\.$/)
	expect(problem('PNL')).toMatch(new RegExp(`^Incomplete: ${ofPnl} left out\\. Reference [\\w-]+\\.$`))
})

test('marks a file that breaks off as incomplete, and continues with the others', { timeout: 120_000 }, async () => {
	open.failCalls(/download_income_tax/, () => {
		let pulls = 0
		const body = new ReadableStream<Uint8Array>({
			pull(controller) {
				if (pulls++ === 0) controller.enqueue(Buffer.from('PK\u0003\u0004 half'))
				else controller.error(new Error('gone'))
			},
		})
		return new Response(body, { headers: { 'content-type': XLSX } })
	})
	const person = await signedIn(open, 'NEW001')
	const { listed, manifest } = await unpack(await person.send(`/downloads/year-pack?year=${YEAR}`), 'broken')
	expect(manifest.find(({ name }) => name === 'NEW001_INCOME_TAX.xlsx')?.problem).toBe('Not whole: This file was interrupted.')
	expect(listed).toContain('NEW001_CLIENT_MASTER.pdf')
})

test('shows the message of a broker that is down, and sends no empty pack', async () => {
	open.failCalls(/./, () => error(503, 'Back office is not reachable'))
	const person = await client.send(`/downloads/year-pack?year=2023-2024`, { headers: { 'x-download': 'fetch' } })
	expect([person.status, await person.json()]).toEqual([503, { message: 'Back office is not reachable' }])
})

test('stops asking the broker when the client leaves', async () => {
	const answer = await client.send(`/downloads/year-pack?year=${YEAR}`)
	const reader = answer.body?.getReader()
	await reader?.read()
	await reader?.cancel()
	const before = open.asked.length
	// Several requests later. Without the stop, the pack would have requested the remaining files by now.
	for (const page of ['/dashboard', '/myaccount', '/dashboard']) await client.visit(page)
	const asked = open.asked.slice(before).map(({ url }) => new URL(url).pathname)
	expect(asked).toContain('/v2/dashboard/ledger')
	expect(asked.filter((path) => /contract|excel|downloads|download_|reports\/pnl|incometax|global/.test(path))).toEqual([])
})
