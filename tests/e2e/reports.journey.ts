import { execFileSync } from 'node:child_process'
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { offers } from './optional-steps'
import { expect, login, save, test } from './portal'

/* Opens every statement from the menu and saves it in each format; other programs open the files. */

const folder = mkdtempSync(path.join(tmpdir(), 'khata-files-'))

function saveFile({ name, bytes }: { name: string; bytes: Buffer }): string {
	const file = path.join(folder, name)
	writeFileSync(file, bytes)
	return file
}

const CHECKS: Record<string, (file: string) => void> = {
	pdf: (file) => void execFileSync('qpdf', ['--check', file], { stdio: 'ignore' }),
	xlsx: (file) => void execFileSync('unzip', ['-tq', file], { stdio: 'ignore' }),
	zip: (file) => void execFileSync('unzip', ['-tq', file], { stdio: 'ignore' }),
	xls: () => {},
	csv: () => {},
}

const REPORTS: [entry: string, heading: string, files: [link: RegExp, name: string][]][] = [
	[
		'Holding',
		'Holding',
		[
			[/^PDF/, 'DEMO01_HOLDING.pdf'],
			[/^Excel/, 'DEMO01_HOLDING.xlsx'],
			[/^CSV(?! of)/, 'DEMO01_HOLDING.csv'],
		],
	],
	['Position', 'Position', [[/^CSV(?! of)/, 'DEMO01_POSITION.csv']]],
	['Contract/Bill', 'Contract/Bill', [[/^CSV(?! of)/, 'DEMO01_CONTRACTNBILL.csv']]],
	[
		'Profit & Loss',
		'Profit & Loss',
		[
			[/^PDF of Equity/, 'DEMO01_PNL.pdf'],
			[/^Excel of Equity/, 'DEMO01_PNL.xls'],
			[/^CSV(?! of)/, 'DEMO01_PNL.csv'],
		],
	],
	[
		'Global Summary',
		'Global Summary',
		[
			[/^PDF/, 'DEMO01_GLOBAL_SUMMARY.pdf'],
			[/^CSV(?! of)/, 'DEMO01_GLOBAL_SUMMARY.csv'],
		],
	],
	[
		'Global Details',
		'Global Details',
		[
			[/^Excel/, 'DEMO01_GLOBAL_DETAILS.xlsx'],
			[/^CSV(?! of)/, 'DEMO01_GLOBAL_DETAILS.csv'],
		],
	],
	[
		'Income Tax',
		'Income Tax',
		[
			[/^Excel/, 'DEMO01_INCOME_TAX.xlsx'],
			[/^CSV(?! of)/, 'DEMO01_INCOME_TAX.csv'],
		],
	],
]

for (const [entry, heading, files] of REPORTS) {
	test(`reads and saves ${heading}`, async ({ page }) => {
		await login(page)
		await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: entry, exact: true }).click()
		await expect(page.getByRole('heading', { level: 1, name: heading })).toBeVisible()
		await expect(page.getByRole('table').first()).toBeVisible()
		await expect(page.locator('main')).not.toContainText(/NaN|undefined|\[object|Invalid/)
		for (const [link, name] of files) {
			const saved = await save(page, link)
			expect(saved.name).toBe(name)
			expect(saved.bytes.length).toBeGreaterThan(100)
			CHECKS[name.split('.').at(-1) ?? '']?.(saveFile(saved))
		}
	})
}

test('a contract note links to its ledger entry and back, and its PDF is complete', async ({ page }) => {
	await login(page, 'DEMO01', '/reports/contractnbill')
	const bill = page
		.getByRole('table', { name: 'Contract/Bill' })
		.getByRole('link', { name: /^NC\d+$/ })
		.first()
	const number = (await bill.innerText()).trim()
	await bill.click()
	const isWhole = offers('trades and charges of a contract note')
	if (isWhole) await expect(page.getByRole('heading', { name: 'From trades to the ledger' })).toBeVisible()
	else await expect(page.getByRole('heading', { level: 1 })).toContainText(number)
	const pdf = await save(page, /^PDF/)
	expect(pdf.name).toBe(`DEMO01_CONTRACT_${number}.pdf`)
	CHECKS.pdf?.(saveFile(pdf))
	if (!isWhole) return
	await page.locator('dl').getByRole('link').click()
	await expect(page.getByRole('heading', { level: 1, name: 'Ledger' })).toBeVisible()
	await page
		.getByRole('table', { name: 'Ledger' })
		.getByRole('link', { name: /^\d\d\/\d\d\/\d{4}$/ })
		.click()
	await expect(page).toHaveURL(new RegExp(`/reports/contractnbill/${number}$`))
})

test('the year pack is one zip with a list of its files', async ({ page }) => {
	test.slow()
	await login(page, 'DEMO01', '/reports/downloads')
	const pack = await save(page, /Year pack/)
	expect(pack.name).toMatch(/^DEMO01_YEAR_PACK_\d{4}-\d{4}\.zip$/)
	const file = saveFile(pack)
	CHECKS.zip?.(file)
	const manifest = execFileSync('unzip', ['-p', file, 'manifest.csv'], { encoding: 'utf8' })
	expect(manifest).toMatch(/LEDGER\.pdf/)
	expect(manifest).toMatch(/[0-9a-f]{64}/)
})
