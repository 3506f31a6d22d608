import { expect, test, vi } from 'vitest'
import { openPortalForFile, Visitor } from '#tests/support/portal'
import { parsePage } from '#tests/support/readers'

/* A broker sets the colour of one palette, or of none. */

vi.stubEnv('BRAND_COLOUR_DARK', '#ffb4ab')
const open = openPortalForFile()

test('a colour of the dark palette leaves the light one as it is', async () => {
	const { html } = await new Visitor(open.portal).visit('/login')
	const style = parsePage(html).querySelector('head > style')?.text ?? ''
	expect(style).toContain('#ffb4ab')
	expect(style).not.toMatch(/prefers-color-scheme:light|\[data-theme=light\]\{--color-primary/)
})
