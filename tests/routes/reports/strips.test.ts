import { expect, test } from 'vitest'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { paiseAfter, paiseIn, parsePage, readTable, readText } from '#tests/support/readers'

/* The main figures above a report. */

function findStrip(html: string) {
	const strip = parsePage(html).querySelector('main dl')
	if (!strip) throw new Error('There are no figures')
	return strip
}

const opened = openPortalForFile()

const hold = (SYMBOL: string, ISIN: string, figures: object) => ({
	...{ ISIN, SYMBOL, SCRIP_NAME: SYMBOL, SECTOR: 'Banks', QTY: 10, FREE_QTY: 10, PLEDGE_QTY: 0, UNSETTLED_QTY: 0 },
	...{ LONG_TERM_QTY: 0, ...figures },
})
const HELD = [
	hold('AXISBANK', 'INE238A01034', {
		AVG_RATE: 100,
		INVESTED: 1000,
		CLOSE_PRICE: 94.995,
		VALUE: 949.95,
		UNREALISED: -50.05,
		UNREALISED_PCT: -5.01,
		DAY_CHANGE: -12.35,
	}),
	hold('SBIN', 'INE062A01020', {
		AVG_RATE: 200,
		INVESTED: 2000,
		CLOSE_PRICE: 201.005,
		VALUE: 2010.05,
		UNREALISED: 10.05,
		UNREALISED_PCT: 0.5,
		DAY_CHANGE: 3.1,
	}),
	hold('GAIL', 'INE129A01019', {
		AVG_RATE: 0,
		INVESTED: 0,
		CLOSE_PRICE: 50,
		VALUE: 500,
		UNREALISED: 0,
		UNREALISED_PCT: 0,
		DAY_CHANGE: 0.5,
	}),
]

/** Ten units whose cost is not known. */
const fact = { MTF_QTY: 0, UNPAID_QTY: 0, PRICE_DAY: '2026-11-20', ACQUIRED_ON: '2026-01-05', LONG_TERM_FROM: '2027-01-06' }
const UNKNOWN = [{ ISIN: 'INE129A01019', UNKNOWN_QTY: 10, UNKNOWN_VALUE: 500, ...fact }]

function sendHolding() {
	opened.breakBroker(({ url }) => {
		const { pathname } = new URL(url)
		if (pathname === '/v2/service/reports/holding') return Response.json({ status: 'success', message: '', data: HELD })
		if (pathname === '/v1/ours/holding-facts') return Response.json({ status: 'success', message: '', data: UNKNOWN })
		return undefined
	})
}

test('shows the unrealised gain of a holding in per cent of the invested amount, without units of unknown cost', async () => {
	sendHolding()
	const visitor = await signedIn(opened, 'DEMO01')
	const read = async (query: string) => readText(findStrip((await visitor.visit(`/reports/holding?refresh=1${query}`)).html)).trim()
	// 3.10 + 0.50 − 12.35 = −8.75, of 3,460.00 + 8.75 the day before; 3.10 of 2,010.05 − 3.10; 0.50 of 500.00 − 0.50.
	// 10.05 − 50.05 = −40.00 of 1,000.00 + 2,000.00 is −1.33 %; 10.05 of 2,000.00 is 0.5025 %.
	expect(await read('')).toBe('Value ₹ 3,460.00 Invested ₹ 3,000.00 Unrealised −₹ 40.00 (−1.33 %) Day change −₹ 8.75 (−0.25 %)')
	expect(await read('&q=sbin')).toBe('Value ₹ 2,010.05 Invested ₹ 2,000.00 Unrealised +₹ 10.05 (+0.50 %) Day change +₹ 3.10 (+0.15 %)')
	expect(await read('&q=gail')).toBe('Value ₹ 500.00 Invested — Unrealised — Day change +₹ 0.50 (+0.10 %)')
})

