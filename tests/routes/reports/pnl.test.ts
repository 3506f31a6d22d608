import { beforeAll, beforeEach, expect, test } from 'vitest'
import { formatYear } from '#contract/values/financial-year'
import { BROKERS_YEAR } from '#tests/support/brokers-day'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import {
	findAttribute,
	paiseAfter,
	paiseIn,
	parsePage,
	readAll,
	readColumn,
	readCsv,
	readHeading,
	readTable,
	readText,
	sum,
} from '#tests/support/readers'

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
const breakPath = (path: string, answer: (request: Request) => Response | Promise<Response> | undefined) =>
	open.breakBroker((request) => (new URL(request.url).pathname === path ? answer(request) : undefined))

const downloadCsv = async (query: string) => readCsv(await (await client.send(`/downloads/pnl/csv${query}`)).text())

test('has the specified columns, and totals that add up the rows, before and after charges', async () => {
	const { status, html } = await client.visit(`${PAGE}?year=${last}`)
	expect(status).toBe(200)
	expect(readHeading(html)).toBe('Profit & Loss')
	const { head, foot } = readTable(html, 'Profit & Loss')
	expect(head).toEqual(
		'#,Name,ISIN,Buy quantity,Buy average,Buy amount,Sell quantity,Sell average,Sell amount,Open quantity,Price,Realised,Unrealised,Charges,Net'.split(
			',',
		),
	)
	const csv = await downloadCsv(`?year=${last}`)
	expect(csv[0]).toEqual(head)
	const rows = csv.slice(1)
	expect(rows.length).toBeGreaterThan(5)
	const gail = rows.find((row) => row[1]?.startsWith('GAIL'))
	expect([gail?.[4], gail?.[5], gail?.at(-3), gail?.at(-1)]).toEqual(['', '', '', ''])
	const drawn = readTable(html, 'Profit & Loss').rows.find((row) => row[1]?.startsWith('GAIL'))
	expect(drawn?.at(-1)).toBe('—')
	expect(readText(html)).toMatch(/Cost not known for 1 of \d+, left out of the gains: GAIL \(India\) Ltd\. /)
	expect(foot[1]).toBe('Total')
	for (const column of ['Buy amount', 'Sell amount', 'Realised', 'Unrealised', 'Charges', 'Net'])
		expect(paiseIn(foot[head.indexOf(column)]), column).toBe(sum(readColumn(csv, column)))
	const [realised, unrealised, charges, net] = foot.slice(-4).map(paiseIn) as [number, number, number, number]
	expect(net).toBe(realised + unrealised - charges)

	const segments = readTable(html, 'Segments')
	expect(segments.head).toEqual(['Segment', 'Realised', 'Unrealised', 'Charges', 'Net'])
	expect(segments.foot.slice(1).map(paiseIn)).toEqual([realised, unrealised, charges, net])
	expect(readText(html)).toContain('before charges')
	expect(readText(html)).toContain('after charges')
	expect(readText(html)).not.toMatch(/make .* but the broker states|NaN|undefined/)
})

test('charges by kind add up to the charges, and the bridge ends at the ledger’s bills', async () => {
	for (const year of [BROKERS_YEAR, BROKERS_YEAR - 1, BROKERS_YEAR - 2].map(formatYear)) {
		const { html } = await client.visit(`${PAGE}?year=${year}`)
		const charges = paiseIn(readTable(html, 'Segments').foot.at(-2))
		const kinds = readTable(html, 'Charges by kind').foot.slice(-7).map(paiseIn)
		expect(kinds.at(-1)).toBe(charges)
		expect(kinds.slice(0, -1).reduce((sum, kind) => sum + kind, 0)).toBe(charges)
		const text = readText(html)
		expect(text).toMatch(/How this ties to the ledger .* Bills of the year Equity .* Balance at the end Equity ledger /)
		expect(text).toContain('Realised, before charges')
		expect(text).toContain('Difference ₹ 0.00')
		expect(text).not.toContain('These lines make')
		expect(text).not.toContain('in the table of segments')
		expect(text).not.toContain('The bills of the segments')
	}
})

