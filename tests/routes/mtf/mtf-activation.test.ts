import { beforeEach, describe, expect, test } from 'vitest'
import { atProvider, hidden } from '#tests/support/account'
import { openPortalForFile, ORIGIN, signedIn, type Visitor } from '#tests/support/portal'
import { firstLink, readHeading, readKeys, readTable, readText } from '#tests/support/readers'

const open = openPortalForFile()
beforeEach(() => void (open.asked.length = 0))

const PAGE = '/connect/mtf'
const ESIGN = '/v1/mtf_esign_process'
const answering = (path: string, answer: () => Response | Promise<Response>) =>
	open.breakBroker((request) => (new URL(request.url).pathname === path ? answer() : undefined))
const askedFor = (path: string) => open.asked.filter(({ url }) => new URL(url).pathname === path)

/** The broker carries out the request, and the connection breaks before its reply. */
async function loseAnswerTo(request: Request): Promise<never> {
	open.breakBroker(undefined)
	await fetch(request)
	throw new Error('socket hang up')
}

describe('activating', () => {
	const post = async (visitor: Visitor, more: Record<string, string> = {}) => {
		const { html } = await visitor.visit(PAGE)
		const fields = { ...readKeys(html), ...more }
		return await visitor.postRaw(PAGE, fields)
	}

	test('shows the cost first, with an example', async () => {
		const { html, status } = await (await signedIn(open, 'CASH01')).visit(PAGE)
		const text = readText(html)
		expect(status).toBe(200)
		expect(text).toContain('You buy shares for ₹ 1,00,000.00: ₹ 25,000.00 is yours, and the broker lends ₹ 75,000.00.')
		// On a phone the parts of the sum are below the time.
		const rows = readTable(html, 'What it costs').rows
		expect(rows[1]).toEqual(['30 days Interest ₹ 924.04 Pledge fees ₹ 47.20', '₹ 924.04', '₹ 47.20', '₹ 971.24', '0.97 %'])
		expect(text).toContain('If they fall by a tenth, 40 % of your own money is gone')
		expect(text).toContain('Without the brokerage, taxes and other charges of buying and selling.')
		expect(text).toContain('Activate MTF')
		// The gravest rules stand once, in what is signed; the risks name them.
		expect(text).toContain('If margin or a pledge is missing, the broker sells your shares: see what you sign.')
		for (const rule of [
			/Margin missing:? Add it by the end of the next trading day\. If it is still missing after 5 trading days, the broker sells your shares without asking\./g,
			/Pledge missing:? Confirm it by 21:00 of the trade day\. If it is still missing 5 trading days later, the broker sells those shares at the market price\./g,
		])
			expect(text.match(rule)).toHaveLength(1)
	})

	test('redirects to the e-sign, can be left and continued, and is active once signed', async () => {
		const cash = await signedIn(open, 'CASH01')
		const answer = await post(cash)
		expect([answer.status, new URL(answer.headers.get('location') ?? '').pathname]).toEqual([303, '/esign'])
		expect(await askedFor(ESIGN)[0]?.text()).toBe('{}')
		expect(askedFor(ESIGN)[0]?.headers.get('client-code')).toBe('CASH01')
		let page = await atProvider(cash, 'cancel')
		expect(readText(page.html)).toContain('You cancelled the e-sign. Nothing has changed.')
		page = await cash.visit(PAGE)
		expect(readText(page.html)).toContain('Your activation awaits your e-sign.')
		expect(readText((await cash.visit('/dashboard')).html)).toContain('Margin trading facility awaits your e-sign.')
		page = await cash.visit(PAGE)
		expect(readHeading((await cash.visit(firstLink(page.html, '/esign/return?ref='))).html)).toBe('Sign the request')
		page = await atProvider(cash)
		expect(readText(page.html)).toContain('Signed at')
		page = await cash.visit(PAGE)
		expect(readText(page.html)).toContain('You have no funded positions.')
		expect(readText(page.html)).not.toContain('Activate MTF')
		expect(readText((await cash.visit('/dashboard')).html)).not.toContain('Margin trading facility waits')
	})

	test('makes one request per form: a double click, a reload, the back button; and again with the same key after a lost reply', async () => {
		const fresh = await signedIn(open, 'NEW001')
		const { html } = await fresh.visit(PAGE)
		const fields = readKeys(html)
		let isLost = true
		open.breakBroker((request) => {
			if (new URL(request.url).pathname !== ESIGN || !isLost) return undefined
			isLost = false
			return loseAnswerTo(request)
		})
		const lost = await fresh.postRaw(PAGE, fields)
		const said = await lost.text()
		expect([lost.status, hidden(said, 'idempotency_key')]).toEqual([503, fields.idempotency_key])
		expect(readText(said)).toContain('this may already have been done. Trying again cannot do it twice.')
		const again = await Promise.all(Array.from({ length: 20 }, () => fresh.postRaw(PAGE, fields)))
		expect(new Set(again.map((answer) => answer.headers.get('location'))).size).toBe(1)
		expect(again[0]?.status).toBe(303)
		expect(new Set(askedFor(ESIGN).map(({ headers }) => headers.get('idempotency-key')))).toEqual(new Set([fields.idempotency_key]))
		const requests = readTable((await fresh.visit('/myaccount/requests')).html, 'Requests').rows
		expect(requests.map(([title]) => title)).toEqual([
			expect.stringMatching(/^Margin trading facility New: Active, limit ₹ 5,00,000\.00 ES-/),
		])
	})

	test('belongs to one client: another can neither see nor continue the e-sign', async () => {
		const mine = await signedIn(open, 'CLOS01')
		await post(mine)
		const sign = firstLink((await mine.visit(PAGE)).html, '/esign/return?ref=ES-')
		expect((await mine.visit(sign)).status).toBe(200)
		const stranger = await signedIn(open, 'DEMO01')
		const { status, html } = await stranger.visit(sign)
		expect([status, html.includes('Sign again')]).toEqual([404, false])
		const { html: own } = await stranger.visit('/connect/mtf')
		const taken = await stranger.postRaw(sign, { csrf: hidden(own, 'csrf') || hidden((await stranger.visit('/funds')).html, 'csrf') })
		expect(new URL(taken.headers.get('location') ?? '/', ORIGIN).pathname).not.toBe('/esign')
	})

	test('is not offered to a client with a debt, and says why', async () => {
		const { html } = await (await signedIn(open, 'DEBT01')).visit(PAGE)
		expect(readText(html)).toMatch(/Clear the ₹ [\d,]+\.\d\d that you owe before MTF\. Add funds/)
		expect(readText(html)).not.toContain('Activate MTF')
	})

	test('redirects to no address that is not allowed', async () => {
		const leaver = await signedIn(open, 'CLOS01')
		for (const away of ['https://evil.test/x', 'http://portal.test/esign', 'javascript:alert(1)', 'https://esign.test@evil.test/']) {
			answering(ESIGN, () => Response.json({ status: 'success', message: '', data: away }))
			const answer = await post(leaver)
			const html = await answer.text()
			expect([away, answer.status, answer.headers.get('location')]).toEqual([away, 502, null])
			expect(readText(html)).toContain('the e-sign page because its address is not approved')
		}
	})

	test('uses only the checkbox of the form', async () => {
		const leaver = await signedIn(open, 'CLOS01')
		const mean = { client_code: 'DEMO01', limit: '99999999', interest_rate: '0' }
		await post(leaver, mean)
		const sent = askedFor(ESIGN).at(-1)
		expect([sent?.headers.get('client-code'), await sent?.text()]).toEqual(['CLOS01', '{}'])
		expect((await leaver.postRaw(PAGE, { csrf: 'x' })).status).toBe(403)
	})
})
