import { describe, expect, test } from 'vitest'
import { listBids } from '#tests/support/bids'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { error } from '#tests/support/report-links'
import { firstOption, hidden, parsePage, readText, readTitle } from '#tests/support/readers'

const opened = openPortalForFile()

const BID = '/ipo/v1/bid/bidSubmit'
const APPLICATIONS = '/v1/ours/ipo-applications'
const KONKAN = '/connect/ipo/KONKANLOG'
const NOVA = '/connect/ipo/NOVATEC'

type Fields = Record<string, string>

async function review(visitor: Visitor, page: string, fields: Fields = {}) {
	const { html } = await visitor.visit(page)
	const typed = {
		category: 'IND',
		BOId: firstOption(html, 'BOId'),
		upi_id: 'me@examplebank',
		'bids[0].quantity': '100',
		'bids[0].price': page === NOVA ? '500' : '150',
		...fields,
	}
	return await visitor.postRaw(page, { csrf: hidden(html, 'csrf'), ...typed })
}

/** The hidden fields of the open confirmation. */
async function confirmation(visitor: Visitor, page: string): Promise<Fields> {
	const { html } = await visitor.visit(`${page}?dialog=confirm`)
	const form = html.slice(html.indexOf('page-dialog'))
	return { csrf: hidden(html, 'csrf'), intent: 'submit', draft: hidden(form, 'draft'), idempotency_key: hidden(form, 'idempotency_key') }
}

const bidCalls = () => opened.asked.filter(({ url, method }) => method === 'POST' && url.includes(BID))

