import { expect, test } from 'vitest'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { listAttributes } from '#tests/support/readers'

/* A page has dozens of links. If each repeated a long query of the visitor, the page would have half a megabyte. */

const opened = openPortalForFile()
const NONSENSE = 'n'.repeat(7500)

test.for(['/reports/ledger', '/reports/holding', '/reports/profitnloss', '/connect/mtf', '/funds/history'])(
	'%s repeats a long query only to come back to itself',
	async (page) => {
		const visitor = await signedIn(opened, 'DEMO01')
		const { html, status } = await visitor.visit(`${page}?year=2025-2026&x=${NONSENSE}`)
		expect(status).toBe(200)
		const links = listAttributes(html, 'a', 'href')
		expect(links.length).toBeGreaterThan(40)
		// The change of the password opens over the page. The forms of the head come back to it: refresh, year and colours.
		expect(html.split(NONSENSE).length - 1).toBeLessThanOrEqual(5)
		expect(links.filter((href) => href.includes(NONSENSE))).toEqual([expect.stringContaining('dialog=change-password')])
	},
)
