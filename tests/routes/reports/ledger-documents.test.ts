import { parse } from 'node-html-parser'
import { beforeAll, expect, test } from 'vitest'
import { readPdf, readWorkbooks, type Workbook } from '#tests/support/office'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { findAttribute, firstLink, readFileName, readTable, readText } from '#tests/support/readers'

/* The ledger page, its PDF and its workbook have the same rows, whether the portal or the broker makes the file. */

const open = openPortalForFile()
let client: Visitor
/** By the words of the case. */
const documents = new Map<string, Documents>()
let workbooks: Map<string, Workbook>

beforeAll(async () => {
	client = await signedIn(open)
	for (const [what, address] of CASES) documents.set(what, await readDocuments(address))
	// LibreOffice starts once for all of them.
	workbooks = await readWorkbooks(new Map([...documents].map(([what, { xlsx }]) => [`${what}.xlsx`, xlsx.bytes])))
}, 120_000)

const tidy = (text: string) => text.replace(/[₹—]/g, '').replace(/\s+/g, ' ').trim()

/** The page without the texts that open below a summary, because files do not explain narrations. */
function withoutFolded(html: string): string {
	const page = parse(html)
	for (const details of page.querySelectorAll('details')) details.set_content(details.querySelector('summary')?.toString() ?? '')
	return page.toString()
}

/** All rows of the page and its totals as lines of text, without the running number. */
async function readPageLines(address: string): Promise<{ lines: string[]; total: string; html: string }> {
	const lines: string[] = []
	for (let page = 1; ; page++) {
		const { html, status } = await client.visit(`${address}&page=${page}`)
		expect(status).toBe(200)
		const { rows, foot } = readTable(withoutFolded(html), 'Ledger')
		lines.push(...rows.map((row) => tidy(row.slice(1).join(' '))))
		if (findAttribute(html, 'a[rel="next"]', 'href') === '') return { lines, total: tidy(foot.slice(-3).join(' ')), html }
	}
}

const linkIn = (html: string, format: string) => firstLink(html, `/downloads/ledger/${format}`)

type SavedFile = { bytes: Uint8Array; name: string }

async function readFile(href: string): Promise<SavedFile> {
	const answer = await client.send(href)
	expect([href, answer.status]).toEqual([href, 200])
	return { bytes: new Uint8Array(await answer.arrayBuffer()), name: readFileName(answer) ?? '' }
}

type Documents = { lines: string[]; total: string; pdf: SavedFile; xlsx: SavedFile; brokersFiles: number }

/** The page at an address and the files that it links to. `brokersFiles` counts the files that the broker was asked for. */
async function readDocuments(address: string): Promise<Documents> {
	open.asked.length = 0
	const { lines, total, html } = await readPageLines(address)
	const pdf = await readFile(linkIn(html, 'pdf'))
	const xlsx = await readFile(linkIn(html, 'xlsx'))
	const brokersFiles = open.asked.filter(({ url }) => new URL(url).pathname === '/v1/reports/ledger').length
	return { lines, total, pdf, xlsx, brokersFiles }
}

const CASES: [what: string, address: string, name: string, period: string, isBrokers: boolean][] = [
	['a year, both ledgers', '/reports/ledger?year=2024-2025', 'DEMO01_LEDGER_2024-2025', '01/04/2024 to 31/03/2025', true],
	['a year, one ledger', '/reports/ledger/MCX?year=2024-2025', 'DEMO01_LEDGER_2024-2025', '01/04/2024 to 31/03/2025', true],
	[
		'other days, both ledgers',
		'/reports/ledger?from=2024-02-01&to=2024-09-30',
		'DEMO01_LEDGER_01-02-2024_30-09-2024',
		'01/02/2024 to 30/09/2024',
		false,
	],
	[
		'other days, one ledger',
		'/reports/ledger/MCX?from=2024-02-01&to=2024-09-30',
		'DEMO01_LEDGER_01-02-2024_30-09-2024',
		'01/02/2024 to 30/09/2024',
		false,
	],
	['a year with margin', '/reports/ledger?year=2024-2025&margin=Y', 'DEMO01_LEDGER_2024-2025', '01/04/2024 to 31/03/2025', false],
	[
		'days without the opening balance',
		'/reports/ledger?filtered=1&from=2024-05-01&to=2024-09-30&segment=NSE_CASH',
		'DEMO01_LEDGER_01-05-2024_30-09-2024',
		'01/05/2024 to 30/09/2024',
		false,
	],
	['what a search found', '/reports/ledger?year=2024-2025&q=dp charges', 'DEMO01_LEDGER_2024-2025', '01/04/2024 to 31/03/2025', false],
	['another order', '/reports/ledger?year=2024-2025&sort=-credit', 'DEMO01_LEDGER_2024-2025', '01/04/2024 to 31/03/2025', false],
]

