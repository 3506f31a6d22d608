import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type Server } from 'node:http'
import { createServer as createHttps, type Server as HttpsServer } from 'node:https'
import { type AddressInfo } from 'node:net'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { type Browser, startFirefox, startWebKit, WEBKIT } from './browsers'
import { type Front, startNginx } from '#scripts/deployment/nginx'

/*
 * Tests that need a browser other than the journeys' Chromium: Firefox and, where installed, WebKitGTK (Safari's engine). The portal runs
 * behind nginx, because WebKit drops Secure cookies on plain http.
 */

const TLS_PORT = 8442
const FOREIGN_PORT = 8443
const ORIGIN = `https://localhost:${TLS_PORT}`
/** Another origin: it frames the portal's pages, and it is the e-sign provider. */
const FOREIGN = `https://localhost:${FOREIGN_PORT}`

let open: Awaited<ReturnType<typeof import('#tests/support/portal').openPortal>>
let server: Server
let front: Front
let foreign: HttpsServer

beforeAll(async () => {
	vi.stubEnv('TRUST_PROXY', '1')
	vi.stubEnv('PUBLIC_URL', ORIGIN)
	vi.stubEnv('ESIGN_URL', `${FOREIGN}/esign`)
	vi.stubEnv('REDIRECT_ORIGINS', FOREIGN)
	const { openPortal } = await import('#tests/support/portal')
	const { createServer } = await import('#server/http')
	open = await openPortal()
	server = createServer(open.portal)
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	front = await startNginx({ tls: TLS_PORT, http: 3342, upstreams: [(server.address() as AddressInfo).port], host: 'localhost' })
	foreign = createHttps({ cert: front.certificate, key: front.key }, (request, response) => {
		response.setHeader('content-type', 'text/html')
		response.end(request.url === '/frames' ? FRAMES : `<title>Foreign</title><p>The foreign page ${request.url}`)
	})
	foreign.listen(FOREIGN_PORT, '127.0.0.1')
	await once(foreign, 'listening')
})
afterAll(async () => {
	foreign.close()
	foreign.closeAllConnections()
	await front.stop()
	server.close()
	server.closeAllConnections()
	await open.close()
})
beforeEach(() => {
	open.lines.length = 0
})

/** Each kind of response: a page with and without a session, data, a missing page, a health check, a static file. */
const FRAMED = ['/login', '/dashboard', '/reports/ledger', '/dashboard.data', '/nothing', '/healthz', '/favicon.svg', '/downloads/nothing']
const FRAMES = `<title>Frames</title><iframe id="control" src="/harmless"></iframe>${FRAMED.map((path, at) => `<iframe id="f${at}" src="${ORIGIN}${path}"></iframe>`).join('')}`

/** A late request of the last page may restore its cookie after all were deleted. Then the login is refused, and tried again. */
async function login(browser: Browser, code: string) {
	await browser.open(`${ORIGIN}/login`)
	await vi.waitFor(async () => {
		await browser.deleteCookies()
		await browser.open(`${ORIGIN}/login`)
		await browser.run(`
			document.querySelector('[name=username]').value = '${code}'
			document.querySelector('[name=password]').value = 'Demo@1234'
			HTMLFormElement.prototype.submit.call(document.querySelector('[name=password]').form)`)
		const isIn = async () => expect((await browser.readAddress()).pathname).toBe('/dashboard')
		await vi.waitFor(isIn, { timeout: 15_000, interval: 100 })
	}, WAIT)
	await vi.waitFor(async () => expect(await browser.readText()).toContain('Dashboard'), WAIT)
}

/** A browser without a graphics card beside other tests is slow; its time proves nothing here. */
const WAIT = { timeout: 90_000, interval: 100 }
vi.setConfig({ testTimeout: 240_000, hookTimeout: 120_000 })

const PLANTED = '<script>alert(1)</script>'

const ENGINES = [
	{ name: 'Firefox', start: () => startFirefox() },
	...(existsSync(WEBKIT) ? [{ name: 'WebKit', start: () => startWebKit(8450, 97) }] : []),
]

describe.each(ENGINES)('$name', ({ start }) => {
	let browser: Browser
	beforeAll(async () => void (browser = await start()))
	afterAll(() => browser.stop())

	test('shows no page of ours in a frame of another origin, even with a session', async () => {
		await login(browser, 'DEMO01')
		await browser.open(`${FOREIGN}/frames`)
		await vi.waitFor(
			async () => expect(await browser.inFrame('#control', () => browser.readText())).toContain('The foreign page /harmless'),
			WAIT,
		)
		for (const [at, path] of FRAMED.entries()) {
			const shown = await browser.inFrame(`#f${at}`, () =>
				browser.run('return [document.title, document.body ? document.body.innerText : ""].join(" ").trim()'),
			)
			// Firefox has a page of its own for this, WebKit leaves the frame empty.
			expect(shown, path).toMatch(/^Blocked Page|^$/)
		}
	})

	test('shows nothing private when going back after logout', async () => {
		await login(browser, 'DEMO01')
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
		await login(browser, 'CASH01')
		expect(await browser.readText()).toContain(PLANTED)
		await browser.open(`${ORIGIN}/reports/ledger`)
		expect(await browser.readText()).toContain(PLANTED)
		// An alert that is open would be an error of the next command; an image that was made would stand in the page.
		expect(await browser.run('return document.querySelectorAll("img[src=x]").length')).toBe(0)
		expect(open.lines.filter((line) => line.includes('csp_report'))).toEqual([])
	})
})

describe('Firefox without JavaScript', () => {
	let browser: Browser
	beforeAll(async () => void (browser = await startFirefox({ hasScripts: false })))
	afterAll(() => browser.stop())

	test('follows the redirect of a form post to the e-sign provider', async () => {
		await login(browser, 'NEW001')
		await browser.open(`${ORIGIN}/myaccount/closure`)
		await browser.run(`
			document.querySelector('[name=reason]').value = 'Moving to another broker'
			for (const value of ['Trading and Demat', 'close']) document.querySelector('[type=radio][value="' + value + '"]').checked = true
			HTMLFormElement.prototype.submit.call(document.querySelector('[name=reason]').form)`)
		await vi.waitFor(async () => expect((await browser.readAddress()).pathname).toBe('/myaccount/closure/check'), WAIT)
		await browser.run(`[...document.querySelectorAll('button')].find((button) => button.textContent.includes('Proceed to e-sign')).click()`)
		await vi.waitFor(async () => expect((await browser.readAddress()).origin).toBe(FOREIGN), WAIT)
		expect(await browser.readText()).toMatch(/The foreign page \/esign\?/)
	})
})
