import { expect, test } from 'vitest'
import { openPortalForFile, Visitor } from '#tests/support/portal'
import { firstLink, parsePage, readTable, readText } from '#tests/support/readers'

const open = openPortalForFile()

async function visitLots(change: (lot: object) => object[]) {
	const client = new Visitor(open.portal)
	await client.login('DEMO01')
	open.rewriteCalls('/v1/ours/lots', (json) => {
		const data = json.data as { lots: object[] }
		data.lots = change(data.lots[0] ?? {})
	})
	return await client.visit('/reports/holding/INE040A01034')
}

test('the total of the lots has their units, which are all that is held', async () => {
	const { html } = await visitLots((lot) => [
		{ ...lot, QTY: 30 },
		{ ...lot, QTY: 20.5 },
		{ ...lot, QTY: 49.5 },
	])
	const { head, foot } = readTable(html, 'Lots of HDFCBANK')
	expect(foot[head.indexOf('Quantity')]).toBe('100')
})

test('a sale today says whether it is a gain or a loss, and the rate of a gain', async () => {
	const { html } = await visitLots((lot) => [
		{ ...lot, HEAD: 'LONG_EQUITY', TAX_RATE: '12.5', SECTION: 'Section 198', TAX_GAIN: 100 },
		{ ...lot, HEAD: 'LONG_EQUITY', TAX_RATE: '12.5', SECTION: 'Section 198', TAX_GAIN: -350.5 },
		{ ...lot, HEAD: 'SHORT_EQUITY', TAX_RATE: '20', SECTION: 'Section 196', TAX_GAIN: 40 },
		{ ...lot, HEAD: 'SHORT_OTHER', TAX_RATE: 'slab', SECTION: null, TAX_GAIN: 7 },
	])
	expect(readText(html)).toContain(
		'Long-term loss (Section 198) −₹ 250.50 Short-term gain, taxed at 20 % (Section 196) +₹ 40.00 Short-term gain, taxed at your slab +₹ 7.00',
	)
})

test('few lots and trades have no search, and the way back stands above the heading', async () => {
	const few = await visitLots((lot) => [lot])
	const many = await visitLots((lot) => Array.from({ length: 10 }, () => lot))
	const client = new Visitor(open.portal)
	await client.login('DEMO01')
	const bills = await client.visit('/reports/contractnbill?year=2025-2026')
	const note = await client.visit(firstLink(bills.html, '/reports/contractnbill/NC'))
	expect([few, many, note].map(({ html }) => parsePage(html).querySelectorAll('input[name=q]').length)).toEqual([0, 1, 0])
	expect(readText(few.html)).toMatch(/Back to Holding HDFCBANK/)
	expect(readText(note.html)).toMatch(/Back to Contract\/Bill Contract note/)
})

test('a contract number of Global Details leads to the note of its trade', async () => {
	const client = new Visitor(open.portal)
	await client.login('DEMO01')
	const { html } = await client.visit('/reports/global-details?year=2025-2026&q=NC0')
	const { head, rows } = readTable(html, 'Global Details')
	const link = parsePage(html).querySelector('td a[href^="/reports/contractnbill?"]')
	const list = await client.visit(link?.getAttribute('href') ?? '')
	const bills = readTable(list.html, 'Contract/Bill').rows
	expect(bills.map(([, date, , settlement, , document]) => [date, settlement, document])).toEqual([
		[rows[0]?.[head.indexOf('Date')], rows[0]?.[head.indexOf('Settlement')], 'Contract note'],
	])
	const note = await client.visit(firstLink(list.html, '/reports/contractnbill/NC'))
	expect(readText(note.html)).toContain(`Contract note ${readText(link ?? '')}`)
})

test('the name of a contract keeps its month and kind together, and is found as it was copied', async () => {
	const client = new Visitor(open.portal)
	await client.login('DEMO01')
	const { html } = await client.visit('/reports/global-summary?year=2025-2026')
	const name = />([^<>]*\d\d[A-Z]{3}\u00a0FUT)</.exec(html)?.[1] ?? ''
	expect(name).not.toBe('')
	const found = readTable(
		(await client.visit(`/reports/global-summary?year=2025-2026&q=${encodeURIComponent(name)}`)).html,
		'Global Summary',
	)
	expect(found.rows.map(([, shown]) => shown)).toEqual([name.replace('\u00a0', ' ')])
})
