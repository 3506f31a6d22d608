import { parse } from 'node-html-parser'
import { beforeAll, expect, test } from 'vitest'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { paiseIn, readTable, readText } from '#tests/support/readers'
import { TABLE_PAGES } from '#tests/support/table-pages'

const open = openPortalForFile()
let client: Visitor
beforeAll(async () => {
	client = await signedIn(open)
})

/** Tables in which the order says something: steps of a sum, months and windows of a year, charts, the files of a page. */
const IN_ORDER = [
	/: from ledger to withdrawable$/,
	/: how it adds up$/,
	/^From trades to the ledger$/,
	/^Estimated tax$/,
	/by month|of each month$/,
	/^Advance tax$/,
	/^Statements of /,
	/^Your account$/,
	/^Allocation by /,
]

/** Columns without an order: a running number, buttons, and several figures in one. */
const NO_ORDER = ['#', 'What next', 'Download', 'Apply', 'Subscribed']
/** In these tables the quantity is a field. */
const HAS_FIELDS = ['/dpprocess', '/dpprocess/pledge']

const PAGES = [
	...TABLE_PAGES,
	'/reports/income-tax?year=2024-2025',
	'/reports/holding/INE733E01010',
	'/reports/contractnbill/MX26040601',
	'/connect/ipo/KONKANLOG',
]

function listTables(html: string) {
	return parse(html)
		.querySelectorAll('table')
		.map((table) => ({
			caption: table.querySelector('caption')?.text ?? '',
			heads: table.querySelectorAll('thead th').map((head) => ({
				label: readText(head).replace(' (₹)', ''),
				isSorter: head.querySelector('a, button, label') !== null,
				href: head.querySelector('a')?.getAttribute('href')?.replaceAll('&amp;', '&'),
				sort: head.getAttribute('aria-sort'),
			})),
		}))
}

test.for(PAGES)('%s: every column of every table sorts it', async (page) => {
	const { status, html } = await client.visit(page)
	expect(status).toBe(200)
	const tables = listTables(html)
	expect(tables.length).toBeGreaterThan(0)
	for (const { caption, heads } of tables.filter((table) => !IN_ORDER.some((name) => name.test(table.caption)))) {
		const unsorted = heads.filter(({ isSorter, label }) => !isSorter && !NO_ORDER.includes(label)).map(({ label }) => label)
		expect([caption, unsorted]).toEqual([caption, HAS_FIELDS.includes(page) && unsorted.length > 0 ? ['Quantity'] : []])
	}
})

test.for([
	['/reports/income-tax?year=2024-2025', 'Dividends', 'Amount'],
	['/reports/income-tax?year=2024-2025', 'Set-off of losses', 'Amount'],
	['/reports/income-tax?year=2024-2025', 'Turnover', 'Turnover'],
	['/reports/income-tax?year=2024-2025', 'Summary', 'Gains'],
	['/reports/profitnloss?year=2025-2026', 'Segments', 'Net'],
	['/connect/ipo/KONKANLOG', 'Categories', 'To'],
] as const)('%s: %s has its rows in the order of %s, and other tables stay as they are by default', async ([page, caption, label]) => {
	const { html } = await client.visit(page)
	const follow = (from: string) => {
		const href = listTables(from)
			.find((table) => table.caption === caption)
			?.heads.find((head) => head.label === label)?.href
		if (!href) throw new Error(`${label} has no link`)
		return client.visit(href)
	}
	const up = (await follow(html)).html
	const down = (await follow(up)).html
	const figures = (shown: string) => {
		const { head, rows } = readTable(shown, caption)
		return rows.map((row) => paiseIn(row[head.indexOf(label)]))
	}
	const first = figures(html)
	expect(first.length).toBeGreaterThan(2)
	const ordered = first.toSorted((one, other) => one - other)
	expect(figures(up)).toEqual(ordered)
	expect(figures(down)).toEqual(ordered.toReversed())
	expect(readTable(down, caption).foot).toEqual(readTable(html, caption).foot)
	const sorted = (shown: string) =>
		listTables(shown)
			.find((table) => table.caption === caption)
			?.heads.find((head) => head.label === label)?.sort
	expect([sorted(up), sorted(down)]).toEqual(['ascending', 'descending'])
	for (const other of listTables(html).filter((table) => table.caption !== caption))
		expect([other.caption, readTable(down, other.caption).rows]).toEqual([other.caption, readTable(html, other.caption).rows])
})

test('bank accounts sort by each column, and the default one stays the default', async () => {
	const banks = (html: string) => readTable(html, 'Bank accounts').rows.map((row) => row.join(' '))
	const first = banks((await client.visit('/myaccount/bank')).html)
	expect(first.length).toBeGreaterThan(1)
	const up = banks((await client.visit('/myaccount/bank?sort=banks.bank')).html)
	const down = banks((await client.visit('/myaccount/bank?sort=-banks.bank')).html)
	expect(down).toEqual(up.toReversed())
	expect(up.toSorted()).toEqual(first.toSorted())
})
