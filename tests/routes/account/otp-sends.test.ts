import { expect, test } from 'vitest'
import { hidden, readText } from '#tests/support/account'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'

/* Each start of a change sends a code, perhaps to a stranger: the portal limits them for each client. */

const opened = openPortalForFile()

const start = (visitor: Visitor, at: number) =>
	visitor.post('/myaccount/mobile', '/myaccount/mobile', { input: `98765 ${String(10_000 + at)}` })

test('a client starts fifteen changes in a quarter of an hour, in all sessions; refused forms do not count', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	const page = await visitor.visit('/myaccount/mobile')
	for (let at = 0; at < 3; at++)
		expect((await visitor.postRaw('/myaccount/mobile', { csrf: hidden(page.html, 'csrf'), input: '123' })).status).toBe(400)
	opened.breakBroker(({ url }) =>
		url.includes('mobile') ? Response.json({ status: 'error', message: 'Not now.', data: null }, { status: 422 }) : undefined,
	)
	for (let at = 0; at < 3; at++) expect((await start(visitor, at)).status).toBe(422)
	opened.breakBroker(undefined)

	for (let at = 0; at < 8; at++) expect((await start(visitor, at)).status).toBe(303)
	const again = await signedIn(opened, 'CASH01')
	for (let at = 8; at < 15; at++) expect((await start(again, at)).status).toBe(303)
	opened.asked.length = 0
	const refused = await start(again, 15)
	expect(refused.status).toBe(429)
	expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(600)
	const html = await refused.text()
	expect(readText(html)).toContain('Too many OTP requests. Try again in 15 minutes.')
	expect(html).toContain('98765 10015')
	expect(opened.asked.some(({ url }) => url.includes('mobile'))).toBe(false)
	// Other clients are not affected.
	expect((await start(await signedIn(opened, 'CLOS01'), 0)).status).toBe(303)
})
