import { execFileSync } from 'node:child_process'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { envelope, ErrorEnvelope } from '#contract/common'
import { ClientMaster, ReportLinkSession } from '#contract/downloads'
import { PnlBundle, PnlSegmentAnswer } from '#contract/pnl'
import { HoldingReport } from '#contract/reports'
import { IncomeTax } from '#contract/tax'
import { type Books } from '#sandbox/db/open'
import { parseWhole } from '#sandbox/testing/reader'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'
import { unzip } from '#sandbox/testing/zip'

let books: Books
let sandbox: ReturnType<typeof createTestSandbox>
let ask: Awaited<ReturnType<typeof sandbox.signIn>>
beforeAll(async () => {
	books = await openTestBooks()
	sandbox = createTestSandbox(books)
	ask = await sandbox.signIn('DEMO01')
})
afterAll(() => books.close())

const post = (path: string, body: object) => ask(path, { method: 'POST', body: JSON.stringify({ client_code: 'DEMO01', ...body }) })
const readBytes = async (response: Response) => Buffer.from(await response.arrayBuffer())
const readName = (response: Response) => /filename="([^"]+)"/.exec(response.headers.get('content-disposition') ?? '')?.[1]
/** The cells of the row whose first cell has this text. */
const readRow = (sheet: string, first: string) => new RegExp(`<row[^>]*><c[^>]*><is><t[^>]*>${first}</t>.*?</row>`).exec(sheet)?.[0] ?? ''

const PDF = 'application/pdf'
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet'

