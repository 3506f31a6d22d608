import { expect, test } from 'vitest'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { firstLink, parsePage, readTable, readText } from '#tests/support/readers'

const open = openPortalForFile()

async function visitLots(change: (lot: object) => object[]) {
	const client = await signedIn(open)
	open.rewriteCalls('/v1/ours/lots', (json) => {
		const data = json.data as { lots: object[] }
		data.lots = change(data.lots[0] ?? {})
	})
	return await client.visit('/reports/holding/INE040A01034')
}

test('the total of the lots has all units of the holding', async () => {
	const { html } = await visitLots((lot) => [
		{ ...lot, QTY: 30 },
		{ ...lot, QTY: 20.5 },
		{ ...lot, QTY: 49.5 },
	])
	const { head, foot } = readTable(html, 'Lots of HDFCBANK')
	expect(foot[head.indexOf('Quantity')]).toBe('100')
})

test('a phone has the age of a lot and its tax term below its day, and its gain in per cent below its gain', async () => {
	const figures = { COST: 1000, VALUE: 955, UNREALISED: -45, DAYS: 344, HEAD: 'SHORT_EQUITY' }
	const { html } = await visitLots((lot) => [
		{ ...lot, ...figures },
		{ ...lot, ...figures, COST: null, UNREALISED: null, DAYS: 1, HEAD: 'LONG_EQUITY' },
	])
	const below = parsePage(html)
		.querySelectorAll('table [data-below]')
		.map((cell) => cell.getAttribute('data-below'))
	// −45 ÷ 1,000 = −4.5 %.
	expect(below).toEqual(['344 days, short term', '−4.50 %', '1 day, long term'])
})

