import { isDeepStrictEqual } from 'node:util'
import { matchRoutes } from 'react-router'
import { beforeAll, describe, expect, test } from 'vitest'
import { runs } from '#sandbox/testing/runs'
import { CASES, type BadRow } from '#tests/support/bad-rows'
import { openPortalForFile, ORIGIN, signedIn } from '#tests/support/portal'
import { parsePage, readText } from '#tests/support/readers'
import { PLACES } from '#tests/support/site-map'

/*
 * A broker that writes figures as text, days in another format, and blanks for missing values. Every page must look the same as with a
 * broker that follows the contract.
 */

const open = openPortalForFile()
const plain = new Map<string, string[]>()

beforeAll(async () => {
	await crawl()
}, 120_000)

async function login() {
	const client = await signedIn(open)
	return client
}

/** One page of each place that pages link to, and each CSV, from a broker that follows the contract. */
async function crawl() {
	const client = await login()
	const all = PLACES.map(({ route }) => ({ path: `/${route}` }))
	const seen = new Set<string>()
	const waiting = all.map(({ path }) => path).filter((path) => !/[:*]/.test(path))
	for (let address = waiting.shift(); address !== undefined; address = waiting.shift()) {
		const { pathname } = new URL(address, ORIGIN)
		const name = pathname.endsWith('/csv') ? pathname : (matchRoutes(all, pathname)?.[0]?.route.path ?? '')
		if (seen.has(name) || isNoReport(pathname)) continue
		seen.add(name)
		const { status, html } = await client.visit(address)
		if (status !== 200) continue
		plain.set(address, show(html))
		for (const [, href = ''] of html.matchAll(/<a\b[^>]*?\bhref="(\/[^"#]*)/g)) waiting.push(href.replaceAll('&amp;', '&'))
	}
}

/** Pages before login or without figures, files made by the broker, and the list of issues, whose figures change every second. */
const isNoReport = (path: string) =>
	/^\/(logout|login|theme|activity|health|forgot-password|client|maintenance|error404|rekyc|esign|downloads\/ipo-issues)/.test(path) ||
	(path.startsWith('/downloads/') && !path.endsWith('/csv'))

/** The page without the parts that change with every request: the time, keys, and the subscription of an issue. */
function show(html: string): string[] {
	return html
		.replace(/^[\s\S]*<\/head>/, '')
		.replace(/<script\b[\s\S]*?<\/script>/g, '')
		.replace(/ value="[\w-]{16,}[^"]*"/g, '')
		.replace(/\d\d:\d\d:\d\d|[\d.]+×/g, 'NOW')
		.split('<')
}

/** The differences of a page. */
function compare(html: string, expected: readonly string[]): string[] {
	const lines = show(html)
	return lines.flatMap((line, at) => (line === expected[at] ? [] : [`${expected[at]} -> ${line}`])).slice(0, 5)
}

type Write = (value: unknown, key: string) => unknown

/** Every value of a reply, written differently, with fields that are not in the contract; the envelope's values stay. */
function rewrite(write: Write) {
	const walk = (value: unknown, key: string): unknown => {
		if (Array.isArray(value)) return value.map((each) => walk(each, key))
		if (typeof value !== 'object' || value === null) return write(value, key)
		return {
			...Object.fromEntries(Object.entries(value).map(([name, each]) => [name, walk(each, name)])),
			BROKERS_OWN: { a: [1] },
			'': 'x',
		}
	}
	return (json: unknown) => walk(json, '')
}

const grouped = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 4 })
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const BALANCES = new Set(['BALANCE', 'DUE_AMT', 'BILL_AMT', 'LEDGER_AMT', 'OBLIGATION', 'ledger', 'ledger_balance', 'total_ledger_balance'])
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/
const MOMENT = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$/

const FIGURES: ((figure: number) => string)[] = [
	(figure) => grouped.format(figure),
	(figure) => (figure < 0 ? `(₹ ${grouped.format(-figure)})` : `₹ ${grouped.format(figure)}`),
	String,
]
const writeBalance = (figure: number) => `${grouped.format(Math.abs(figure))} ${figure < 0 ? 'Dr' : 'Cr'}`
const DAYS: ((year: string, month: string, day: string) => string)[] = [
	(year, month, day) => `${day}/${month}/${year}`,
	(year, month, day) => `${day}-${month}-${year}`,
	(year, month, day) => `${day}-${MONTHS[Number(month) - 1]}-${year}`,
	(year, month, day) => `${year}-${month}-${day}T00:00:00`,
]
/** Names and narrations, which others than the broker may have written, and words of the broker: with blanks around them too. */
const TURNED = /name$|^narration$|^remarks$|^sector$|^mode$/i
const BLANKS = ['', '-', 'N/A']