describe('files', () => {
	test.each([
		['/v1/downloads/download-holdings', PDF, 'DEMO01_HOLDINGS.pdf'],
		['/v1/downloads/download-holdings?download_type=excel', XLSX, 'DEMO01_HOLDINGS.xlsx'],
		['/v1/account_profile/download_global_summary?year=2025', PDF, 'DEMO01_GLOBAL_SUMMARY.pdf'],
		['/v1/excel/download_global_details?year=2025', XLSX, 'DEMO01_GLOBAL_DETAILS.xlsx'],
		['/v1/excel/download_income_tax?year=2024', XLSX, 'DEMO01_INCOME_TAX.xlsx'],
		['/v1/account_profile/download_client_details', PDF, 'DEMO01_CLIENT_DETAILS.pdf'],
		['/v1/excel/download_approved_list?type_name=Margin', XLSX, 'Approved_Margin_List.xlsx'],
		['/v1/excel/download_approved_list?type_name=MTF', XLSX, 'Approved_MTF_List.xlsx'],
		['/v1/excel/download_approved_list?type_name=Collateral', XLSX, 'Approved_Collateral_List.xlsx'],
	])('%s is a whole %s', async (path, type, name) => {
		const response = await ask(path)
		expect([response.status, response.headers.get('content-type'), readName(response)]).toEqual([200, type, name])
		const bytes = await readBytes(response)
		if (type === PDF) {
			expect(bytes.subarray(0, 5).toString()).toBe('%PDF-')
			expect(bytes.subarray(-6).toString()).toContain('%%EOF')
		} else expect(unzip(bytes, 'xl/worksheets/sheet1.xml')).toMatch(/<row>.*<\/sheetData>.*<\/worksheet>$/s)
	})

	test('have the figures of the reports', async () => {
		const workbook = await readBytes(await ask('/v1/downloads/download-holdings?download_type=excel'))
		const sheet = unzip(workbook, 'xl/worksheets/sheet1.xml')
		const { data } = parseWhole(envelope(HoldingReport), await (await ask('/v2/service/reports/holding?dataYear=2026')).json())
		for (const row of data) expect(sheet).toContain(`<v>${(row.VALUE / 100).toFixed(2)}</v>`)
		const total = data.reduce((sum, row) => sum + row.VALUE, 0)
		expect(sheet).toContain(`<v>${(total / 100).toFixed(2)}</v>`)
		expect(sheet).toContain('Cost not known')
		// One lot of GAIL came from another broker. The sentence stands below the total, as the last row.
		const sentence = `1 of ${data.length} with a cost that is not known: in the value, left out of invested and gain.`
		expect(sheet).toMatch(new RegExp(`>Total<.*<row>[^/]*<is><t[^>]*>${sentence}</t></is></c></row></sheetData>`))

		const tax = await readBytes(await ask('/v1/excel/download_income_tax?year=2024'))
		const names = [...unzip(tax, 'xl/workbook.xml').matchAll(/<sheet name="([^"]+)"/g)].map(([, name]) => name)
		expect(names).toEqual([
			'Summary',
			'Advance tax',
			'Set-off of losses',
			'Losses carried forward',
			'Short term',
			'Long term',
			'Intraday',
			'F&amp;O and commodity',
			'Dividends',
			'Charges',
			'Sales without cost',
			'Open lots',
		])
		const report = await (await post('/v1/user/report/incometax', { financial_year: '2024-2025' })).json()
		const { data: expected } = parseWhole(envelope(IncomeTax), report)
		expect(unzip(tax, 'xl/worksheets/sheet6.xml')).toContain(`<v>${(expected.summary.long_term / 100).toFixed(2)}</v>`)
		expect(unzip(tax, 'xl/worksheets/sheet5.xml')).toContain(`<v>${(expected.summary.short_term / 100).toFixed(2)}</v>`)
		const { short_term, long_term, speculative, futures_options, commodity } = expected.summary
		const net = short_term + long_term + speculative + futures_options + commodity
		const summary = unzip(tax, 'xl/worksheets/sheet1.xml')
		expect(readRow(summary, 'Total')).toContain(`<v>${(net / 100).toFixed(2)}</v>`)
		expect(readRow(summary, 'Tax')).toMatch(/^<row/)
		expect(summary).toContain('>Your slab<')
	})

	test('of global details have one line of text in each row', async () => {
		const sheet = unzip(await readBytes(await ask('/v1/excel/download_global_details?year=2025')), 'xl/worksheets/sheet1.xml')
		// Title, heads and more than a hundred trades. A row that needs more lines has a height of its own.
		expect(sheet.match(/<row>/g)?.length).toBeGreaterThan(100)
		expect(sheet.match(/<row ht=/g)).toBeNull()
	})

	test('of profit and loss are a PDF and a workbook of 1997', async () => {
		const pdf = await post('/v1/reports/pnl', { type: 'NSE_CASH', year: '2025', download_type: 'pdf' })
		expect([pdf.headers.get('content-type'), readName(pdf)]).toEqual([PDF, 'DEMO01_PNL.pdf'])
		expect((await readBytes(pdf)).subarray(0, 5).toString()).toBe('%PDF-')
		const xls = await post('/v1/reports/pnl', { type: 'NSE_CASH', year: '2025', download_type: 'xls' })
		expect([xls.headers.get('content-type'), readName(xls)]).toEqual(['application/vnd.ms-excel', 'DEMO01_PNL.xls'])
		expect((await readBytes(xls)).toString('hex', 0, 8)).toBe('d0cf11e0a1b11ae1')
	})

	test('say when a cost is not known, and leave those rows out of the totals, with their count', async () => {
		const download = (download_type: string) => post('/v1/reports/pnl', { type: 'NSE_CASH', year: '2025', download_type })
		const pdf = execFileSync('pdftotext', ['-layout', '-', '-'], { input: await readBytes(await download('pdf')) }).toString()
		expect(pdf).toMatch(/GAIL.* 150 +Cost not known +0 +0\.00 +150 /)
		expect(pdf).toMatch(/Cost not known: 1 of \d+ \(GAIL \(India\) Ltd\.\), left out of costs and gains\./)
		const xls = await readBytes(await download('xls'))
		expect(xls.includes(Buffer.from('left out of costs and gains.', 'utf16le'))).toBe(true)
	})

	test('of contract notes are found by their path', async () => {
		const list = await (
			await post('/v1/reports/contractbills', { from_date: '2026-04-01', to_date: '2026-11-21', company_code: 'MCX' })
		).json()
		const path = (list as { data: { file_path: string }[] }).data[0]?.file_path
		const response = await post('/v1/reports/contract-bills-file', { file_path: path })
		expect([response.status, response.headers.get('content-type')]).toEqual([200, PDF])
		expect((await readBytes(response)).subarray(-6).toString()).toContain('%%EOF')
	})

	test(
		'of contract notes are one page each, numbered in the series of their year and segment, with words for codes',
		{ timeout: 120_000 },
		async () => {
			const asked = { from_date: '2025-04-01', to_date: '2026-11-21', company_code: 'ALL' }
			const { data } = (await (await post('/v1/reports/contractbills', asked)).json()) as {
				data: { file_path: string; DOC_TYPE: string }[]
			}
			const paths = data.filter(({ DOC_TYPE }) => DOC_TYPE === 'CONTRACT NOTE').map(({ file_path }) => file_path)
			expect(paths.length).toBeGreaterThan(50)
			for (const file_path of paths) {
				const pdf = await readBytes(await post('/v1/reports/contract-bills-file', { file_path }))
				const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf }).toString()
				expect(text.match(/Page \d+ of \d+/g), file_path).toEqual(['Page 1 of 1'])
				expect(text, file_path).toMatch(/Note +CN2[56]2[67](NC|NF|CD|MX)\d{7}, bill/)
				// An assignment has no charges, and an exercise only its tax. Every other trade has the exchange's charge.
				expect(text, file_path).toMatch(/Exchange transaction charge|Total charges +0\.00|on options exercised/)
				expect(text, file_path).not.toMatch(/BROKERAGE|NSE_|…/)
				// Gold and silver are settled by delivery, crude oil in cash (MCX contract specifications).
				if (file_path.includes('/MCX/'))
					expect(text, file_path).toMatch(/settled (by delivery, which this broker does not offer|in cash\.)/)
			}
		},
	)

	test('of profit and loss break no ISIN, and name their segment in words', async () => {
		const pdf = await readBytes(await post('/v1/reports/pnl', { type: 'NSE_CASH', year: '2025', download_type: 'pdf' }))
		const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf }).toString()
		// ISINs have eleven characters and a check digit. DEMO01 traded more than ten securities that year.
		expect(text.match(/\bIN[EF][A-Z0-9]{8}\d\b/g)?.length).toBeGreaterThan(10)
		expect(text).not.toMatch(/\bIN[EF][A-Z0-9]{8}(?= |$)/m)
		expect(text).toMatch(/Segment +Equity/)
	})

	test('of a ledger say on each page how many there are', async () => {
		let pages = 0
		for (const year of ['2024', '2025', '2026'])
			for (const type of ['ALL', 'NSE_CASH', 'MCX']) {
				const pdf = await readBytes(await post('/v1/reports/ledger', { type, year, download_type: 'pdf' }))
				const text = execFileSync('pdftotext', ['-layout', '-', '-'], { input: pdf }).toString()
				const count = text.split('\f').length - 1
				expect(text.match(/Page \d+ of \d+/g), `${type} ${year}`).toEqual(
					Array.from({ length: count }, (_, at) => `Page ${at + 1} of ${count}`),
				)
				pages += count
			}
		expect(pages).toBeGreaterThan(18)
	})

	test('of the client master are base64 in JSON', async () => {
		const { data } = envelope(ClientMaster).parse(await (await ask('/v1/downloads/download-client-master')).json())
		expect(Buffer.from(data, 'base64').subarray(0, 5).toString()).toBe('%PDF-')
	})
})

