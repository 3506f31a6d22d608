import { expect, test } from 'vitest'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { listAttributes, readText } from '#tests/support/readers'

const opened = openPortalForFile({ SANDBOX_ONLY_REQUIRED: '501' })

test('offers no file of charges or dividends at a broker that has no call for them', async () => {
	const { html } = await (await signedIn(opened, 'DEMO01')).visit('/reports/downloads?year=2024-2025')
	const files = listAttributes(html, 'main a', 'href')
	expect(files).toContain('/downloads/pnl/csv?year=2024-2025')
	expect(files.filter((href) => /charges|dividends/.test(href))).toEqual([])
})

test('a holding and a tax report without the calls of their own start with the answer', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	opened.rewriteCalls('/v1/user/report/incometax', (json) => {
		const { summary } = json.data as { summary: object }
		Object.assign(summary, { short_term: 100.5, long_term: -20, speculative: 0, futures_options: 5.25, commodity: 1, dividend: 10 })
	})
	const tax = readText((await visitor.visit('/reports/income-tax?year=2024-2025&refresh=1')).html)
	// 100.50 − 20.00 + 5.25 + 1.00 + 10.00
	expect(tax).toContain('Net of all heads +₹ 96.75')
	opened.breakBroker(undefined)
	const holding = readText((await visitor.visit('/reports/holding/INE733E01010')).html)
	expect(holding).toMatch(/Value ₹ [\d,]+\.\d\d Symbol NTPC .*Invested ₹ [\d,]+\.\d\d/)
})
