import { expect, test } from 'vitest'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { findAttribute, readText } from '#tests/support/readers'

const opened = openPortalForFile()

/* Without a script a form sends its days as they were typed. Addresses have ISO days. */

test.for(['/reports/ledger', '/reports/ledger/NSE_CASH', '/reports/contractnbill', '/connect/ipo/bids'])(
	'%s redirects typed days to ISO days, once',
	async (page) => {
		const client = await signedIn(opened, 'DEMO01')
		const typed = await client.send(`${page}?from=01%2F04%2F2026&to=30-6-2026&q=a+b`)
		expect([typed.status, typed.headers.get('location')]).toEqual([302, `${page}?from=2026-04-01&to=2026-06-30&q=a+b`])
		const shown = await client.visit(`${page}?from=01042026&to=`)
		expect([shown.status, shown.url]).toEqual([200, `${page}?from=2026-04-01&to=`])
		expect(findAttribute(shown.html, 'main #from', 'value')).toBe('01/04/2026')
	},
)

test('a day that does not exist stays as typed, with its message', async () => {
	const client = await signedIn(opened, 'DEMO01')
	for (const page of ['/reports/ledger', '/reports/contractnbill', '/connect/ipo/bids']) {
		const { status, url, html } = await client.visit(`${page}?from=31%2F02%2F2026&to=01%2F06%2F2026`)
		expect([status, url]).toEqual([400, `${page}?from=31%2F02%2F2026&to=2026-06-01`])
		expect(readText(html)).toContain('From date must be a real date')
		expect(findAttribute(html, 'main #from', 'value')).toBe('31/02/2026')
	}
})

test('a file reads typed days at its own address', async () => {
	const client = await signedIn(opened, 'DEMO01')
	const read = async (query: string) => await (await client.send(`/downloads/ledger/csv?filtered=1&${query}`)).text()
	expect(await read('from=01%2F04%2F2026&to=30%2F06%2F2026')).toBe(await read('from=2026-04-01&to=2026-06-30'))
})
