import { expect, test } from 'vitest'
import { signedIn } from '#tests/support/account'
import { openPortalForFile } from '#tests/support/portal'
import { listAttributes } from '#tests/support/readers'

const opened = openPortalForFile({ SANDBOX_ONLY_REQUIRED: '501' })

test('offers no file of charges or dividends at a broker that has no call for them', async () => {
	const { html } = await (await signedIn(opened, 'DEMO01')).visit('/reports/downloads?year=2024-2025')
	const files = listAttributes(html, 'main a', 'href')
	expect(files).toContain('/downloads/pnl/csv?year=2024-2025')
	expect(files.filter((href) => /charges|dividends/.test(href))).toEqual([])
})
