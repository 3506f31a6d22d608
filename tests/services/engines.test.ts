import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Browser, startFirefox } from './browsers'
import { type EngineSite, listEngines, login, openEngineSite, WAIT } from './engine-site'

/* Content that Firefox and, when installed, WebKitGTK (Safari's engine) must refuse to show or run. The journeys use Chromium. */

const PORTS = { tls: 8442, http: 3342, foreign: 8443 }
const ORIGIN = `https://localhost:${PORTS.tls}`
/** Another origin: it frames the portal's pages, and it is the e-sign provider. */
const FOREIGN = `https://localhost:${PORTS.foreign}`

let site: EngineSite
beforeAll(async () => {
	site = await openEngineSite(PORTS, ({ url }) => ({
		html: url === '/frames' ? FRAMES : `<title>Foreign</title><p>The foreign page ${url}`,
	}))
})
afterAll(() => site.close())
beforeEach(() => {
	site.open.lines.length = 0
})

/** Each kind of response: a page with and without a session, data, a missing page, a health check, a static file. */
const FRAMED = ['/login', '/dashboard', '/reports/ledger', '/dashboard.data', '/nothing', '/healthz', '/favicon.svg', '/downloads/nothing']
const FRAMES = `<title>Frames</title><iframe id="control" src="/harmless"></iframe>${FRAMED.map((path, at) => `<iframe id="f${at}" src="${ORIGIN}${path}"></iframe>`).join('')}`

vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const PLANTED = '<script>alert(1)</script>'

describe.each(listEngines(8450, 97))('$name', ({ start }) => {
	let browser: Browser
	beforeAll(async () => void (browser = await start()))
	afterAll(() => browser.stop())

	test('shows no page of ours in a frame of another origin, even with a session', async () => {
		await login(browser, ORIGIN, 'DEMO01')
		await browser.open(`${FOREIGN}/frames`)
		await vi.waitFor(
			async () => expect(await browser.inFrame('#control', () => browser.readText())).toContain('The foreign page /harmless'),
			WAIT,
		)
		for (const [at, path] of FRAMED.entries()) {
			const shown = await browser.inFrame(`#f${at}`, () =>
				browser.run('return [document.title, document.body ? document.body.innerText : ""].join(" ").trim()'),
			)
			// Firefox shows its own error page, and WebKit leaves the frame empty.
			expect(shown, path).toMatch(/^Blocked Page|^$/)
		}
	})

	test('shows nothing private when going back after logout', async () => {
		await login(browser, ORIGIN, 'DEMO01')
		await browser.open(`${ORIGIN}/reports/ledger`)
		expect(await browser.readText()).toMatch(/₹|Opening balance/)
		await browser.open(`${ORIGIN}/dashboard`)
		await browser.run(`document.querySelector('form[action^="/logout"] button').click()`)
		await vi.waitFor(async () => expect((await browser.readAddress()).pathname).toBe('/login'), WAIT)
		for (let steps = 0; steps < 2; steps++) {
			await browser.back()
			await vi.waitFor(async () => expect((await browser.readAddress()).pathname).toBe('/login'), WAIT)
			expect(await browser.readText()).not.toMatch(/₹|Aarav/)
		}
	})

	test('shows HTML from the broker as text, and runs none of it', async () => {
		for (const operation of ['login', 'getLedgerReport', 'listQuickLinks', 'getPersonalDetails']) {
			await fetch('http://127.0.0.1:4999/control/faults', {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ operation, kind: 'xss', client: 'CASH01' }),
			})
		}
		await login(browser, ORIGIN, 'CASH01')
		expect(await browser.readText()).toContain(PLANTED)
		await browser.open(`${ORIGIN}/reports/ledger`)
		expect(await browser.readText()).toContain(PLANTED)
		// An open alert would make the next command fail. An image element would be in the page.
		expect(await browser.run('return document.querySelectorAll("img[src=x]").length')).toBe(0)
		expect(site.open.lines.filter((line) => line.includes('csp_report'))).toEqual([])
	})
})

describe('Firefox without JavaScript', () => {
	let browser: Browser
	beforeAll(async () => void (browser = await startFirefox({ hasScripts: false })))
	afterAll(() => browser.stop())

	test('follows the redirect of a form post to the e-sign provider', async () => {
		await login(browser, ORIGIN, 'NEW001')
		await browser.open(`${ORIGIN}/myaccount/closure`)
		await browser.run(`
			document.querySelector('[name=reason]').value = 'Moving to another broker'
			for (const value of ['Trading and Demat', 'close']) document.querySelector('[type=radio][value="' + value + '"]').checked = true
			HTMLFormElement.prototype.submit.call(document.querySelector('[name=reason]').form)`)
		await vi.waitFor(async () => expect((await browser.readAddress()).pathname).toBe('/myaccount/closure/check'), WAIT)
		await browser.run(`[...document.querySelectorAll('button')].find((button) => button.textContent.includes('Proceed to e-sign')).click()`)
		await vi.waitFor(async () => expect((await browser.readAddress()).origin).toBe(FOREIGN), WAIT)
		expect(await browser.readText()).toMatch(/The foreign page \/esign\/sign\?response=/)
	})
})
