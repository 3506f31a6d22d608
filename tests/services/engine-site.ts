import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { type IncomingMessage, type Server } from 'node:http'
import { createServer as createHttps, type Server as HttpsServer } from 'node:https'
import { type AddressInfo } from 'node:net'
import { expect, vi } from 'vitest'
import { type Front, startNginx } from '#scripts/deployment/nginx'
import { type Browser, startFirefox, startWebKit, WEBKIT } from './browsers'

/** Ports of one test file, so that two test files may run at the same time. */
export type SitePorts = { tls: number; http: number; foreign: number }

type Opened = Awaited<ReturnType<typeof import('#tests/support/portal').openPortal>>

/** Body and status of the other origin's reply. */
type Page = { status?: number; location?: string; html: string }

/** The portal behind nginx with TLS, because WebKit drops Secure cookies on plain http, and another origin. */
export type EngineSite = {
	origin: string
	/** Another origin: it frames the portal's pages, or it is the e-sign provider, the bank and the depository. */
	foreign: string
	open: Opened
	close: () => Promise<void>
}

/** Opens the portal on these ports. `answer` is what the other origin replies. */
export async function openEngineSite(
	ports: SitePorts,
	answer: (request: IncomingMessage, body: string, open: Opened) => Page | Promise<Page>,
): Promise<EngineSite> {
	const origin = `https://localhost:${ports.tls}`
	const foreign = `https://localhost:${ports.foreign}`
	vi.stubEnv('TRUST_PROXY', '1')
	vi.stubEnv('PUBLIC_URL', origin)
	vi.stubEnv('ESIGN_URL', `${foreign}/esign`)
	vi.stubEnv('REDIRECT_ORIGINS', foreign)
	// Settings are parsed on import.
	const { openPortal } = await import('#tests/support/portal')
	const { createServer } = await import('#server/http')
	const open = await openPortal({ sandboxSettings: { PUBLIC_URL: origin, SANDBOX_URL: foreign } })
	const server: Server = createServer(open.portal)
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	const upstreams = [(server.address() as AddressInfo).port]
	const front: Front = await startNginx({ tls: ports.tls, http: ports.http, upstreams, host: 'localhost' })
	const other: HttpsServer = createHttps({ cert: front.certificate, key: front.key }, async (request, response) => {
		const parts: Buffer[] = []
		for await (const part of request) parts.push(part as Buffer)
		const { status = 200, location, html } = await answer(request, Buffer.concat(parts).toString(), open)
		response.writeHead(status, { 'content-type': 'text/html; charset=utf-8', ...(location && { location }) }).end(html)
	})
	other.listen(ports.foreign, '127.0.0.1')
	await once(other, 'listening')
	return {
		origin,
		foreign,
		open,
		async close() {
			for (const each of [other, server]) {
				each.close()
				each.closeAllConnections()
			}
			await front.stop()
			await open.close()
		},
	}
}

/** A browser without a graphics card is slow while other tests run, so these limits are long. */
export const WAIT = { timeout: 90_000, interval: 100 }

/** Firefox and, when installed, WebKit with its driver on this port and its display of this number. */
export function listEngines(port: number, display: number): { name: 'Firefox' | 'WebKit'; start: () => Promise<Browser> }[] {
	return [
		{ name: 'Firefox', start: () => startFirefox() },
		...(existsSync(WEBKIT) ? [{ name: 'WebKit' as const, start: () => startWebKit(port, display) }] : []),
	]
}

/** A late request of the last page may restore its cookie after all cookies were deleted. Then the login is refused, and repeated. */
export async function login(browser: Browser, origin: string, code: string): Promise<void> {
	await browser.open(`${origin}/login`)
	await vi.waitFor(async () => {
		await browser.deleteCookies()
		await browser.open(`${origin}/login`)
		await browser.run(`
			document.querySelector('[name=username]').value = '${code}'
			document.querySelector('[name=password]').value = 'Demo@1234'
			HTMLFormElement.prototype.submit.call(document.querySelector('[name=password]').form)`)
		const isIn = async () => expect((await browser.readAddress()).pathname).toBe('/dashboard')
		await vi.waitFor(isIn, { timeout: 15_000, interval: 100 })
	}, WAIT)
	await vi.waitFor(async () => expect(await browser.readText()).toContain('Dashboard'), WAIT)
}