test('the total of a holding has the percentage of the strip, and a phone shows it below the total', async () => {
	sendHolding()
	const visitor = await signedIn(opened, 'DEMO01')
	const read = async (query: string) => {
		const { html } = await visitor.visit(`/reports/holding?refresh=1${query}`)
		return {
			foot: readTable(html, 'Holding').foot.slice(-2),
			below: parsePage(html).querySelector('tfoot [data-below]')?.getAttribute('data-below'),
		}
	}
	// The figures of the strip, worked out above.
	expect(await read('')).toEqual({ foot: ['−40.00', '−1.33 %'], below: '−1.33 %' })
	expect(await read('&q=sbin')).toEqual({ foot: ['+10.05', '+0.50 %'], below: '+0.50 %' })
	expect(await read('&q=gail')).toEqual({ foot: ['—', '—'], below: undefined })
	// A percentage has the colour of its gain.
	const cells = parsePage((await visitor.visit('/reports/holding?refresh=1')).html).querySelectorAll('.report.many tr > td:last-child')
	expect(cells.map((cell) => [readText(cell), /text-(gain|loss)/.exec(cell.getAttribute('class') ?? '')?.[1]])).toEqual([
		['−5.01 %', 'loss'],
		['+0.50 %', 'gain'],
		['—', undefined],
		['−1.33 %', 'loss'],
	])
})

test('a row of the holding has its average and price below its symbol, and no average when the cost is not known', async () => {
	sendHolding()
	const visitor = await signedIn(opened, 'DEMO01')
	const symbols = parsePage((await visitor.visit('/reports/holding?refresh=1')).html).querySelectorAll('tbody th[data-below]')
	const below = symbols.map((cell) => cell.getAttribute('data-below')?.replaceAll('\u00a0', ' '))
	// Of ten units of GAIL, no cost is known.
	expect(below).toEqual(['avg 100.00 · price 94.995', 'avg 200.00 · price 201.005', 'price 50.00 · cost not known'])
})

