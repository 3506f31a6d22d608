import { type ServerBuild } from '@remix-run/node'
import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { createPortal } from '#server/portal'
import { loadPortal } from '#tests/support/built-portal'
import { ORIGIN, Visitor } from '#tests/support/portal'
import { settings } from '~/config/env.server'
import { readHeading, readText, readTitle } from '#tests/support/readers'

// Read once, when the build is loaded.
vi.stubEnv('SUPPORT_PHONE', '+91 22 4000 1234')

const build = await loadPortal()

/** The portal with a programming error in the loader or the component of one page. */
function portalWhere(change: { loader?: () => Promise<never>; action?: () => Promise<never>; default?: () => never }) {
	const lines: string[] = []
	const log = pino({ base: undefined }, { write: (line: string) => void lines.push(line) })
	const login = build.routes['routes/auth/login']
	if (!login) throw new Error('the login route has moved')
	const broken: ServerBuild = {
		...build,
		routes: { ...build.routes, 'routes/auth/login': { ...login, module: { ...login.module, ...change } } },
	}
	return { portal: createPortal({ settings, build: broken, log, clientFiles: 'build/client' }), lines }
}

const fault = (): never => {
	throw new TypeError('secret of DEMO01: cannot read properties of undefined')
}

test.for([
	['a loader', { loader: async () => fault() }],
	['drawing a page', { default: fault }],
	['a loader that rejects', { loader: () => Promise.reject(new Error('secret of DEMO01')) }],
] as const)('an error in %s shows a page with a title, headers and a reference, and no stack', async ([, change]) => {
	const { portal } = portalWhere(change)
	const answer = await portal.request('https://portal.test/login', { headers: { host: 'portal.test' } })
	const html = await answer.text()
	expect(answer.status).toBe(500)
	expect(readHeading(html)).toBe('Something went wrong')
	expect(readTitle(html)).toMatch(/^.+ · Khata$/)
	expect(readText(html)).toContain(`quote reference ${answer.headers.get('x-request-id')}`)
	// The reference is for support, so the help text does not link the regulator.
	const [, help] = /role="alert".*If you need help.*?quote reference(.*?)<\/p>/s.exec(html) ?? []
	expect(help?.match(/href="[^"]+"/g)).toEqual(['href="tel:+912240001234"'])
	expect(html).not.toMatch(/secret of DEMO01|TypeError|\.tsx?:|at \w+ \(/)
	expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'")
	expect(answer.headers.get('cache-control')).toContain('no-store')
	expect((await portal.request('https://portal.test/healthz', { headers: { host: 'portal.test' } })).status).toBe(200)
})

test('an error in an action shows the same page, with and without JavaScript', async () => {
	const { portal } = portalWhere({ action: async () => fault() })
	const visitor = new Visitor(portal)
	for (const path of ['/login', '/login.data']) {
		const answer = await visitor.postRaw(path, { username: 'DEMO01', password: 'Demo@1234' })
		const text = await answer.text()
		expect([path, answer.status]).toEqual([path, 500])
		if (path === '/login') {
			expect(readHeading(text)).toBe('Something went wrong')
			expect(readText(text)).toContain(`quote reference ${answer.headers.get('x-request-id')}`)
			// The root's loader has run: the page has the brand and the theme.
			expect(text).toContain('aria-label="Theme"')
		}
		expect(text).not.toMatch(/secret of DEMO01|TypeError|\.tsx?:|at \w+ \(/)
		expect(answer.headers.get('cache-control')).toContain('no-store')
		expect(answer.headers.get('x-request-id')).toMatch(/^[0-9A-F]{4}-[0-9A-F]{6}$/)
	}
	expect((await portal.request(`${ORIGIN}/healthz`, { headers: { host: 'portal.test' } })).status).toBe(200)
})

test('who cannot log in reads where the client code is, and the number to call', async () => {
	const visitor = new Visitor(portalWhere({}).portal)
	for (const path of ['/login', '/forgot-password'])
		expect(readText((await visitor.visit(path)).html), path).toMatch(
			/Client code It is on your contract notes\. .*Need help\? Call \+91 22 4000 1234/,
		)
})

test('every page with an action has its own error boundary, because the parent’s has no data and no reference then', () => {
	const pages = Object.values(build.routes).flatMap((route) => (route?.module.action && 'default' in route.module ? [route] : []))
	expect(pages.length).toBeGreaterThan(20)
	expect(pages.filter(({ module }) => !module.ErrorBoundary).map(({ id }) => id)).toEqual([])
})
