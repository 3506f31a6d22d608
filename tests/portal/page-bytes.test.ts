import { expect, test } from 'vitest'
import { formatYear } from '#contract/values/financial-year'
import { openPortalForFile, Visitor } from '#tests/support/portal'

const open = openPortalForFile()

test('a page with many rupee signs has no empty bytes where React splits the stream', async () => {
	const client = new Visitor(open.portal)
	await client.login('DEMO01')
	for (const year of [2022, 2023, 2024, 2025, 2026]) {
		for (const address of ['/reports/ledger', '/dashboard', '/reports/ledger/deducted']) {
			expect((await client.visit(`${address}?year=${formatYear(year)}`)).html).not.toContain('\0')
		}
	}
})