test('second lines leave out unknown values', async () => {
	const contract = { COCD: 'NSE_FNO', SYMBOL: 'SBIN', INSTRUMENT: 'FUTSTK', EXPIRY: '2026-12-29', STRIKE: null, OPTION_TYPE: null }
	const open = { BUY_QTY: 750, BUY_AVG: 1063.35, SELL_QTY: 0, SELL_AVG: 0, NET_QTY: 750, MTM: -100, REALISED: 0 }
	const sums = { ISIN: 'INE062A01020', OPEN_QTY: 0, OPEN_AMT: 0, BUY_QTY: 10, BUY_AMT: 2000, SELL_QTY: 0, SELL_AMT: 0, CLOSE_AMT: 2000 }
	const trade = { DATE: '2026-06-01', SETL_NO: null, CONTRACT_NO: null, ISIN: null, AMOUNT: 100, BROKERAGE: 0, CHARGES: 0, NET_AMT: 100 }
	const replies: Record<string, unknown[]> = {
		position: [
			{ ...contract, ...open, SCRIP_NAME: 'A', NET_AVG: 1063.35, CLOSE_PRICE: 990.6 },
			{ ...contract, ...open, SCRIP_NAME: 'B', NET_AVG: null, CLOSE_PRICE: 990.6 },
			{ ...contract, ...open, SCRIP_NAME: 'C', NET_AVG: 1063.35, CLOSE_PRICE: null, EXPIRY: null },
			{ ...contract, ...open, SCRIP_NAME: 'D', NET_AVG: null, CLOSE_PRICE: null, EXPIRY: null },
		],
		'global-summary': [
			{ ...sums, SCRIP_NAME: 'A', CLOSE_QTY: 10, CLOSE_PRICE: 323.4, CLOSE_VALUE: 3234, REALISED: 0, UNREALISED: 1234 },
			{ ...sums, SCRIP_NAME: 'B', CLOSE_QTY: -5, CLOSE_PRICE: 1, CLOSE_VALUE: -5, REALISED: 0, UNREALISED: -0.5 },
			{ ...sums, SCRIP_NAME: 'C', CLOSE_QTY: 0, CLOSE_PRICE: 1, CLOSE_VALUE: 0, REALISED: 12, UNREALISED: 0 },
			{ ...sums, SCRIP_NAME: 'D', CLOSE_QTY: 10, CLOSE_PRICE: 1, CLOSE_VALUE: 10, REALISED: 12, UNREALISED: null },
		],
		'global-details': [
			{ ...trade, SCRIP_NAME: 'A', SIDE: 'BUY', QTY: 5, RATE: 149218, BROKERAGE: 20, CHARGES: 3.6 },
			{ ...trade, SCRIP_NAME: 'B', SIDE: 'SELL', QTY: 1000, RATE: null },
			{ ...trade, SCRIP_NAME: 'C', SIDE: null, QTY: 1000, RATE: 12.3456 },
			{ ...trade, SCRIP_NAME: 'D', SIDE: null, QTY: null, RATE: 1 },
		],
	}
	opened.breakBroker(({ url }) => {
		const rows = replies[new URL(url).pathname.replace('/v2/service/reports/', '')]
		return (
			rows && Response.json({ status: 'success', message: '', data: url.includes('details') ? rows : { filtered_df: rows, totals_df: [] } })
		)
	})
	const visitor = await signedIn(opened, 'DEMO01')
	const read = async (name: string) => {
		const rows = parsePage((await visitor.visit(`/reports/${name}?refresh=1`)).html).querySelectorAll('tbody tr')
		return rows.map((row) => row.querySelector('[data-below]')?.getAttribute('data-below')?.replaceAll('\u00a0', ' '))
	}
	expect(await read('position')).toEqual([
		'expiry 29/12/2026 · avg 1,063.35 · price 990.60',
		'expiry 29/12/2026 · price 990.60',
		'avg 1,063.35',
		undefined,
	])
	expect(await read('global-summary')).toEqual(['10 units · Value 3,234.00', 'Short 5 · Value −5.00', 'Closed', '10 units · Value 10.00'])
	expect(await read('global-details')).toEqual(['Buy 5 × 1,49,218.00 · all charges 23.60', 'Sell', '1,000 × 12.3456', undefined])
})

test('the full width of a bar of a chart is the whole', async () => {
	sendHolding()
	const { html } = await (await signedIn(opened, 'DEMO01')).visit('/reports/holding?refresh=1')
	const section = parsePage(html)
		.querySelectorAll('section')
		.find((each) => readText(each).startsWith('Allocation by holding'))
	// 2,010.05, 949.95 and 500.00
	expect(section?.querySelectorAll('rect.fill-primary').map((bar) => Number.parseFloat(bar.getAttribute('width') ?? ''))).toEqual([
		expect.closeTo(58.09, 1),
		expect.closeTo(27.46, 1),
		expect.closeTo(14.45, 1),
	])
	expect(readText(section ?? html)).toMatch(/SBIN ₹ 2,010.05 58.1 % AXISBANK ₹ 949.95 27.5 % GAIL ₹ 500.00 14.5 %/)
})

