import { pino } from 'pino'
import { expect, test, vi } from 'vitest'
import { createPortal } from '#server/portal'
import { loadPortal } from '#tests/support/built-portal'
import { openPortalForFile, Visitor } from '#tests/support/portal'
import { parsePage, readText } from '#tests/support/readers'
import { settings } from '~/config/env.server'

/* A broker's logos and phone numbers, as its clients get them. */

const [LIGHT, DARK] = ['https://pictures.broker.test/logo.svg', 'https://dark.broker.test/logo.svg']
vi.stubEnv('BRAND_NAME', 'Sample Broking')
vi.stubEnv('BRAND_LOGO', LIGHT)
vi.stubEnv('BRAND_LOGO_DARK', DARK)
vi.stubEnv('SUPPORT_PHONE', '022 4000 1234, +91 1800 22 1234')
const open = openPortalForFile()

/** The logos of the page: what a browser takes in the dark palette of the system, the picture, and its name. */
const readLogos = (html: string) =>
	parsePage(html)
		.querySelectorAll('picture')
		.map((picture) => {
			const [source, shown] = [picture.querySelector('source'), picture.querySelector('img')]
			return [source?.getAttribute('media'), source?.getAttribute('srcset'), shown?.getAttribute('src'), shown?.getAttribute('alt')]
		})

test('the palette chooses the logo: the one of the system, or the one that the client chose', async () => {
	const person = new Visitor(open.portal)
	const system = ['(prefers-color-scheme: dark)', DARK, LIGHT, 'Sample Broking']
	expect(readLogos((await person.visit('/login')).html)).toEqual([system])
	await person.login('DEMO01')
	// The bar of a wide window, and the menu of a phone.
	expect(readLogos((await person.visit('/dashboard')).html)).toEqual([system, system])
	for (const [theme, logo] of [
		['dark', DARK],
		['light', LIGHT],
	] as const) {
		await person.post('/dashboard', '/theme', { theme, redirectTo: '/dashboard' })
		const chosen = [undefined, undefined, logo, 'Sample Broking']
		expect(readLogos((await person.visit('/dashboard')).html), theme).toEqual([chosen, chosen])
	}
})

test('the policy allows the pictures of both hosts, and no others', async () => {
	const parts = { build: await loadPortal(), log: pino({ enabled: false }), clientFiles: 'build/client' }
	const portal = createPortal({ ...parts, settings: { ...settings, BRAND_LOGO: LIGHT, BRAND_LOGO_DARK: DARK } })
	const { headers } = await portal.request('https://portal.test/login', { headers: { host: 'portal.test' } })
	const policy = headers.get('content-security-policy')
	expect(/img-src ([^;]*)/.exec(policy ?? '')?.[1]).toBe("'self' data: https://pictures.broker.test https://dark.broker.test")
})

test('each phone number has its own link', async () => {
	const { html } = await new Visitor(open.portal).visit('/login')
	expect(readText(html)).toContain('Call 022 4000 1234 or +91 1800 22 1234')
	const links = parsePage(html).querySelectorAll('main a[href^="tel:"]')
	expect(links.map((link) => link.getAttribute('href'))).toEqual(['tel:02240001234', 'tel:+911800221234'])
})