describe('a bid', () => {
	test('is refused with the valid values, and keeps the typed ones', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const wrong: [Fields, string][] = [
			[{ category: '' }, 'Select a category'],
			[{ category: 'EMP' }, 'Select a category'],
			[{ BOId: '1300000000999999' }, 'Select a demat account'],
			[{ upi_id: 'nobank' }, 'Enter a UPI ID in the correct format, like name@bank'],
			[{ upi_id: '' }, 'Enter a UPI ID in the correct format, like name@bank'],
			[{ 'bids[0].quantity': '150' }, 'Quantity must be a multiple of 100'],
			...['0', '-100', '1e9', '0x64', '１００', 'NaN', '100.0', ''].map((quantity): [Fields, string] => [
				{ 'bids[0].quantity': quantity },
				'Enter the quantity in shares',
			]),
			[{ 'bids[0].price': '150.01' }, 'Price must be between ₹ 142.00 and ₹ 150.00'],
			[{ 'bids[0].price': '149.999' }, 'Price must be in steps of ₹ 1.00'],
			[{ 'bids[0].price': '149.5' }, 'Price must be in steps of ₹ 1.00'],
			[{ 'bids[0].quantity': '1400' }, 'Bids above ₹ 2,00,000.00 are in the HNI category'],
			[{ category: 'HNI' }, 'Bids up to ₹ 2,00,000.00 are in the individual category'],
			[{ category: 'HNI', 'bids[0].quantity': '1400', 'bids[0].cut_off': 'on' }, 'Cut-off price is not available in HNI'],
		]
		opened.asked.length = 0
		for (const [fields, words] of wrong) {
			const answer = await review(visitor, KONKAN, fields)
			const html = await answer.text()
			expect([fields, answer.status, readText(html)]).toEqual([fields, 400, expect.stringContaining(words)])
			expect(readTitle(html)).toMatch(/^Error: IPO/)
			expect(html).toContain('There is a problem')
		}
		expect(bidCalls()).toEqual([])
	})

	test('grows to three prices and shrinks again without a script', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const { html } = await visitor.visit(KONKAN)
		const intent = hidden(html, '__intent__')
		const answer = await review(visitor, KONKAN, { __intent__: intent })
		const grown = readText(await answer.text())
		expect([answer.status, grown.includes('Bid 2')]).toEqual([200, true])
		expect(grown).toContain('Remove bid 2')
	})

	test('is confirmed, placed once for 20 posts, and shown at its own address', async () => {
		const visitor = await signedIn(opened, 'CLOS01')
		const reviewed = await review(visitor, KONKAN, {
			'bids[0].quantity': '200',
			'bids[0].cut_off': 'on',
			'bids[1].quantity': '100',
			'bids[1].price': '145',
			amount: '1',
			client_code: 'DEMO01',
		})
		expect([reviewed.status, reviewed.headers.get('location')]).toEqual([303, `${KONKAN}?dialog=confirm`])
		const text = readText((await visitor.visit(`${KONKAN}?dialog=confirm`)).html)
		for (const said of [
			'Confirm bid',
			'me@examplebank',
			'200 shares (2 lots) at cut-off',
			'100 shares (1 lot) at ₹ 145.00',
			'₹ 30,000.00',
			'Submit bid',
		])
			expect(text).toContain(said)
		const fields = await confirmation(visitor, KONKAN)
		opened.asked.length = 0
		const answers = await Promise.all(Array.from({ length: 20 }, () => visitor.postRaw(`${KONKAN}?dialog=confirm`, { ...fields })))
		const places = new Set(answers.map((answer) => answer.headers.get('location')))
		expect([places.size, bidCalls().length]).toEqual([1, 1])
		const call = bidCalls()[0]
		expect(new URL(call?.url ?? '').searchParams.get('client_code')).toBe('CLOS01')
		expect(call?.headers.get('idempotency-key')).toBe(fields.idempotency_key)
		expect(await call?.json()).toMatchObject({
			symbol: 'KONKANLOG',
			quantity: 200,
			price: 150,
			amount: 30_000,
			bids: [{ cut_off: true }, { price: 145 }],
		})

		const [place = ''] = places
		const result = readText((await visitor.visit(place ?? '')).html)
		expect(result).toMatch(
			/Bid submitted .*Status Success Message Bid accepted by the exchange.* Application number KH\w+ Bid reference \d{16} Exchange BSE/,
		)
		const dialog = readText(parsePage((await visitor.visit(place ?? '')).html).querySelector('dialog') ?? '')
		// The next step comes first, and only once.
		expect(dialog).toMatch(
			/^Bid submitted Close Accept the mandate in your UPI app by 17:00 on [\d/]{10} ?\. Otherwise the bid is void\. Issue Konkan/,
		)
		expect(dialog).not.toMatch(/Bid status|Mandate status/)
		expect(dialog).toMatch(/See bid report$/)
		// The back button: a finished bid is not placed again, and the page says so.
		const again = await visitor.postRaw(`${KONKAN}?dialog=confirm`, fields)
		expect(again.headers.get('location')).toBe(place)
		// A bid that is reviewed again is another order. Where the portal cannot know the first one, the broker refuses it.
		opened.breakBroker(({ url }) => (new URL(url).pathname === APPLICATIONS ? error(500, 'Try later') : undefined))
		await review(visitor, KONKAN)
		opened.breakBroker(undefined)
		const fresh = await confirmation(visitor, KONKAN)
		expect(fresh.idempotency_key).not.toBe(fields.idempotency_key)
		const second = await visitor.postRaw(`${KONKAN}?dialog=confirm`, fresh)
		expect([second.status, await second.text()]).toEqual([422, expect.stringContaining('An application for this issue already exists')])
		expect(new Set(await listBids(visitor)).size).toBe(1)
		expect((await (await signedIn(opened, 'CASH01')).visit(place ?? '')).status).toBe(404)
	})

	test('with a lost reply is placed once, says so, and is found again with the same key', async () => {
		const visitor = await signedIn(opened, 'DEBT01')
		await review(visitor, KONKAN)
		const fields = await confirmation(visitor, KONKAN)
		const { fetch: ask } = globalThis
		let isLost = true
		opened.breakBroker(async (request) => {
			if (!request.url.includes(BID) || !isLost) return undefined as unknown as Response
			isLost = false
			await ask(request)
			throw new Error('the connection died')
		})
		const lost = await visitor.postRaw(`${KONKAN}?dialog=confirm`, fields)
		const html = await lost.text()
		expect([lost.status, readText(html)]).toEqual([
			503,
			expect.stringContaining('this may already have been done. Trying again cannot do it twice'),
		])
		const shown = html.slice(html.indexOf('page-dialog'))
		expect(hidden(shown, 'idempotency_key')).toBe(fields.idempotency_key)
		expect((await confirmation(visitor, KONKAN)).idempotency_key).toBe(fields.idempotency_key)
		const retried = await visitor.postRaw(`${KONKAN}?dialog=confirm`, fields)
		expect(retried.headers.get('location')).toMatch(/^\/connect\/ipo\/bids\/KH/)
		expect(await listBids(visitor)).toHaveLength(1)
	})

	test('reviewed in another tab in the meantime is not submitted unseen', async () => {
		const visitor = await signedIn(opened, 'NEW001')
		await review(visitor, KONKAN)
		const first = await confirmation(visitor, KONKAN)
		await review(visitor, KONKAN, { 'bids[0].quantity': '200' })
		opened.asked.length = 0
		const answer = await visitor.postRaw(`${KONKAN}?dialog=confirm`, first)
		expect([answer.status, readText(await answer.text())]).toEqual([422, expect.stringContaining('reviewed meanwhile')])
		expect(bidCalls()).toEqual([])
	})

	test('of 5,00,000.00 is placed online; with one lot more it is a form and places nothing', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const hni = { category: 'HNI', 'bids[0].quantity': '1000' }
		expect((await review(visitor, NOVA, hni)).headers.get('location')).toBe(`${NOVA}?dialog=confirm`)
		opened.asked.length = 0
		const early = await visitor.send('/downloads/ipo/NOVATEC')
		expect([early.status, bidCalls().length]).toEqual([303, 0])
		const large = await review(visitor, NOVA, { ...hni, 'bids[0].quantity': '1100', upi_id: '' })
		expect(large.headers.get('location')).toBe(`${NOVA}?dialog=form`)
		const { html } = await visitor.visit(`${NOVA}?dialog=form`)
		expect(readText(html)).toContain('Download bid form (PDF) : ipo NOVATEC Change the bid')
		expect(readText(html)).toContain('₹ 5,50,000.00')
		expect(html).not.toContain('Submit bid')
		const file = await visitor.send('/downloads/ipo/NOVATEC')
		expect(file.headers.get('content-disposition')).toContain('filename="CASH01_IPO_NOVATEC.pdf"')
		expect((await file.text()).startsWith('%PDF-')).toBe(true)
		expect(await listBids(visitor)).toEqual([])
	})

	test('refused by the exchange says so, and another can be made', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		await review(visitor, NOVA, { upi_id: 'me@invalid' })
		const answer = await visitor.postRaw(`${NOVA}?dialog=confirm`, await confirmation(visitor, NOVA))
		const { html } = await visitor.visit(answer.headers.get('location') ?? '')
		expect(readText(html)).toMatch(/Bid not placed .*Status Failed Message Invalid UPI ID/)
		expect(html).toContain(`<a href="${NOVA}">bid again</a>`)
		// The page of a closed issue does not exist.
		opened.breakBroker((request) =>
			new URL(request.url).pathname === '/ipo/v1/get-ipo-details' ? error(404, 'No Data Found!') : (undefined as unknown as Response),
		)
		const later = (await visitor.visit(answer.headers.get('location') ?? '')).html
		opened.breakBroker(undefined)
		expect(readText(later)).toContain('No money is blocked for this bid.')
		expect(later).not.toContain('bid again</a>')
	})

	test('with a status that we do not know was not refused: it is shown as the exchange wrote it, and no other bid is offered', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		await review(visitor, NOVA)
		const result = { status: 'PENDING', message: '', application_no: 'KH1234567', bid_reference_no: '', exchange: 'BSE' }
		opened.breakBroker(({ url }) => {
			const { pathname } = new URL(url)
			if (pathname === BID) return Response.json({ status: 'success', message: 'ok', data: [result] })
			return pathname === '/v1/ours/ipo-applications' ? error(404, 'No such call') : undefined
		})
		const answer = await visitor.postRaw(`${NOVA}?dialog=confirm`, await confirmation(visitor, NOVA))
		const text = readText((await visitor.visit(answer.headers.get('location') ?? '')).html)
		expect(text).toMatch(/Bid submitted .*Status PENDING Application number KH1234567 Bid reference — Exchange BSE/)
		expect(text).not.toMatch(/No money is blocked|bid again/)
	})
})
