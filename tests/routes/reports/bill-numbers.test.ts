import { expect, test } from 'vitest'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { firstLink, listAttributes, readText } from '#tests/support/readers'

const open = openPortalForFile()

test('a bill number that a broker uses again each year names the bill of the chosen year', async () => {
	const bill = { BILL_NO: '1', SETL_NO: null, COCD: 'NSE_CASH', DOC_TYPE: 'CONTRACT NOTE' }
	const bills = [
		{ ...bill, BILL_DATE: '2024-05-02', BILL_AMT: 100, file_path: 'first' },
		{ ...bill, BILL_DATE: '2025-05-02', BILL_AMT: 200, file_path: 'second' },
	]
	const paths: string[] = []
	open.breakBroker(async (request) => {
		const { pathname, searchParams } = new URL(request.url)
		if (pathname === '/v1/ours/contract-note') return Response.json({ status: 'error', message: 'No such call' }, { status: 404 })
		if (pathname === '/v1/reports/contractbills') return Response.json({ status: 'success', message: '', data: bills })
		if (!pathname.includes('contract')) return undefined
		paths.push(decodeURIComponent(searchParams.toString() + (await request.text())))
		return new Response('%PDF-1.4', { headers: { 'content-type': 'application/pdf' } })
	})
	const client = await signedIn(open)
	const read = async (query: string) => readText((await client.visit(`/reports/contractnbill/1?${query}`)).html)
	expect(await read('year=2024-2025')).toContain('100.00')
	expect(await read('year=2025-2026')).toContain('200.00')
	await client.send('/downloads/contract/1?year=2024-2025')
	await client.send('/downloads/contract/1?year=2025-2026')
	// A year without such a bill.
	await client.send('/downloads/contract/1?year=2026-2027')
	expect(paths.map((asked) => /first|second/.exec(asked)?.[0])).toEqual(['first', 'second', 'first'])
})

test('two rows with one number on one day have a page and a file each', async () => {
	const bill = { BILL_NO: 'B7', BILL_DATE: '2026-11-18', SETL_NO: null, DOC_TYPE: 'CONTRACT NOTE' }
	const bills = [
		{ ...bill, COCD: 'NSE_CASH', BILL_AMT: -100, file_path: 'equity' },
		{ ...bill, COCD: 'MCX', BILL_AMT: 200, file_path: 'commodity' },
		{ ...bill, BILL_NO: 'B8', COCD: 'MCX', BILL_AMT: 300, file_path: 'alone' },
	]
	const paths: string[] = []
	open.breakBroker(async (request) => {
		const { pathname, searchParams } = new URL(request.url)
		// The broker's own note has a number only, so it cannot be the right one for both.
		if (pathname === '/v1/ours/contract-note') return Response.json({ status: 'error', message: 'Asked by number' }, { status: 500 })
		if (pathname === '/v1/reports/contractbills') return Response.json({ status: 'success', message: '', data: bills })
		if (!pathname.includes('contract')) return undefined
		paths.push(decodeURIComponent(searchParams.toString() + (await request.text())))
		return new Response('%PDF-1.4', { headers: { 'content-type': 'application/pdf' } })
	})
	const client = await signedIn(open)
	const { html } = await client.visit('/reports/contractnbill')
	const pages = new Set(listAttributes(html, 'a[href^="/reports/contractnbill/B7"]', 'href'))
	const amounts = await Promise.all([...pages].map(async (page) => /Amount ₹ (\S+)/.exec(readText((await client.visit(page)).html))?.[1]))
	expect(amounts.sort()).toEqual(['100.00', '200.00'])
	const files = new Set(listAttributes(html, 'td a[href^="/downloads/contract/B7"]', 'href'))
	for (const file of files) await client.send(file)
	expect(paths.map((asked) => /equity|commodity|alone/.exec(asked)?.[0]).sort()).toEqual(['commodity', 'equity'])
	// The page of each leads to its own file.
	const fromPages = await Promise.all([...pages].map(async (page) => firstLink((await client.visit(page)).html, '/downloads/contract/')))
	expect(new Set(fromPages)).toEqual(files)
	expect(html).toContain('"/downloads/contract/B8"')
})

test('a bill without a number, or with one that its page would refuse, has no link', async () => {
	const bill = { BILL_DATE: '2026-11-18', SETL_NO: null, COCD: 'MCX', DOC_TYPE: 'BILL', BILL_AMT: 5, file_path: 'path' }
	const bills = ['', '50%', 'A/7'].map((BILL_NO) => ({ ...bill, BILL_NO }))
	open.breakBroker(({ url }) =>
		url.includes('/v1/reports/contractbills') ? Response.json({ status: 'success', message: '', data: bills }) : undefined,
	)
	const client = await signedIn(open)
	const { html } = await client.visit('/reports/contractnbill')
	expect(new Set(listAttributes(html, 'main table a[href*="contract"]:not([href*="?"])', 'href'))).toEqual(
		new Set(['/reports/contractnbill/A%2F7', '/downloads/contract/A%2F7']),
	)
})