test.each(CASES)('%s: PDF and workbook have the rows, the period and the name of the page', async (what, _, name, period, isBrokers) => {
	const { lines, total, pdf, xlsx, brokersFiles } = documents.get(what) as Documents
	expect(lines.length).toBeGreaterThan(3)
	expect([pdf.name, xlsx.name]).toEqual([`${name}.pdf`, `${name}.xlsx`])
	expect(brokersFiles).toBe(isBrokers ? 2 : 0)

	const printed = (await readPdf(pdf.bytes)).split('\n').map(tidy)
	expect(printed.join(' ')).toContain(period)
	// A row begins with its date and a voucher number; heads and facts do not.
	const rows = printed.filter((line) => /^\d\d\/\d\d\/\d{4} [A-Z]{2}\d/.test(line))
	expect(rows).toEqual(lines)
	expect(printed.filter((line) => line.startsWith('Total')).map((line) => line.endsWith(total))).toEqual([true])

	const [sheet] = workbooks.get(`${what}.xlsx`) ?? []
	expect(sheet?.title.join(' ')).toContain(period)
	expect(sheet?.title.at(-1)).toBe('Balance: above zero is owed to you (Cr), below zero you owe (Dr).')
	const [head = [], ...body] = sheet?.rows ?? []
	expect(head.slice(0, 9)).toEqual(['Date', 'Voucher', 'Type', 'Segment', 'Settlement', 'Narration', 'Debit', 'Credit', 'Balance'])
	/** The page writes Cr and Dr, the workbook a sign. The page leaves out a zero side. */
	const inWords = (row: string[], zero = '') => {
		const figures = row.slice(6, 8).map((figure) => (figure === '0.00' ? zero : figure))
		const balance = row[8] ?? ''
		const side = balance === '0.00' || balance === '' ? '' : balance.startsWith('-') ? 'Dr' : 'Cr'
		return tidy([...row.slice(0, 6), ...figures, balance.replace('-', ''), side].join(' '))
	}
	expect(body.slice(0, -1).map((row) => inWords(row))).toEqual(lines)
	expect(inWords(body.at(-1) ?? [], '0.00').endsWith(total)).toBe(true)
})

test('the closing balance of all segments is the same on the page, in the PDF, in the workbook and as the sum of both ledgers', async () => {
	const closing = async (address: string) => {
		const { total } = await readPageLines(address)
		return Math.round(Number(/([\d,]+\.\d\d)( Dr| Cr)?$/.exec(total)?.[1]?.replaceAll(',', '')) * 100) * (total.endsWith('Dr') ? -1 : 1)
	}
	const days = 'from=2024-02-01&to=2024-09-30'
	const [all, equity, commodity] = [
		await closing(`/reports/ledger?${days}`),
		await closing(`/reports/ledger/NSE_CASH?${days}`),
		await closing(`/reports/ledger/MCX?${days}`),
	]
	expect(all).toBe((equity ?? 0) + (commodity ?? 0))
	expect(all).not.toBe(0)
})

test('refuses wrong dates with a message, also when the broker fails before the first row', async () => {
	for (const format of ['pdf', 'xlsx']) {
		const wrong = await client.send(`/downloads/ledger/${format}?from=2024-05-31&to=2024-05-01`, { headers: { 'x-download': 'fetch' } })
		expect([wrong.status, await wrong.json()]).toEqual([422, { message: 'Check the dates of the ledger and try again.' }])
		open.failCalls('/v2/service/reports/ledger', () =>
			Response.json({ status: 'error', message: 'Books are closed', data: null }, { status: 500 }),
		)
		const failed = await client.send(`/downloads/ledger/${format}?from=2019-05-01&to=2019-05-31`, { headers: { 'x-download': 'fetch' } })
		expect([failed.status, await failed.json()]).toEqual([502, { message: 'Books are closed' }])
		open.breakBroker(undefined)
	}
	const nothing = await readFile('/downloads/ledger/pdf?from=2001-05-01&to=2001-05-31')
	expect(readText(await readPdf(nothing.bytes))).toContain('No entries in 01/05/2001 to 31/05/2001.')
})
