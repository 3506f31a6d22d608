import { beforeAll, expect, test } from 'vitest'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { firstLink, listAttributes, paiseIn, readCsv, readHeading, readTable, readText, sum } from '#tests/support/readers'

/* Contract notes: each with its entry in the ledger, its calculation and its PDF. */

const open = openPortalForFile()
let client: Visitor
beforeAll(async () => {
	client = await signedIn(open)
})

const downloadCsv = async (address: string) => readCsv(await (await client.send(address)).text())

test('a contract note adds up to its ledger entry, and each links to the other', async () => {
	const bills = listAttributes((await client.visit('/reports/contractnbill')).html, 'a[href^="/reports/contractnbill/"]', 'href').map(
		(href) => href.slice('/reports/contractnbill/'.length),
	)
	expect(bills.length).toBeGreaterThan(3)
	for (const bill of bills.slice(0, 8)) {
		const note = await client.visit(`/reports/contractnbill/${bill}`)
		expect(readText(note.html)).not.toContain('does not add up')
		const net = /You (?:pay|receive) ₹ ([\d,.]+) /.exec(readText(note.html))?.[1]
		const back = firstLink(note.html, '/reports/ledger/')
		expect([bill, net, back]).not.toContain(undefined)
		// The signed steps add up: the result and the charges make what is paid or received.
		const steps = readTable(note.html, /From (trades|the day’s price) to the ledger/.exec(note.html)?.[0] ?? '').rows
		const made = sum(
			steps.filter(([label]) => /^(Result before|Mark to market|All charges)/.test(label ?? '')).map(([, figure]) => paiseIn(figure)),
		)
		expect(Math.abs(made), bill).toBe(paiseIn(net))
		const ledger = await client.visit(back ?? '')
		expect(readTable(ledger.html, 'Ledger').rows).toHaveLength(1)
		expect(readText(ledger.html)).toContain(net)
		expect(ledger.html).toContain(`/reports/contractnbill/${bill}`)
	}
})

test('an open future is settled daily: its bills add up to its gain so far, and each shows its calculation', async () => {
	const [head = [], ...positions] = await downloadCsv('/downloads/position/csv')
	const ledger = await downloadCsv('/downloads/ledger/csv')
	const [heads = []] = ledger
	const at = (column: string) => heads.indexOf(column)
	for (const [name, symbol, segment] of [
		['State Bank of India', 'SBIN', 'NSE_CASH'],
		['Gold Mini', 'GOLDM', 'MCX'],
	] as const) {
		const position = positions.find((row) => row[head.indexOf('Contract')]?.startsWith(name)) ?? []
		const gain = paiseIn(position[head.indexOf('MTM')])
		const contract = `MTM ${symbol}${/ (\d\d[A-Z]{3}) FUT$/.exec(position[head.indexOf('Contract')] ?? '')?.[1] ?? ''}FUT `
		const bills = ledger.filter((row) => row[at('Narration')]?.startsWith(contract))
		expect(bills.length, contract).toBeGreaterThan(3)
		// Ledger and positions come from different tables: vouchers, and lots at the last close.
		expect([contract, sum(bills.map((row) => paiseIn(row[at('Credit')]) - paiseIn(row[at('Debit')])))]).toEqual([contract, gain])
		const narration = bills.at(-1)?.[at('Narration')] ?? ''
		const line = await client.visit(`/reports/ledger/${segment}?q=${encodeURIComponent(narration)}`)
		expect(readTable(line.html, 'Ledger').rows).toHaveLength(1)
		const address = firstLink(line.html, '/reports/contractnbill/')
		const bill = await client.visit(address)
		const text = readText(bill.html)
		const mark = new RegExp(
			`${name} \\d\\d[A-Z]{3} FUT: ([\\d,]+) × (?:\\(₹ ([\\d,.]+) that day − ₹ ([\\d,.]+) before\\)|₹ [\\d,.]+ that day, less ₹ [\\d,.]+ before)`,
		)
		const [words, units = '', rate, before] = mark.exec(text) ?? []
		expect(words, text).toBeDefined()
		const posted = bills.at(-1)
		// The two prices make the amount that the ledger has.
		if (rate && before)
			expect(Math.round(Number(units.replaceAll(',', '')) * (paiseIn(rate) - paiseIn(before)))).toBe(
				paiseIn(posted?.[at('Credit')]) - paiseIn(posted?.[at('Debit')]),
			)
		expect(text).toContain('Mark to market')
		expect(text).not.toMatch(/does not add up|No trade is on this note|NaN|undefined/)
		const number = address.split('/').at(-1) ?? ''
		const list = (await downloadCsv('/downloads/contractnbill/csv')).find((row) => row.includes(number))
		expect(list).toContain('Bill')
		const file = await client.send(`/downloads/contract/${number}`)
		expect(
			Buffer.from(await file.arrayBuffer())
				.subarray(0, 5)
				.toString(),
		).toBe('%PDF-')
	}
	const tie = readText((await client.visit('/reports/profitnloss')).html)
	expect(tie).toMatch(/Mark to market of open futures .*?₹ [\d,.]+/)
	expect(tie).not.toContain('These lines make')
})

test('downloads a note’s PDF by bill number; another client’s note does not exist', async () => {
	const [line] = (await downloadCsv('/downloads/contractnbill/csv')).slice(1)
	const bill = line?.[2] ?? ''
	const file = await client.send(`/downloads/contract/${bill}`)
	expect(file.headers.get('content-disposition')).toContain(`filename="DEMO01_CONTRACT_${bill}.pdf"`)
	expect(
		Buffer.from(await file.arrayBuffer())
			.subarray(0, 5)
			.toString(),
	).toBe('%PDF-')
	const other = await signedIn(open, 'CASH01')
	expect((await other.send(`/reports/contractnbill/${bill}`)).status).toBe(404)
	expect((await other.send(`/downloads/contract/${bill}`)).headers.get('location')).toBe('/reports/contractnbill')
	// Bill numbers are free text, so the broker is asked; without a file the link leads back to the page with the reason.
	for (const odd of ['..%2F..%2Fetc%2Fpasswd', 'NC%00', `${'A'.repeat(50)}`]) {
		const { status, headers } = await client.send(`/downloads/contract/${odd}`)
		expect([status >= 400 || headers.get('location') === '/reports/contractnbill', headers.get('content-disposition')]).toEqual([
			true,
			null,
		])
	}
	expect((await client.visit('/reports/contractnbill')).html).not.toMatch(/file_path|\.pdf"/)
})

test.for(['/reports/contractnbill/XX0000', '/reports/contractnbill/NOSUCH01'])('%s is not a bill: 404, with a heading', async (address) => {
	const { status, html } = await client.visit(address)
	expect(status).toBe(404)
	expect(readHeading(html)).toBe('Contract note')
	expect(readText(html)).not.toContain('Try again')
})