function writeInIndia(moment: string): string {
	const india = new Date(Date.parse(moment) + 330 * 60_000).toISOString()
	return `${india.slice(8, 10)}-${MONTHS[Number(india.slice(5, 7)) - 1]}-${india.slice(0, 4)} ${india.slice(11, 19)}`
}

/** Writes the values in turn in each way. `turn` decides which value begins. */
function writeInTurn(turn: number): Write {
	let count = turn
	const next = <Way>(ways: readonly Way[]) => ways[count++ % ways.length] as Way
	return (value, key) => {
		if (value === null) return next(BLANKS)
		if (typeof value === 'number') return BALANCES.has(key) && count % 2 === 0 ? writeBalance(value) : next(FIGURES)(value)
		if (typeof value === 'boolean') return value ? 'Y' : 'N'
		if (typeof value !== 'string') return value
		if (MOMENT.test(value)) return writeInIndia(value)
		const [, year = '', month = '', day = ''] = DAY.exec(value) ?? []
		if (day) return next(DAYS)(year, month, day)
		return TURNED.test(key) ? ` \u202E${value}\u00A0 ` : value
	}
}

describe('shows every page and CSV the same with figures, days, moments, flags and blanks in the ways of brokers, unknown fields, and turned names', () => {
	test.each(Array.from({ length: runs(1, 4) }, (_, turn) => turn))('beginning with way %i', { timeout: 60_000 }, async (turn) => {
		expect(plain.size).toBeGreaterThan(40)
		const write = rewrite(writeInTurn(turn))
		expect(write([{ a: -1500.5, b: '2026-11-05' }])).toEqual([
			{
				a: ['-1,500.5', '(₹ 1,500.5)', '-1500.5'][turn % 3],
				b: expect.not.stringMatching(DAY) as unknown,
				BROKERS_OWN: { a: [1] },
				'': 'x',
			},
		])
		await expectSame(write)
	})
})

async function expectSame(change: (json: unknown) => unknown) {
	const client = await login()
	open.rewriteAll(change)
	for (const [address, expected] of plain) {
		const { status, html } = await client.visit(address)
		expect([address, status]).toEqual([address, 200])
		expect(compare(html, expected), address).toEqual([])
	}
}

const ODD: [string, (row: BadRow, of: (typeof CASES)[number]) => void][] = [
	['text of 219 characters', (row, { text }) => void (text && (row[text] = 'ab '.repeat(73)))],
	['a code that nobody knows', (row, { word }) => void (word && (row[word] = 'Brand new status'))],
	['a code in small letters', (row, { word }) => void (word && (row[word] = String(row[word]).toLowerCase()))],
	['numbers in place of text', (row, { text }) => void (text && (row[text] = 4711))],
	['a path with spaces and letters of any script', (row) => void ('file_path' in row && (row.file_path = 'नोट/contract note (1).PDF'))],
	[
		'parts of a unit',
		(row) => {
			for (const name of Object.keys(row)) if (/^(?!min_bid).*qty$/i.test(name) && typeof row[name] === 'number') row[name] += 0.125
		},
	],
]

/** For each oddity, the lists that it changed. */
const changed = new Map<string, string[]>(ODD.map(([what]) => [what, []]))

test.each(CASES)('$name keeps every row with odd values', async (of) => {
	const client = await signedIn(open)
	const count = (html: string) => parsePage(html).querySelectorAll('tbody th[scope="row"]').length
	const read = async (change: (rows: BadRow[]) => void) => {
		open.rewriteCalls(of.path, (json) => {
			const rows = (of.rows ? (json.data as Record<string, unknown>)[of.rows] : json.data) as BadRow[]
			if (rows.length === 0 && of.sample) rows.push({ ...of.sample })
			change(rows)
		})
		const { status, html } = await client.visit(`${of.page}${of.page.includes('?') ? '&' : '?'}refresh=1`)
		expect(status).toBe(200)
		return html
	}
	let sent: BadRow[] = []
	const whole = count(await read((rows) => (sent = structuredClone(rows))))
	for (const [what, spoil] of ODD) {
		const spoilt = structuredClone(sent)
		for (const row of spoilt) spoil(row, of)
		// This list has no field of that kind.
		if (isDeepStrictEqual(spoilt, sent)) continue
		changed.get(what)?.push(of.name)
		const odd = await read((rows) => rows.forEach((row) => spoil(row, of)))
		expect([what, count(odd)]).toEqual([what, whole])
		expect(readText(odd), what).not.toMatch(/could not be|\bNaN\b|undefined|\[object|Invalid Date/)
		const isUnsure = of.isSummedByWord === true && what === 'a code that nobody knows'
		expect([what, readText(odd).includes('incomplete')]).toEqual([what, isUnsure])
	}
})

test('changes some list with each oddity', () => {
	for (const [what, lists] of changed) expect([what, lists.length > 0]).toEqual([what, true])
	expect([...changed.values()].flat().length).toBeGreaterThan(60)
})
