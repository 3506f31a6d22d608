import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { type Browser } from './browsers'
import { type EngineSite, listEngines, login, openEngineSite, WAIT } from './engine-site'

/* The six main journeys in Firefox and WebKit: the ledger, money in and out, a change by OTP and e-sign, a pledge and a bid. */

const PORTS = { tls: 8446, http: 3346, foreign: 8447 }
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

let site: EngineSite
beforeAll(async () => {
	// The sandbox's own pages: the bank, the e-sign provider and the depository.
	site = await openEngineSite(PORTS, async ({ method = 'GET', url = '/', headers }, body, { forward }) => {
		const request = new Request(`https://localhost:${PORTS.foreign}${url}`, {
			method,
			headers: { 'content-type': headers['content-type'] ?? '' },
			body: method === 'POST' ? body : undefined,
		})
		const answer = await forward(request)
		return { status: answer.status, location: answer.headers.get('location') ?? undefined, html: await answer.text() }
	})
})
afterAll(() => site.close())

/** The engines use the same books, so each has its own clients for journeys that can be made only once. */
const CLIENTS = {
	Firefox: { change: 'CASH01', mobile: '98200 00007', withdrawal: 'DEMO01', bid: 'CASH01' },
	WebKit: { change: 'NEW001', mobile: '98200 00008', withdrawal: 'CASH01', bid: 'CLOS01' },
}

