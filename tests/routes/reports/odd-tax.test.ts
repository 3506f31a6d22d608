import { beforeAll, expect, test } from 'vitest'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { paiseAfter, readCsv, readTable, readText } from '#tests/support/readers'

/* The tax report of a broker that writes rates and codes in its own way, or leaves figures out. */

const open = openPortalForFile()
let client: Visitor
beforeAll(async () => {
	client = await signedIn(open)
})

type Facts = { data: { heads: Record<string, unknown>[]; dividends: { rows: Record<string, unknown>[] } } }
const rewriteFacts = (change: (facts: Facts['data']) => void) =>
	open.rewriteCalls('/v1/ours/tax-facts', (json) => change((json as unknown as Facts).data))
const visit = async (query: string) => (await client.visit(`/reports/income-tax?${query}&refresh=1`)).html

test('reads the client’s own rate in any spelling, and an own rate of a head as a number', async () => {
	rewriteFacts(() => {})
	const text = readText(await visit('year=2026-2027'))
	const atSlab = paiseAfter(text, 'Income taxed at your slab')
	expect(atSlab).toBeGreaterThan(0)
	rewriteFacts(({ heads }) => {
		for (const head of heads) head.TAX_RATE = head.TAX_RATE === 'slab' ? ' SLAB' : Number(head.TAX_RATE)
	})
	const html = await visit('year=2026-2027')
	expect(paiseAfter(readText(html), 'Income taxed at your slab')).toBe(atSlab)
	const { head, rows } = readTable(html, 'Summary')
	const rates = rows.map((row) => row[head.indexOf('Rate')])
	expect(rates).toContain('Your slab')
	expect(rates).toContain('12.5 %')
	expect(new Set(rates.map((rate = '') => rate.replace(/^[\d.]+ %$/, 'a rate')))).toEqual(new Set(['Your slab', 'a rate']))
})

test('shows an unknown rate as a dash, and says that the income at slab is incomplete', async () => {
	rewriteFacts(({ heads }) => {
		for (const head of heads) if (head.TAX_RATE === 'slab') head.TAX_RATE = null
	})
	const html = await visit('year=2026-2027')
	expect(readText(html)).toContain('Income taxed at your slab (incomplete)')
	const { head, rows } = readTable(html, 'Summary')
	expect(rows.map((row) => row[head.indexOf('Rate')])).toContain('—')
	expect(html).not.toMatch(/>\s*%|\(\s*%\)/)
})

test('writes only known codes of Schedule 112A in the words of the return', async () => {
	open.rewriteCalls('/v1/ours/schedule-112a', (json) => {
		const rows = json.data as Record<string, unknown>[]
		const [first] = rows
		json.data = [
			{ ...first, ACQUIRED: 'ON_OR_BEFORE_31JAN2018', TRANSFERRED: 'BEFORE_23JUL2024' },
			{ ...first, ACQUIRED: 'after_31jan2018', TRANSFERRED: 'ON_OR_AFTER_23JUL2024' },
			{ ...first, ACQUIRED: 'BE', TRANSFERRED: 'AE' },
			{ ...first, ACQUIRED: null, TRANSFERRED: '' },
		]
	})
	const person = await signedIn(open)
	const csv = await (await person.send('/downloads/income-tax/schedule-112a?year=2024-2025')).text()
	expect(
		readCsv(csv)
			.slice(1)
			.map(([, acquired, transferred]) => [acquired, transferred]),
	).toEqual([
		['On or before 31st January 2018', 'Before 23rd July 2024'],
		['After 31st January 2018', 'On or after 23rd July 2024'],
		['BE', 'AE'],
		['', ''],
	])
})

test('sums no tax of dividends that a broker knows for some of them only', async () => {
	const row = { EX_DATE: '2024-08-01', SCRIP_NAME: 'OLD LIMITED', ISIN: 'INE000A01011', QTY: 10, IS_BUYBACK: false }
	rewriteFacts(({ dividends }) => {
		Object.assign(dividends, {
			TOTAL: 20_000,
			TDS: 1500,
			rows: [
				{ ...row, AMOUNT: 15_000, TDS: 1500 },
				{ ...row, AMOUNT: 5000 },
			],
		})
	})
	const { head, foot } = readTable(await visit('year=2024-2025'), 'Dividends')
	expect(foot[head.indexOf('Amount')]).toBe('20,000.00')
	// 1,500.00 and 13,500.00 would be the sums of one row.
	expect(foot.join(' ')).not.toMatch(/1,500\.00|13,500\.00/)
})