test('the Global Summary sums holdings and contracts above the total, whose figures are those of the file', async () => {
	const none = { OPEN_QTY: 0, OPEN_AMT: 0, BUY_QTY: 10, BUY_AMT: 2000, SELL_QTY: 0, SELL_AMT: 0, CLOSE_AMT: 2000, CLOSE_PRICE: 1 }
	const held = { ...none, ISIN: 'INE062A01020', CLOSE_QTY: 10 }
	const rows = [
		{ ...held, SCRIP_NAME: 'AB', CLOSE_VALUE: 2100, REALISED: 5.25, UNREALISED: 100 },
		{ ...held, SCRIP_NAME: 'AC', CLOSE_QTY: 0, CLOSE_VALUE: 0, REALISED: 12, UNREALISED: 0 },
		{ ...none, SCRIP_NAME: 'D FUT', ISIN: null, CLOSE_QTY: -5, CLOSE_VALUE: -5, REALISED: -30.5, UNREALISED: -0.75 },
	]
	opened.breakBroker(({ url }) =>
		url.includes('/reports/global-summary')
			? Response.json({ status: 'success', message: '', data: { filtered_df: rows, totals_df: [] } })
			: undefined,
	)
	const visitor = await signedIn(opened, 'DEMO01')
	const read = async (query: string) => {
		const { html } = await visitor.visit(`/reports/global-summary?refresh=1${query}`)
		const lines = parsePage(html).querySelectorAll('table:has(tfoot) :is(tbody, tfoot) > tr')
		return lines.map((line) => {
			const cells = line.querySelectorAll('> th, > td').map(readText)
			return [cells[1], cells.at(-3), cells.at(-2), cells.at(-1)]
		})
	}
	expect(await read('')).toEqual([
		['AB', '2,100.00', '+5.25', '+100.00'],
		['AC', '0.00', '+12.00', '0.00'],
		['D FUT', '−5.00', '−30.50', '−0.75'],
		['Holdings', '2,100.00', '+17.25', '+100.00'],
		['Contracts', '−5.00', '−30.50', '−0.75'],
		['Total', '2,095.00', '−13.25', '+99.25'],
	])
	const { head, rows: shown } = readTable((await visitor.visit('/reports/global-summary?refresh=1')).html, 'Global Summary')
	expect(shown.map((cells) => cells[head.indexOf('Closing quantity')])).toEqual(['10', '0', 'Short 5'])
	expect(await (await visitor.send('/downloads/global-summary/csv')).text()).toContain(',-5,')
	// With rows of one kind the total says enough.
	expect((await read('&q=a')).map(([name]) => name)).toEqual(['AB', 'AC', 'Total'])
})

test('Global Details begins with brokerage and charges together, which are the charges of Profit & Loss, and signs money in', async () => {
	opened.breakBroker(undefined)
	const visitor = await signedIn(opened, 'DEMO01')
	const { html } = await visitor.visit('/reports/global-details?year=2025-2026')
	const text = readText(findStrip(html))
	const all = paiseAfter(text, 'Brokerage and charges')
	expect(paiseAfter(text, 'Brokerage(?! and)') + paiseAfter(text, 'Other charges')).toBe(all)
	const profit = readText(findStrip((await visitor.visit('/reports/profitnloss?year=2025-2026')).html))
	expect(paiseAfter(profit, 'Charges')).toBe(all)
	// The net of all trades is no answer, so it is only in the foot, with the sentence that says what it is.
	expect(text).not.toContain('Net')
	expect(html.indexOf('not a profit or loss')).toBeGreaterThan(0)
	expect(html.indexOf('not a profit or loss')).toBeLessThan(html.indexOf('<table'))
	const { head, rows } = readTable(html, 'Global Details')
	const [side, net] = ['Side', 'Net'].map((label) => head.findIndex((each) => each.startsWith(label)))
	const sales = rows.filter((each) => each[side ?? -1] === 'Sell')
	expect(sales.length).toBeGreaterThan(0)
	// The net of a sold contract is only its charges.
	expect(sales.some((cells) => /^\+/.test(cells[net ?? -1] ?? ''))).toBe(true)
})