describe.each(listEngines(8451, 98))('$name', ({ name, start }) => {
	let browser: Browser
	const clients = CLIENTS[name]
	beforeAll(async () => void (browser = await start()))
	afterAll(() => browser.stop())

	const visit = (path: string) => browser.open(site.origin + path)
	const seeText = (text: string | RegExp) => vi.waitFor(async () => expect(await browser.readText()).toMatch(text), WAIT)
	/** Runs a script with the first visible element that `find` names; waits until there is one. */
	const withElement = (find: string, act: string) =>
		vi.waitFor(async () => {
			const isDone = await browser.run(`const found = ${find}; if (!found) return false; ${act}; return true`)
			expect(isDone, find).toBe(true)
		}, WAIT)
	const findField = (label: string) =>
		`[...document.querySelectorAll('label')].find((each) => each.innerText.trim().startsWith(${JSON.stringify(label)}) && each.control)?.control`
	/** Types with the same events as a person. */
	const fill = (label: string, value: string) =>
		withElement(
			findField(label),
			`const kind = found instanceof HTMLSelectElement ? HTMLSelectElement : HTMLInputElement;
			Object.getOwnPropertyDescriptor(kind.prototype, 'value').set.call(found, ${JSON.stringify(value)});
			for (const event of ['input', 'change']) found.dispatchEvent(new Event(event, { bubbles: true }))`,
		)
	const tick = (label: string) => withElement(findField(label), 'if (!found.checked) found.click()')
	/** A button, or else a link, because a tab of the page may have the same text. */
	const press = (words: string) =>
		withElement(
			`['button', 'a'].flatMap((kind) => [...document.querySelectorAll(kind)]).find((each) => each.innerText.trim() === ${JSON.stringify(words)} && each.checkVisibility())`,
			'found.click()',
		)
	const isAt = (origin: string, path: string | RegExp) =>
		vi.waitFor(async () => {
			const { href } = await browser.readAddress()
			expect(href.slice(0, origin.length)).toBe(origin)
			expect(href.slice(origin.length)).toMatch(path)
		}, WAIT)
	const readOtp = async (client: string) => {
		const page = await (await site.open.forward(new Request(`https://localhost/outbox?client=${client}`))).text()
		return /(\d{6}) is the OTP/.exec(page)?.[1] ?? ''
	}

	test('signs in, searches the ledger, and signs out', async () => {
		await login(browser, site.origin, 'DEMO01')
		await visit('/reports/ledger?year=2025-2026')
		await seeText('Opening balance')
		await fill('Search', 'no such entry')
		await press('Apply')
		await seeText('No entries match “no such entry”.')
		await browser.run(`document.querySelector('form[action^="/logout"] button').click()`)
		await vi.waitFor(async () => expect((await browser.readAddress()).pathname).toBe('/login'), WAIT)
	})

	test('adds money', async () => {
		await login(browser, site.origin, 'DEBT01')
		await visit('/funds')
		await press('Add funds')
		await seeText('Enter an amount')
		await fill('Amount', '1,600.75')
		await fill('UPI ID', 'me@examplebank')
		await press('Add funds')
		// The bank's page is in a new tab; this one shows the state of the payment, and links to it.
		await seeText('Open the payment page')
		const bank = String(
			await browser.run(`return [...document.links].find((each) => each.innerText.includes('Open the payment page')).href`),
		)
		expect(bank.startsWith(`${site.foreign}/pay?`)).toBe(true)
		await browser.open(bank)
		await press('Pay')
		await isAt(site.origin, /^\/funds\/return\?/)
		await vi.waitFor(async () => expect(await browser.readText()).toMatch('Payment received'), WAIT)
	})

	test('withdraws money: too much, then once', async () => {
		await login(browser, site.origin, clients.withdrawal)
		await visit('/funds/withdraw')
		await tick('Equity')
		await fill('Amount', '99999999')
		await press('Withdraw')
		await seeText('You can withdraw up to')
		await fill('Amount', '2')
		await press('Withdraw')
		await isAt(site.origin, /^\/funds\/payout\?/)
		await vi.waitFor(async () => expect(await browser.readText()).toMatch('₹ 2.00 is on its way'), WAIT)
	})

	test('changes the mobile number: wrong OTP, right OTP, e-sign', async () => {
		await login(browser, site.origin, clients.change)
		await visit('/myaccount/mobile')
		await fill('New mobile number', clients.mobile)
		await press('Send OTP')
		await seeText('OTP sent to')
		const code = await readOtp(clients.change)
		await fill('OTP', code === '111111' ? '222222' : '111111')
		await press('Verify OTP')
		await seeText('There is a problem')
		await fill('OTP', await readOtp(clients.change))
		await press('Verify OTP')
		// The next OTP goes to the new number.
		await seeText(new RegExp(`OTP sent to •+${clients.mobile.slice(-4)}`))
		await fill('OTP', await readOtp(clients.change))
		await press('Verify OTP')
		await isAt(site.origin, /^\/esign/)
		await press('Proceed to e-sign')
		await isAt(site.foreign, /^\/esign/)
		await press('Sign')
		await isAt(site.origin, /^\/esign\/return/)
		await vi.waitFor(async () => expect(await browser.readText()).toMatch('Signed at'), WAIT)
	})

	test('pledges a share', async () => {
		await login(browser, site.origin, 'DEMO01')
		await visit('/dpprocess/pledge')
		await withElement(
			`[...document.querySelectorAll('#pledge table input:not([disabled])')][0]`,
			`Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value').set.call(found, '1'); found.dispatchEvent(new Event('input', { bubbles: true }))`,
		)
		await press('Review')
		await isAt(site.origin, /^\/dpprocess\/pledge\/review\?/)
		await press('Confirm')
		await isAt(site.foreign, /^\/depository\?/)
		await press('Confirm')
		await isAt(site.origin, /^\/dpprocess\/pledge\/return\?/)
		await vi.waitFor(async () => expect(await browser.readText()).toMatch('Pledge confirmed'), WAIT)
	})

	test('bids in an IPO', async () => {
		await login(browser, site.origin, clients.bid)
		await visit('/connect/ipo')
		await press('Konkan Marine Logistics Ltd.')
		await seeText('Review bid')
		await fill('Category', 'IND')
		await fill('UPI ID', 'me@examplebank')
		await fill('Quantity', '150')
		await press('Review bid')
		// The field shows the error at once. The summary comes with the reply, which renders the form again.
		await seeText(/There is a problem[^]*Quantity must be a multiple of 100/)
		await fill('Quantity', '200')
		await tick('Cut-off price')
		await press('Review bid')
		await seeText(/200 shares \(2 lots\) at cut-off/)
		await press('Submit bid')
		await vi.waitFor(async () => expect(await browser.readText()).toMatch(/Bid accepted by the exchange/), WAIT)
	})
})
