import { expect, test, vi } from 'vitest'
import { createPortal } from '#server/portal'
import { openPortalForFile, Visitor } from '#tests/support/portal'
import { findAttribute, parsePage, readHeading } from '#tests/support/readers'
import { settings } from '~/config/env.server'
import { loadPortal } from '#tests/support/built-portal'
import { pino } from 'pino'

/* A broker's own colours, as its clients get them. The portal reads them once, when the build is loaded. */

vi.stubEnv('BRAND_COLOUR', '#b3261e')
vi.stubEnv('BRAND_COLOUR_DARK', '#ffb4ab')
const open = openPortalForFile()

const LIGHT = '{--color-primary:#b3261e;--color-primary-content:#fff}'
const DARK = '{--color-primary:#ffb4ab;--color-primary-content:#000}'

/** The text of the page's own style element. The page must have no style attribute. */
function readStyle(html: string): string {
	expect(html).not.toMatch(/ style="/)
	const page = parsePage(html)
	expect(page.querySelectorAll('style')).toHaveLength(1)
	expect(page.querySelector('head > style')?.getAttribute('nonce')).toMatch(/\S{20}/)
	return page.querySelector('style')?.text ?? ''
}

test('every page has the broker’s colours for each choice of palette, on a screen and not on paper', async () => {
	const person = new Visitor(open.portal)
	const login = await person.visit('/login')
	await person.login('DEMO01')
	for (const { html } of [
		login,
		await person.visit('/dashboard'),
		await person.visit('/reports/holding'),
		await person.visit('/error404'),
	]) {
		const style = readStyle(html)
		// The system's choice, and the choice of a person, which wins over it.
		expect(style).toContain(`@media screen and (prefers-color-scheme:light){:root:not([data-theme])${LIGHT}}`)
		expect(style).toContain(`@media screen and (prefers-color-scheme:dark){:root:not([data-theme])${DARK}}`)
		expect(style).toContain(`@media screen{[data-theme=light]${LIGHT}}`)
		expect(style).toContain(`@media screen{[data-theme=dark]${DARK}}`)
	}
	await person.post('/dashboard', '/theme', { theme: 'dark', redirectTo: '/dashboard' })
	expect(findAttribute((await person.visit('/dashboard')).html, 'html', 'data-theme')).toBe('dark')
})

test('the maintenance page has them too, and an installed app the light one', async () => {
	const parts = { build: await loadPortal(), log: pino({ enabled: false }), clientFiles: 'build/client' }
	const portal = createPortal({ ...parts, settings: { ...settings, MAINTENANCE: true, BRAND_COLOUR: '#b3261e' } })
	const { html, status } = await new Visitor(portal).visit('/dashboard')
	expect([status, readHeading(html)]).toEqual([503, 'Under maintenance'])
	expect(readStyle(html)).toContain(`[data-theme=light]${LIGHT}`)
	const manifest = await new Visitor(portal).send('/manifest.webmanifest')
	expect(await manifest.json()).toMatchObject({ theme_color: '#b3261e' })
})
