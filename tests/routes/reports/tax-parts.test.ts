import { expect, test } from 'vitest'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { parsePage, readTable, readText } from '#tests/support/readers'

/* How the long parts of the tax report are shown. */

const opened = openPortalForFile()

const setOff = (LOSS_YEAR: string | null, AMOUNT: number) => ({
	...{ LOSS: 'Business loss', AGAINST: 'Commodity', SECTION: 'Section 71', LOSS_YEAR, AMOUNT },
})
const dividend = (AMOUNT: number) => ({
	...{ EX_DATE: '2025-06-02', SCRIP_NAME: 'A', ISIN: 'INE062A01020', QTY: 1, AMOUNT, IS_BUYBACK: false },
})
const lot = (GAIN: number) => ({
	...{ SEGMENT: 'NSE_CASH', SCRIP_NAME: 'A', SELL_DATE: '2025-06-02', TERM: 'ST', ISIN: 'INE062A01020', QTY: 1, BUY_DATE: '2025-05-02' },
	...{ BUY_RATE: 1, BUY_AMT: 50, SELL_RATE: 1, SELL_AMT: 50 + GAIN, EXPENSES: 0, FMV_31JAN2018: null, COST: 50, GAIN, DAYS: 31 },
})

const rewrite = (path: string, change: (data: Record<string, object>) => void) =>
	opened.rewriteCalls(path, (json) => change(json.data as Record<string, object>))

async function openPage() {
	const visitor = await signedIn(opened, 'DEMO01')
	return async (query = '') => parsePage((await visitor.visit(`/reports/income-tax?year=2025-2026&refresh=1${query}`)).html)
}

test('each line of the set-off has the year of its loss, and the losses of the year and of earlier years have their sums', async () => {
	rewrite('/v1/ours/tax-facts', (facts) => {
		facts.set_off = [setOff('2025-2026', 100.25), setOff('2025-2026', 50), setOff('2022-2023', 7.5), setOff('2024-2025', 2)]
	})
	const section = (await (await openPage())()).querySelector('#set-off')
	expect(section?.querySelectorAll('tbody [data-below]').map((cell) => cell.getAttribute('data-below'))).toEqual([
		...['2025-2026 → Commodity', '2025-2026 → Commodity', '2022-2023 → Commodity', '2024-2025 → Commodity'],
	])
	expect(section?.querySelectorAll('tfoot tr').map((line) => readText(line).replaceAll(/\s+/g, ' ').trim())).toEqual([
		'Of 2025-2026 150.25',
		'Of earlier years 9.50',
		'Total 159.75',
	])
})

test('lots and dividends are folded behind their count and sum, unless the address chooses among them', async () => {
	const read = await openPage()
	const readFold = async (name: string, query = '') => {
		const folds = (await read(query)).querySelectorAll('main section details:has(table)').map((fold) => ({
			line: readText(fold.querySelector('summary') ?? '').trim(),
			isOpen: fold.hasAttribute('open'),
		}))
		return folds.find(({ line }) => line.startsWith(name))
	}
	rewrite('/v1/user/report/incometax', (tax) => {
		tax.rows = [lot(5.5), lot(-20)]
	})
	const lots = '2 lots −₹ 14.50'
	expect(await readFold('2 lots')).toEqual({ line: lots, isOpen: false })
	expect(await readFold('2 lots', '&sort=-gain')).toEqual({ line: lots, isOpen: true })
	expect(await readFold('2 lots', '&columns=all')).toEqual({ line: lots, isOpen: true })
	rewrite('/v1/ours/tax-facts', (facts) => {
		facts.dividends = { ...facts.dividends, rows: [dividend(10), dividend(2.25), dividend(3)] }
	})
	const dividends = '3 dividends ₹ 15.25'
	expect(await readFold('3 dividends')).toEqual({ line: dividends, isOpen: false })
	expect(await readFold('3 dividends', '&sort=-gain')).toEqual({ line: dividends, isOpen: false })
	expect(await readFold('3 dividends', '&columns=all')).toEqual({ line: dividends, isOpen: true })
	// Outside of its fold the link would change nothing that can be seen.
	const page = await read('')
	for (const title of ['lots', 'dividends']) {
		const links = page.querySelectorAll(`#${title} a[href*="columns=all"]`)
		expect(links.map((link) => link.closest('details') !== null)).toEqual([true])
	}
})

const head = (KEY: string, NAME: string, TAX_RATE: string, AFTER_SET_OFF: number) => ({
	...{ KEY, NAME, SECTION: '', TAX_RATE, GAINS: AFTER_SET_OFF, LOSSES: 0, NET: AFTER_SET_OFF, AFTER_SET_OFF, windows: null },
})

/** 1,25,000 are exempt: first 1,14,000 at 12.5 %, then 11,000 at 10 %. 20,000 x 20 % + 2,59,000 x 10 % = 29,900; with 4 % 31,096. */
const taxOf = (ESTIMATED_TAX: number, USED: number) => (facts: Record<string, object>) =>
	Object.assign(facts, {
		heads: [
			head('SHORT_EQUITY_AFTER', 'Short', '20', 20_000),
			head('LONG_EQUITY_BEFORE', 'Long before', '10', 2_70_000),
			head('LONG_EQUITY_AFTER', 'Long after', '12.5', 1_14_000),
			head('BUSINESS_FNO', 'Futures', 'slab', 5_000),
		],
		exemption: { SECTION: 'Section 112A', LIMIT: 1_25_000, USED },
		ESTIMATED_TAX,
	})

test('the estimate is explained head by head, and only as the broker computes it', async () => {
	const read = await openPage()
	rewrite('/v1/ours/tax-facts', taxOf(31_096, 1_25_000))
	const { head: heads, rows, foot } = readTable((await read()).toString(), 'Estimated tax')
	expect([heads, ...rows, foot]).toEqual([
		['Head', 'Taxed', 'Tax'],
		['Short (20 %)', '20,000.00', '4,000.00'],
		['Long before (10 %)', '2,59,000.00', '25,900.00'],
		['Health and education cess (4 %)', '29,900.00', '1,196.00'],
		['Total', '', '31,096.00'],
	])
	for (const [tax, used] of [
		[31_096.01, 1_25_000],
		[31_096, 1_24_999],
	] as const) {
		rewrite('/v1/ours/tax-facts', taxOf(tax, used))
		const page = await read()
		expect(readText(page)).toContain('The estimate includes 4 % cess')
		expect(page.querySelector('#estimate')).toBeNull()
	}
})

test('links at the top lead to the parts of the page', async () => {
	const { html } = await (await signedIn(opened)).visit(`/reports/income-tax?year=2025-2026`)
	const page = parsePage(html)
	const links = page.querySelectorAll('nav[aria-label="On this page"] a')
	const leadTo = links.map((link) => [readText(link), readText(page.querySelector(`${link.getAttribute('href')} h2`) ?? '')])
	expect(leadTo).toEqual([
		['Exemption', 'Exemption and taxes paid'],
		['Advance tax', 'Advance tax: gains by window'],
		['Set-off', 'Set-off of losses'],
		['Losses', 'Losses carried forward'],
		['Lots sold', 'Lots sold'],
		['Dividends', 'Dividends'],
		['Turnover', 'Turnover'],
	])
	expect(readText(html).match(/Estimated tax on/g)).toHaveLength(1)
})
