import { afterAll, beforeAll, expect, test } from 'vitest'
import { openPortal, ORIGIN, signedIn, type Visitor } from '#tests/support/portal'
import { readAll, readHeading } from '#tests/support/readers'

/*
 * Some pages start a download by a refresh. When the file fails, it leads back to the page without that refresh, so that the download does
 * not start again.
 */

let opened: Awaited<ReturnType<typeof openPortal>>
let visitor: Visitor
beforeAll(async () => {
	opened = await openPortal()
	visitor = await signedIn(opened, 'CASH01')
})
afterAll(() => opened.close())

test.each([
	['/downloads/income', '/myaccount/income', '?done=1'],
	['/downloads/e-mandate?amount=5000&bank=9-NONE', '/funds/e-mandate', '?form=9-NONE&amount=5000'],
	['/downloads/ipo/NOVATEC', '/connect/ipo/NOVATEC', '?dialog=confirm'],
])('%s leads back to its page without the refresh', async (file, page, query) => {
	const failed = await visitor.send(file, { headers: { referer: ORIGIN + page + query } })
	expect([failed.status, failed.headers.get('location')]).toEqual([303, page])
	const { html } = await visitor.visit(page)
	expect(html).not.toContain('http-equiv="refresh"')
	expect(readAll(html, '.toast')).toHaveLength(1)
})

test.each([
	'/downloads/nothing/pdf',
	'/downloads/nothing/csv',
	'/downloads/holding/exe',
	'/downloads/ledger/exe',
	'/downloads/pnl/exe',
	'/downloads/mtf/nothing',
	'/downloads/depository/nothing',
	'/downloads/contract/..x',
	'/downloads/change/..x',
])('%s does not exist for this client, and the page says so', async (file) => {
	const answer = await visitor.send(file)
	const html = await answer.text()
	expect([answer.status, answer.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8'])
	expect(readHeading(html)).toBe('Page not found')
	expect(html).toContain('href="/dashboard"')
	expect(answer.headers.get('cache-control')).toContain('no-store')
})

test('a failed file behind a link leads back to the page with the link', async () => {
	const failed = await visitor.send('/downloads/change/ES-NONE', { headers: { referer: `${ORIGIN}/myaccount/requests?page=2` } })
	expect(failed.headers.get('location')).toBe('/myaccount/requests?page=2')
})