test('the kinds of charges are above their table, and sum to its total', async () => {
	const { html } = await client.visit(`${PAGE}?year=${last}`)
	const section = parsePage(html)
		.querySelectorAll('main section')
		.find((each) => readText(each.querySelector('h2') ?? '') === 'Charges by kind')
	const strip = readText(section?.querySelector('dl') ?? '')
	const { foot } = readTable(html, 'Charges by kind')
	const kinds = ['Brokerage', 'Exchange', 'SEBI', 'GST', 'STT or CTT', 'Stamp duty', 'All charges'].map((kind) => paiseAfter(strip, kind))
	expect(kinds).toEqual(foot.slice(-7).map(paiseIn))
	expect(sum(kinds.slice(0, -1))).toBe(kinds.at(-1))
})

test('long tables are folded under their count and their sum, and open when the address searches or sorts them', async () => {
	const foldsAt = async (query: string) => {
		const { html } = await client.visit(`${PAGE}?year=${last}${query}`)
		const folds = parsePage(html).querySelectorAll('main details:not(.as-table):has(> summary h3), main details:has(caption)')
		const isOpen = (name: string) => folds.find((fold) => readText(fold).trim().startsWith(name))?.hasAttribute('open')
		return { html, isOpen, heads: folds.map((fold) => readText(fold.querySelector('summary') ?? '').trim()) }
	}
	const { html, isOpen, heads } = await foldsAt('')
	const { rows, foot } = readTable(html, 'Charges by kind')
	expect(heads).toContain(`By security and contract (${rows.length}) ₹ ${foot.at(-1)}`)
	const equity = readTable(html, 'Equity: how it adds up').rows.find(([label]) => label === 'Bills in the ledger')
	expect(heads).toContain(`Equity ${equity?.[1]}`)
	expect([isOpen('By security'), isOpen('Equity')]).toEqual([false, false])
	const asked = ['&q=ltd', '&sort=gst', '&columns=all'].map(async (query) => (await foldsAt(query)).isOpen('By security'))
	expect(await Promise.all(asked)).toEqual([true, true, true])
	expect((await foldsAt('&sort=realised')).isOpen('By security')).toBe(false)
})

test('the months add up to the realised profit, of all segments and of one', async () => {
	for (const year of [BROKERS_YEAR, BROKERS_YEAR - 1, BROKERS_YEAR - 2].map(formatYear))
		for (const segment of ['', 'NSE_CASH', 'MCX']) {
			const { html } = await client.visit(`${PAGE}?year=${year}&segment=${segment}`)
			const { head, rows, foot } = readTable(html, 'Realised by month')
			expect(head).toEqual(['Month', 'Realised'])
			expect(foot[0]).toBe('Total')
			expect(sum(rows.map((row) => paiseIn(row[1])))).toBe(paiseIn(foot[1]))
			const shown = readTable(html, 'Profit & Loss')
			expect(paiseIn(foot[1]), `${year} ${segment}`).toBe(paiseIn(shown.foot[shown.head.indexOf('Realised')]))
			expect(readText(html)).not.toContain('The months make')
		}
})

const SUMMED = [
	...['short_term', 'long_term', 'speculative', 'futures_options', 'commodity'],
	...['dividend', 'charges_not_allowed', 'exempt_limit', 'grandfathered'],
]

test('the months say when their sum differs from the report, and a search shows no months', async () => {
	const sale = {
		SEGMENT: 'MCX',
		SCRIP_NAME: 'GOLD',
		SELL_DATE: `${BROKERS_YEAR - 1}-05-04`,
		TERM: 'BUS',
		ISIN: null,
		QTY: 1,
		SELL_RATE: 150.5,
		BUY_RATE: 100,
	}
	breakPath('/v1/user/report/incometax', () =>
		Response.json({
			status: 'success',
			message: '',
			data: {
				summary: Object.fromEntries(SUMMED.map((name) => [name, 0])),
				quarters: [],
				rows: [
					{ ...sale, BUY_DATE: `${BROKERS_YEAR - 1}-04-02`, BUY_AMT: 100, SELL_AMT: 150.5, EXPENSES: 0, COST: 100, GAIN: 50.5, DAYS: 32 },
				],
			},
		}),
	)
	const text = readText((await client.visit(`${PAGE}?year=${last}&refresh=1&segment=MCX`)).html)
	expect(text).toMatch(/The months make \+₹ 50\.50, but the securities and contracts [+−]₹ /)
	expect(readText((await client.visit(`${PAGE}?year=${last}&refresh=1&q=GOLD`)).html)).not.toContain('Realised by month')
})

