import { expect, test } from 'vitest'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { parsePage, readText } from '#tests/support/readers'

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
