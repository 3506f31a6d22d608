import { expect, test } from 'vitest'
import { formatYear } from '#contract/values/financial-year'
import { BROKERS_YEAR } from '#tests/support/brokers-day'
import { openPortalForFile, Visitor } from '#tests/support/portal'

/* Names and bill numbers from the broker that contain markup or formulas: a page and a spreadsheet show them as text. */

const open = openPortalForFile()

/** Free text in the responses of reports. The contract restricts all other fields. */
const TEXTS = new Set([
	'SCRIP_NAME',
	'SYMBOL',
	'NARRATION',
	'SETL_NO',
	'CONTRACT_NO',
	'VOUCHER_TYPE_NAME',
	'RULE',
	'NAME',
	'TURNOVER_METHOD',
])

function rewritten(value: unknown, words: string): unknown {
	if (Array.isArray(value)) return value.map((each) => rewritten(each, words))
	if (typeof value !== 'object' || value === null) return value
	return Object.fromEntries(
		Object.entries(value).map(([name, each]) => [
			name,
			typeof each === 'string' && TEXTS.has(name) ? words.slice(0, /_NO$|SYMBOL/.test(name) ? 20 : 80) : rewritten(each, words),
		]),
	)
}

/** A client whose broker puts these words into all free text. All other fields come from the sandbox. */
async function clientTold(words: string, session = new Visitor(open.portal)): Promise<Visitor> {
	await session.login('DEMO01')
	open.breakBroker(async (request) => {
		if (request.headers.has('x-again') || !/report|ours|excel\/list/.test(new URL(request.url).pathname)) return undefined!
		const headers = new Headers(request.headers)
		headers.set('x-again', '1')
		const answer = await fetch(new Request(request, { headers }))
		if (!answer.headers.get('content-type')?.includes('json')) return answer
		return Response.json(rewritten(await answer.json(), words), { status: answer.status })
	})
	return session
}

const YEAR = formatYear(BROKERS_YEAR)
const PAGES = ['holding', 'position', 'contractnbill', 'profitnloss', 'global-summary', 'global-details', 'income-tax']
const MARKUP = [
	'<img src=x onerror=alert(1)>',
	'</script><script>alert(1)</script>',
	'"><svg onload=alert(1)>',
	'\u2028\u2029<!--<script>',
	'javascript:alert(1)',
	"{{7*7}}${7*7}'-alert(1)-'",
]

test.for(MARKUP)('%s is shown as text in every report', { timeout: 60_000 }, async (words) => {
	const client = await clientTold(words)
	for (const page of PAGES) {
		const { status, html } = await client.visit(`/reports/${page}?year=${YEAR}`)
		expect([page, status]).toEqual([page, 200])
		const shown = words.slice(0, 20).trim().slice(0, 12)
		expect([page, html.includes(escaped(shown))]).toEqual([page, true])
		// In the HTML and in the data beside it: no element from the broker, and no end of the portal's script.
		expect(html).not.toMatch(/<img src=x|<svg onload|<script>alert|<!--<script>|(href|src)="javascript:/i)
		expect(html).not.toMatch(/[\u2028\u2029]<!--/)
		const data = await client.send(`/reports/${page}.data?year=${YEAR}`)
		expect([data.headers.get('content-type'), data.headers.get('x-content-type-options')]).toEqual(['text/x-script', 'nosniff'])
	}
})

/** Text as React escapes it. */
function escaped(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;').replaceAll("'", '&#x27;')
}

const FORMULAS = ['=HYPERLINK("http://evil.test","x")', '+1+cmd|x', '-2+3', '@SUM(A1)', '\t=1+1', '\r=1+1', '\n=1+1', '＝1+1']
/** In the year before, DEMO01 sold shares held for more than a year. */
const SOLD_AFTER_A_YEAR = formatYear(BROKERS_YEAR - 1)
const CSVS = ['holding', 'position', 'contractnbill', 'pnl', 'global-summary', 'global-details', 'income-tax']

test.for(FORMULAS)('%j is text in every CSV, and figures stay figures', { timeout: 60_000 }, async (words) => {
	const client = await clientTold(words)
	for (const file of [...CSVS.map((name) => `${name}/csv`), 'income-tax/schedule-112a']) {
		const answer = await client.send(`/downloads/${file}?year=${file.includes('112a') ? SOLD_AFTER_A_YEAR : YEAR}`)
		expect([file, answer.status]).toEqual([file, 200])
		const [head = [], ...rows] = parseCells((await answer.text()).replace('\uFEFF', ''))
		expect([file, rows.length > 0]).toEqual([file, true])
		expect([file, rows.every(({ length }) => length === head.length)]).toEqual([file, true])
		for (const cell of rows.flat()) {
			// A negative figure is a figure; a spreadsheet would run any other text that begins so.
			if (/^[=+\-@\t\r\n\0＝＋－＠]/.test(cell)) expect([file, cell]).toEqual([file, expect.stringMatching(/^-\d+(\.\d+)?$/)])
		}
		expect([file, rows.flat().some((cell) => cell.startsWith(`'${words.trim().slice(0, 5)}`))]).toEqual([file, true])
	}
	const pnl = parseCells(await (await client.send(`/downloads/pnl/csv?year=${YEAR}`)).text())
	expect(pnl.flat().some((cell) => /^-\d+\.\d\d$/.test(cell))).toBe(true)
})

test('what follows a semicolon or a tab is text in a CSV, also for a spreadsheet that divides there', async () => {
	const client = await clientTold('x;=1+1\t=1+1')
	const csv = await (await client.send(`/downloads/holding/csv?year=${YEAR}`)).text()
	expect(csv).toContain(`"x;'=1+1`)
	expect(csv).not.toMatch(/(^|,)x;/m)
	expect(csv.split(/[;\t\r\n]/).filter((cell) => /^[=+\-@]/.test(cell))).toEqual([])
})

/** The cells of a CSV, including quoted line breaks. */
function parseCells(text: string): string[][] {
	const rows: string[][] = [[]]
	for (const [, quoted, bare, end] of text.matchAll(/(?:"((?:[^"]|"")*)"|([^,\r\n]*))(,|\r\n)/g)) {
		rows.at(-1)?.push(quoted?.replaceAll('""', '"') ?? bare ?? '')
		if (end === '\r\n') rows.push([])
	}
	return rows.slice(0, -1)
}