test('says by how much a bridge does not add up', async () => {
	breakPath('/v1/ours/pnl-tie', () =>
		Response.json({
			status: 'success',
			message: '',
			data: {
				segments: [{ SEGMENT: 'MCX', terms: [{ TERM: 'CHARGES', AMOUNT: -10 }], BILLS: -10.01, DIFFERENCE: 0.01 }],
				ledgers: [{ COCD: 'MCX', FROM: '2025-04-01', TO: '2026-03-31', OPENING: 5, BILLS: -10.01, OTHER: 1, CLOSING: 0 }],
			},
		}),
	)
	const text = readText((await client.visit(`${PAGE}?year=${last}`)).html)
	expect(text).toContain('a difference of ₹ 0.01')
	expect(text).toContain('but the ledger closes at ₹ 0.00')
})

test('one segment shows only its rows and its files; search and sort also apply to the CSV', async () => {
	const { html } = await client.visit(`${PAGE}?year=${last}&segment=NSE_FNO`)
	expect(html).toContain(`/downloads/pnl/pdf?year=${last}&amp;segment=NSE_FNO`)
	expect(readText(html)).toMatch(/PDF : p&l future & options .*Excel : p&l future & options /)
	expect(parsePage(html).querySelector('main a[href*="segment=NSE_CASH"]')?.text).toBe('Equity')
	expect(parsePage(html).querySelector('main nav a[aria-current]')?.text).toBe('Future & Options')
	expect(readText(html)).toContain(`Future & Options · 01/04/${last.slice(0, 4)} to`)
	// The choice of segment and the broker's files are at the top of the page; the CSV of the rows is beside their search.
	expect(html.lastIndexOf('href="/downloads/pnl/xls')).toBeLessThan(html.indexOf('>Segments</h2>'))
	expect(parsePage(html).querySelector('#securities a[href^="/downloads/pnl/csv"]')).not.toBeNull()
	expect(parsePage(html).querySelector('#securities select[name=segment]')).not.toBeNull()
	expect(asked('/v1/user/report/pnl').length).toBeLessThanOrEqual(1)
	const all = await downloadCsv(`?year=${last}`)
	const name = all[1]?.[1] ?? ''
	const found = await downloadCsv(`?year=${last}&q=${encodeURIComponent(name)}&sort=-net`)
	expect(found.length).toBeGreaterThan(1)
	for (const row of found.slice(1)) expect(row.join(' ')).toContain(name)
	const nets = (await downloadCsv(`?year=${last}&sort=-net`)).slice(1).map((row) => (row.at(-1) ? Number(row.at(-1)) : -Infinity))
	expect(nets.at(-1), 'a net that is not known comes last').toBe(-Infinity)
	expect(nets).toEqual([...nets].sort((a, b) => b - a))
})

test('links no segment without figures, since it has no file worth a link', async () => {
	const readChoices = async () => {
		const { html } = await client.visit(`${PAGE}?year=${last}&refresh=1`)
		return readAll(html, 'nav[aria-label="Choice of segment"] a')
	}
	expect(await readChoices()).toEqual(['All', 'Equity', 'Future & Options', 'Currency', 'Commodity'])
	open.rewriteCalls('/v1/reports/pnl-segment', (json) => {
		json.data = (json.data as { SEGMENT: string }[]).filter(({ SEGMENT }) => SEGMENT !== 'CD_NSE')
	})
	expect(await readChoices()).toEqual(['All', 'Equity', 'Future & Options', 'Commodity'])
})

test('reuses a response for a minute, and Refresh asks again', async () => {
	const year = formatYear(BROKERS_YEAR - 3)
	await client.visit(`${PAGE}?year=${year}`)
	const first = asked('/v1/user/report/pnl').length
	await client.visit(`${PAGE}?year=${year}&sort=net`)
	expect(asked('/v1/user/report/pnl')).toHaveLength(first)
	await client.visit(`${PAGE}?year=${year}&refresh=1`)
	expect(asked('/v1/user/report/pnl')).toHaveLength(2 * first)
})

test.for<[part: string, path: string]>([
	['Segments', '/v1/reports/pnl-segment'],
	['Realised by month', '/v1/user/report/incometax'],
	['Charges by kind', '/v1/ours/scrip-charges'],
	['The tie to the ledger', '/v1/ours/pnl-tie'],
])('when %s cannot be loaded it fails alone', async ([what, path]) => {
	for (const answer of [() => error(500, 'Oops'), () => error(403, 'Not for you'), () => new Response('<html>')]) {
		breakPath(path, answer)
		const { status, html } = await client.visit(`${PAGE}?year=${last}&refresh=1`)
		expect(status).toBe(200)
		expect(readText(html)).toContain(`${what} could not be loaded.`)
		expect(readTable(html, 'Profit & Loss').rows.length).toBeGreaterThan(5)
	}
})