test('a sale today shows whether it is a gain or a loss, and the tax rate of a gain', async () => {
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

test('shows the steps from the unrealised gain of the lots to their gain for tax', async () => {
	const first = { COST: 1000, VALUE: 1300.5, UNREALISED: 300.5, CHARGES: 2.15, TAX_COST: 1000, TAX_GAIN: 298.35 }
	// Bought by 31/01/2018, so the cost is 40.00 more.
	const old = { COST: 60, VALUE: 150, UNREALISED: 90, CHARGES: 0.1, TAX_COST: 100, TAX_GAIN: 49.9 }
	const unknown = { COST: null, VALUE: 10, UNREALISED: null, CHARGES: 0, TAX_COST: null, TAX_GAIN: null }
	const read = async (figures: object[]) =>
		/.*If sold today (.*?) Worked out at the last close/.exec(
			readText((await visitLots((lot) => figures.map((each) => ({ ...lot, ...each })))).html),
		)?.[1]
	expect(await read([first, old, unknown])).toMatch(
		/^Unrealised, as above \+₹ 390\.50 Purchase charges, which count as cost \(STT does not\) −₹ 2\.25 What the 31\/01\/2018 rule adds to the cost −₹ 40\.00 Long-term gain, taxed at [^+]* \+₹ 348\.25$/,
	)
	expect(await read([first])).not.toContain('31/01/2018')
	for (const equal of [
		{ ...first, CHARGES: 0, TAX_GAIN: 300.5 },
		{ ...first, TAX_GAIN: 299 },
		{ ...first, CHARGES: null },
	])
		expect(await read([equal])).not.toContain('as above')
})

test('a sale of shares bought today is speculative: its rate, its charges and what it means', async () => {
	const today = { HEAD: 'SPECULATIVE', SECTION: '', TAX_RATE: 'slab', DAYS: 0, COST: 500, TAX_COST: 500, VALUE: 520, UNREALISED: 20 }
	const old = { HEAD: 'LONG_EQUITY', TAX_RATE: '12.5', SECTION: 'Section 198', COST: 100, TAX_COST: 100, VALUE: 150, UNREALISED: 50 }
	const { html } = await visitLots((lot) => [
		{ ...lot, ...old, CHARGES: 1.5, TAX_GAIN: 48.5 },
		{ ...lot, ...today, CHARGES: 0.75, TAX_GAIN: 19.25 },
	])
	expect(readText(html)).toContain(
		// 20 + 50; 50 − 1.50; 20 − 0.75.
		'Unrealised, as above +₹ 70.00 Purchase charges, which count as cost (STT does not) −₹ 1.50 Purchase charges of the shares bought today, as intraday −₹ 0.75 Long-term gain, taxed at 12.5 % (Section 198) +₹ 48.50 Speculative gain, taxed at your slab +₹ 19.25',
	)
	expect(readText(html)).toContain('taxed as speculative business income')
	const { head, rows } = readTable(html, 'Lots of HDFCBANK')
	expect(rows.map((row) => row[head.indexOf('If sold today')])).toEqual(['Long term', 'Speculative'])
	expect(
		parsePage(html)
			.querySelectorAll('[data-below]')
			.map((cell) => cell.getAttribute('data-below')),
	).toContain('Speculative if sold today')
	expect(readText((await visitLots((lot) => [lot])).html)).not.toContain('peculative')
})

test('a contract note names its bill, and writes days as all pages do', async () => {
	const client = await signedIn(open)
	const bills = await client.visit('/reports/contractnbill?year=2025-2026')
	const address = firstLink(bills.html, '/reports/contractnbill/NC')
	const text = readText((await client.visit(address)).html)
	expect(text).toContain(`Bill ${address.split('/').at(-1)}. Equity, traded on`)
	expect(text).toContain('0.015 %. On delivery purchases since 01/07/2020')
	expect(text).toContain('₹ 10 a crore')
	expect(text).not.toMatch(/\d-[A-Z][a-z]{2}-\d{4}/)
})

test('few lots and trades have no search, and the link back is above the heading', async () => {
	const few = await visitLots((lot) => [lot])
	const many = await visitLots((lot) => Array.from({ length: 10 }, () => lot))
	const client = await signedIn(open)
	const bills = await client.visit('/reports/contractnbill?year=2025-2026')
	const note = await client.visit(firstLink(bills.html, '/reports/contractnbill/NC'))
	expect([few, many, note].map(({ html }) => parsePage(html).querySelectorAll('input[name=q]').length)).toEqual([0, 1, 0])
	expect(readText(few.html)).toMatch(/Back to Holding HDFCBANK/)
	expect(readText(note.html)).toMatch(/Back to Contract\/Bill Contract note/)
	expect(readText(note.html)).not.toContain('contract value')
})

test('the day of a trade in Global Details links the note of its contract number', async () => {
	const client = await signedIn(open)
	const { html } = await client.visit('/reports/global-details?year=2025-2026&q=NC0')
	const { head, rows } = readTable(html, 'Global Details')
	const link = parsePage(html).querySelector('th a[href^="/reports/contractnbill?"]')
	const list = await client.visit(link?.getAttribute('href') ?? '')
	const bills = readTable(list.html, 'Contract/Bill').rows
	expect(bills.map(([, date, , settlement, , document]) => [date, settlement, document])).toEqual([
		[rows[0]?.[head.indexOf('Date')], rows[0]?.[head.indexOf('Settlement')], 'Contract note'],
	])
	const note = await client.visit(firstLink(list.html, '/reports/contractnbill/NC'))
	expect(readText(note.html)).toContain(`Contract note ${rows[0]?.[head.indexOf('Contract')]}`)
})

test('the name of a contract keeps its month and kind on one line, and a search finds it as copied', async () => {
	const client = await signedIn(open)
	const { html } = await client.visit('/reports/global-summary?year=2025-2026')
	// As a client copies it, with the non-breaking space.
	const texts = parsePage(html)
		.querySelectorAll('tbody *')
		.map(({ text }) => text)
	const name = texts.find((text) => /^.*\d\d[A-Z]{3}\u00a0FUT$/.test(text)) ?? ''
	expect(name).not.toBe('')
	const found = readTable(
		(await client.visit(`/reports/global-summary?year=2025-2026&q=${encodeURIComponent(name)}`)).html,
		'Global Summary',
	)
	expect(found.rows.map(([, shown]) => shown)).toEqual([name.replace('\u00a0', ' ')])
})

test('a contract note starts with what is paid or received, and puts each figure at the right', async () => {
	const client = await signedIn(open)
	const { html } = await client.visit('/reports/contractnbill/MX26040601')
	// 20.00 + 15.67 + 0.75 + 3.28 + 3.28 + 14.92 + 0.08
	expect(readText(parsePage(html).querySelector('main dl') ?? '')).toMatch(/^You pay ₹ 57\.98 All charges ₹ 57\.98 Voucher \S+$/)
	const below = parsePage(html).querySelector('th[data-below]')?.getAttribute('data-below')?.replaceAll('\u00a0', ' ')
	expect(below).toMatch(/^Buy 5 × 1,49,218\.00 · \d\d:\d\d:\d\d$/)
	const { rows } = readTable(html, 'From trades to the ledger')
	expect(rows.find(([step]) => step === 'All charges')).toEqual(['All charges', '−₹ 57.98'])
	expect(rows[0]).toEqual([
		expect.stringMatching(/^Result before charges .*\. Its contract value is not paid: only its mark to market is,/),
		'₹ 0.00',
	])
	// None of them has a side, so none leaves room for one.
	expect(html).not.toContain('figure max-sm:min-w-26 bare')
	const deducted = parsePage((await client.visit('/reports/ledger/deducted')).html).querySelectorAll('main tbody td')
	for (const cell of deducted)
		expect([readText(cell), cell.classList.contains('bare')]).toEqual([readText(cell), !/ [CD]r$/.test(readText(cell))])
})

test('the lots of a holding start with their value', async () => {
	const { html } = await visitLots((lot) => [
		{ ...lot, COST: 1000, VALUE: 1300.5, UNREALISED: 300.5 },
		{ ...lot, COST: 60, VALUE: 50, UNREALISED: -10 },
	])
	// 1,300.50 + 50.00, 1,000.00 + 60.00, 300.50 − 10.00, of 1,060.00.
	expect(readText(parsePage(html).querySelector('main dl') ?? '')).toBe('Value ₹ 1,350.50 Cost ₹ 1,060.00 Unrealised +₹ 290.50 (+27.41 %)')
})

test.for([
	['/reports/contractnbill/ZZ99999999', 'Back to Contract/Bill', '/reports/contractnbill'],
	['/reports/holding/INE000000000', 'Back to Holding', '/reports/holding'],
] as const)('%s does not exist, and leads back to its list', async ([address, label, list]) => {
	const client = await signedIn(open)
	const { status, html } = await client.visit(address)
	expect(status).toBe(404)
	const links = parsePage(html).querySelectorAll('main a')
	expect(links.map((link) => [readText(link), link.getAttribute('href')])).toEqual(
		expect.arrayContaining([
			[label, list],
			['Go to Dashboard', '/dashboard'],
		]),
	)
	// Nothing has failed, so no reference for support.
	const text = readText(parsePage(html).querySelector('main') ?? '')
	expect(text).not.toContain('quote reference')
	if (address.includes('holding')) expect(text).toContain('You do not hold this security, or all of it was sold. No Data Found!')
})