test('Global Details has no total of Net beside a future, whose net is not cash', async () => {
	const trade = { DATE: '2026-06-01', SETL_NO: null, CONTRACT_NO: null, ISIN: null, SIDE: 'BUY', QTY: 5, BROKERAGE: 20, CHARGES: 3.5 }
	const data = [
		{ ...trade, SCRIP_NAME: 'SILVERM 26JUN FUT', RATE: 149218, AMOUNT: 746090, NET_AMT: -746113.5 },
		{ ...trade, SCRIP_NAME: 'Axis Bank Ltd.', RATE: 10, AMOUNT: 50, NET_AMT: -73.5 },
	]
	opened.breakBroker(({ url }) =>
		url.includes('/reports/global-details') ? Response.json({ status: 'success', message: '', data }) : undefined,
	)
	const visitor = await signedIn(opened, 'DEMO01')
	const read = async (query: string) => {
		const { html } = await visitor.visit(`/reports/global-details?refresh=1${query}`)
		return [readTable(html, 'Global Details').foot.slice(-3), readText(html).includes('so Net has no total')]
	}
	expect(await read('')).toEqual([['40.00', '7.00', '—'], true])
	expect(await read('&q=axis')).toEqual([['20.00', '3.50', '−73.50'], false])
})

test('a holding with a row of unknown day change has none', async () => {
	opened.rewriteCalls('/v2/service/reports/holding', (json) => {
		json.data = HELD.map((row, at) => (at === 1 ? { ...row, DAY_CHANGE: null } : row))
	})
	const visitor = await signedIn(opened, 'DEMO01')
	expect(readText(findStrip((await visitor.visit('/reports/holding?refresh=1')).html))).toMatch(/Day change \(incomplete\) —\s*$/)
})

test('shows the same rate on the dashboard', async () => {
	const total = { total_amount: 2960, invested_amount: 3000, day_change: 0 }
	opened.breakBroker(({ url }) => {
		if (url.includes('/v2/dashboard/holding')) return Response.json({ status: 'success', message: '', data: total })
		return url.includes('unknown-cost') ? Response.json({ status: 'success', message: '', data: { holdings: 0, value: 0 } }) : undefined
	})
	const visitor = await signedIn(opened, 'DEMO01')
	const { html } = await visitor.visit('/dashboard?refresh=1')
	expect(readText(html)).toContain('Unrealised −₹ 40.00 (−1.33 %)')
})

test('the profit and loss begins with the sums of the chosen segments, and shows the sums of a search beside it', async () => {
	opened.breakBroker(undefined)
	const visitor = await signedIn(opened, 'DEMO01')
	const { html } = await visitor.visit('/reports/profitnloss')
	expect(html.indexOf('<dl')).toBeLessThan(html.indexOf('>Segments</h2>'))
	const ofSegment = (await visitor.visit('/reports/profitnloss?segment=NSE_CASH')).html
	const segments = readTable(html, 'Segments')
	const equity = segments.rows.find(([name]) => name === 'Equity')
	for (const [page, stated] of [
		[html, segments.foot],
		[ofSegment, equity],
	] as const) {
		const strip = findStrip(page)
		expect(strip.closest('section')).toBeNull()
		const { head, foot } = readTable(page, 'Profit & Loss')
		for (const label of ['Realised', 'Unrealised', 'Charges', 'Net']) {
			const figure = paiseAfter(readText(strip), label)
			expect(figure).toBe(paiseIn(foot[head.findIndex((each) => each.startsWith(label))]))
			expect(figure).toBe(paiseIn(stated?.[segments.head.indexOf(label)]))
		}
	}
	const some = findStrip((await visitor.visit('/reports/profitnloss?q=hdfc')).html).closest('section')
	expect(some && readText(some)).toContain('Securities and contracts')
})

test('the sums above the lots sold add up to their gain: sell amount less cost and expenses', async () => {
	const { html } = await (await signedIn(opened, 'DEMO01')).visit('/reports/income-tax?year=2025-2026')
	const sums = parsePage(html)
		.querySelectorAll('main dl')
		.map((list) => readText(list))
		.find((text) => text.startsWith('Sell amount'))
	const read = (label: string) => paiseAfter(sums ?? '', label)
	expect(read('Expenses')).toBeGreaterThan(0)
	expect(read('Sell amount') - read('Cost used') - read('Expenses')).toBe(read('Gain'))
})