test('names one failed segment and says that the total is incomplete; when all fail, the page fails', async () => {
	const of = async (request: Request, type: string) => ((await request.json()) as { type: string }).type === type
	open.breakBroker(async (request) =>
		new URL(request.url).pathname === '/v1/user/report/pnl' && (await of(request, 'MCX')) ? error(500, 'Oops') : undefined!,
	)
	const one = await client.visit(`${PAGE}?year=${last}&refresh=1`)
	expect(one.status).toBe(200)
	expect(readText(one.html)).toContain('Commodity profit and loss could not be loaded.')
	expect(readText(one.html)).toContain('Without Commodity, which could not be loaded.')

	open.breakBroker((request) => (/pnl/.test(request.url) ? error(500, 'Oops') : undefined))
	const all = await client.visit(`${PAGE}?year=${last}&refresh=1`)
	expect(all.status).toBe(502)
	expect(all.html).toContain('aria-label="Main"')
	expect(readHeading(all.html)).toBe('Profit & Loss')
})

test('leaves out the parts whose operation a broker does not have', async () => {
	open.breakBroker((request) => (request.url.includes('/v1/ours/') ? error(404, 'No such call') : undefined))
	const { status, html } = await client.visit(`${PAGE}?year=${last}`)
	expect(status).toBe(200)
	expect(readText(html)).not.toMatch(/could not be loaded|Charges by kind|How this ties/)
})

test('shows empty tables to a client without trades, and a message to a client without commodity', async () => {
	const person = await signedIn(open, 'NEW001')
	const { status, html } = await person.visit(`${PAGE}?year=${last}`)
	expect(status).toBe(200)
	expect(readText(html)).toContain(`Nothing was held or traded in ${last}.`)
	// The account was opened this year, so an earlier year has nothing either.
	expect(findAttribute(html, 'main td a', 'href')).toBe(`/reports/profitnloss?year=${formatYear(BROKERS_YEAR)}`)
	expect(readText(html)).not.toMatch(/could not be loaded|NaN|undefined/)
	const cash = await signedIn(open, 'CASH01')
	expect(readText((await cash.visit(`${PAGE}?segment=MCX`)).html)).toContain('Commodity is not active on your account')
	expect((await cash.visit(PAGE)).html).not.toContain('value="MCX"')
})

test('the line below a name of the profit and loss leads from Realised to Net, and every gain and loss has its colour', async () => {
	const page = parsePage((await client.visit(`${PAGE}?year=${last}`)).html)
	for (const caption of ['Segments', 'Profit & Loss']) {
		const table = page.querySelector(`[aria-label="Table: ${caption}"]`)
		const heads = table?.querySelectorAll('thead th').map((head) => readText(head)) ?? []
		const rows = table?.querySelectorAll('tbody tr') ?? []
		expect(rows.length).toBeGreaterThan(1)
		for (const row of rows) {
			const cells = row.querySelectorAll('> *')
			const read = (head: string) => readText(cells[heads.indexOf(head)] ?? row)
			const below = cells.filter((cell) => cell.getAttribute('data-below'))
			expect(below.every((cell) => heads[cells.indexOf(cell)] === (caption === 'Segments' ? 'Segment' : 'Name'))).toBe(true)
			const said = below[0]?.getAttribute('data-below')?.replaceAll('\u00a0', ' ') ?? ''
			// A part that is zero is left out.
			expect(said).not.toMatch(/ [+−]?0\.00/)
			const steps = said.replace('Charges ', 'Charges −').match(/(?<=(?:Unrealised|Charges) )\S+/g) ?? []
			const net = read('Net (₹)')
			if (net !== '—') expect([said, sum([read('Realised (₹)'), ...steps].map(paiseIn))]).toEqual([said, paiseIn(net)])
			for (const cell of ['Realised (₹)', 'Unrealised (₹)', 'Net (₹)'].map((head) => cells[heads.indexOf(head)] ?? row))
				expect(/text-(gain|loss)/.exec(cell.classNames)?.[1]).toBe({ '+': 'gain', '−': 'loss' }[readText(cell).charAt(0)])
		}
		expect(table?.querySelector('tfoot th')?.getAttribute('data-below')?.replaceAll('\u00a0', ' ')).toMatch(
			/^Unrealised [+−][\d,.]+ · Charges [\d,.]+$/,
		)
	}
})