test('allows for the rounding of amounts finer than a paisa, and no more', async () => {
	const lot = {
		...{ SEGMENT: 'NSE_CASH', SCRIP_NAME: 'OLD LIMITED', ISIN: 'INE000A01011', QTY: 1, BUY_DATE: '2024-04-01', BUY_RATE: 10 },
		...{ BUY_AMT: 10, SELL_DATE: '2024-08-01', SELL_RATE: 15, SELL_AMT: 15.0044, EXPENSES: 0, FMV_31JAN2018: null, COST: 10 },
		...{ GAIN: 5.0044, TERM: 'ST', DAYS: 122 },
	}
	const read = async (short_term: number) => {
		open.breakBroker(({ url }) => {
			const { pathname } = new URL(url)
			if (pathname === '/v1/ours/tax-facts') return Response.json({ status: 'error', message: 'No such call', data: null }, { status: 404 })
			if (pathname !== '/v1/user/report/incometax') return undefined
			const summary = {
				...{ short_term, long_term: 0, speculative: 0, futures_options: 0, commodity: 0, dividend: 0 },
				...{ charges_not_allowed: 0, exempt_limit: 125_000, grandfathered: 0 },
			}
			return Response.json({ status: 'success', message: '', data: { summary, quarters: [], rows: [lot, lot, lot] } })
		})
		return readText(await visit('year=2024-2025'))
	}
	// 3 × 5.0044 = 15.0132, but the rows show 5.00 each. Three rows and a sum may be off by half a paisa each: by 2 paise.
	expect(await read(15.0132)).not.toContain('do not agree')
	expect(await read(15.03)).toContain('the lots make ₹ 15.00, the broker states ₹ 15.03')
})

test('a broker without windows and without the optional call has unknown windows, not zeros', async () => {
	open.breakBroker(({ url }) => {
		const { pathname } = new URL(url)
		if (pathname === '/v1/ours/tax-facts') return Response.json({ status: 'error', message: 'No such call', data: null }, { status: 404 })
		if (pathname !== '/v1/user/report/incometax') return undefined
		const summary = {
			...{ short_term: 5000, long_term: 0, speculative: 0, futures_options: 0, commodity: 0, dividend: 7000 },
			...{ charges_not_allowed: 0, exempt_limit: 125_000, grandfathered: 0 },
		}
		return Response.json({ status: 'success', message: '', data: { summary, quarters: [], rows: [] } })
	})
	const { head, rows } = readTable(await visit('year=2025-2026'), 'Advance tax')
	expect(head).toHaveLength(7)
	expect(rows.map(([name, ...cells]) => [name, ...cells])).toEqual([
		['Short-term gains (20 %)', '—', '—', '—', '—', '—', '—'],
		['Long-term gains (12.5 %)', '—', '—', '—', '—', '—', '—'],
		['Speculative', '—', '—', '—', '—', '—', '—'],
		['Dividends', '—', '—', '—', '—', '—', '7,000.00'],
	])
})

test('does not list a rate that has ended when its figures are missing, and writes a price of 2018 with commas', async () => {
	const lot = {
		SCRIP_NAME: 'A',
		ISIN: 'INE123A01018',
		BUY_DATE: '2015-04-01',
		SELL_DATE: '2026-08-03',
		QTY: 1,
		SEGMENT: 'NSE_CASH',
		TERM: 'LT',
	}
	const money = { BUY_RATE: 1, BUY_AMT: 1, SELL_RATE: 2, SELL_AMT: 2, EXPENSES: 0, COST: 1, GAIN: 1, DAYS: 4000, FMV_31JAN2018: 1234567.5 }
	const quarter = { short_term_20: 0, long_term_12_5: 1, speculative: 0 }
	const data = {
		summary: { short_term: 0, long_term: 1 },
		quarters: Array(5).fill({ label: 'Q', ...quarter }),
		rows: [{ ...lot, ...money }],
	}
	open.breakBroker(({ url }) => {
		if (url.includes('/v1/ours/tax-facts')) return new Response(null, { status: 501 })
		return url.includes('/v1/user/report/incometax') ? Response.json({ status: 'success', message: '', data }) : undefined
	})
	const html = await visit('year=2026-2027')
	expect(readText(html)).toContain('when a unit was worth ₹ 12,34,567.50.')
	const lines = readTable(html, 'Advance tax').rows.map(([name]) => name)
	expect(lines.filter((name) => name?.includes('-term'))).toEqual([
		expect.stringMatching(/^Short.*20\s%/),
		expect.stringMatching(/^Long.*12\.5\s%/),
	])
})