describe('the bundle of profit and loss', () => {
	const bundle = (process_type: string) => post('/v2/service/reports/pnl-summary', { year: '2025', process_type })
	const readState = async () => PnlSegmentAnswer.parse(await (await post('/v1/reports/pnl-segment', { year: '2025' })).json())

	test('does not exist at first, then is made on request and stored with its time', async () => {
		expect((await bundle('old')).status).toBe(404)
		expect(await readState()).toMatchObject({ zip_time: null, is_genearte: false })
		const started = await bundle('new')
		expect(started.status).toBe(202)
		expect(envelope(PnlBundle).parse(await started.json()).data).toEqual({ zip_time: null, is_genearte: false })
		const file = await bundle('old')
		expect([file.status, file.headers.get('content-type'), readName(file)]).toEqual([200, 'application/zip', 'DEMO01_PNL.zip'])
		expect(unzip(await readBytes(file), 'DEMO01_PNL_NSE_CASH.pdf').slice(0, 5)).toBe('%PDF-')
		const { zip_time, is_genearte } = await readState()
		expect([zip_time?.slice(0, 10), is_genearte]).toEqual(['2026-11-21', true])
	})
})

describe('a report link', () => {
	async function makeLink(minutes: number, client = 'CASH01') {
		const { data } = await sandbox.control('POST', '/control/report-links', { client, minutes, portal: 'https://portal.test' })
		return data as { url: string; UserId: string; SessionId: string; Product: string }
	}
	const validate = (link: Record<string, string>) =>
		sandbox.app.request(`/v2/web/validate-report-link?${new URLSearchParams(link).toString()}`)

	test('starts a new session of its client each time', async () => {
		const { url, ...link } = await makeLink(5)
		expect(url).toContain('https://portal.test/client/reports?UserId=CASH01&SessionId=')
		const tokens = await Promise.all(
			[1, 2].map(async () => envelope(ReportLinkSession).parse(await (await validate(link)).json()).data.authToken),
		)
		expect(new Set(tokens).size).toBe(2)
		const headers = { 'auth-token': tokens[0] ?? '', 'client-code': 'CASH01' }
		expect((await sandbox.app.request('/v1/ours/scrip-charges?year=2025', { headers })).status).toBe(200)
		const others = { ...headers, 'client-code': 'DEMO01' }
		expect((await sandbox.app.request('/v1/ours/scrip-charges?year=2025', { headers: others })).status).toBe(403)
	})

	test('is refused with a message that does not make the portal try again', async () => {
		const { url: _, ...link } = await makeLink(5)
		const { url: __, ...old } = await makeLink(0)
		const refusals = await Promise.all(
			[
				{ ...link, UserId: 'DEMO01' },
				{ ...link, Product: 'OTHER' },
				{ ...link, SessionId: '00000000-0000' },
				old,
				{ ...link, UserId: 'x\ny' },
			].map(async (query) => {
				const response = await validate(query)
				return [response.status, ErrorEnvelope.parse(await response.json()).message]
			}),
		)
		expect(refusals).toEqual([
			[401, 'Link is not valid'],
			[401, 'Link is not valid'],
			[401, 'Link is not valid'],
			[410, 'Link has expired'],
			[422, 'Request is not valid'],
		])
	})

	test('is made on a page of the sandbox', async () => {
		const page = await sandbox.app.request('/report-link', {
			method: 'POST',
			body: new URLSearchParams({ client: 'DEMO01', minutes: '30', portal: 'http://127.0.0.1:3000' }),
			headers: { origin: 'http://localhost' },
		})
		expect(await page.text()).toContain('http://127.0.0.1:3000/client/reports?UserId=DEMO01')
	})
})
