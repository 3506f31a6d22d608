import { expect, test } from 'vitest'
import { openPortalForFile, Visitor } from '#tests/support/portal'
import { readText } from '#tests/support/readers'

const opened = openPortalForFile()

test('after a lock by the broker the portal shows the broker’s waiting time, not its own shorter one', async () => {
	const guess = async () => {
		const answer = await new Visitor(opened.portal).login('CLOS01', 'wrong')
		return { answer, said: readText(await answer.text()) }
	}
	for (let times = 0; times < 4; times++) expect((await guess()).said).toContain('Invalid username or password')
	expect((await guess()).said).toContain('Account locked. Try again after 30 minutes or reset the password')
	const before = opened.asked.length
	const { answer, said } = await guess()
	expect(answer.status).toBe(429)
	expect(said).toContain('Too many wrong passwords. Try again in 30 minutes.')
	// Half an hour, less the time of this test.
	expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(1700)
	expect(Number(answer.headers.get('retry-after'))).toBeLessThanOrEqual(1800)
	expect(opened.asked.slice(before).filter(({ url }) => url.includes('/login'))).toEqual([])
})

test.for<[number, string]>([
	[400, 'No.'],
	[404, 'No.'],
	[422, 'No.'],
	[401, ''],
])('a password that the broker refuses with %i and “%s” counts as a wrong one', async ([status, message]) => {
	const guess = async () => (await new Visitor(opened.portal).login(`ODD${status}`, 'x')).status
	opened.breakBroker(({ url }) =>
		url.includes('/login') ? Response.json({ status: 'error', message, data: null }, { status }) : undefined,
	)
	for (let times = 0; times < 5; times++) expect(await guess()).toBe(422)
	expect(await guess()).toBe(429)
	opened.breakBroker(undefined)
})

test('a 404 of a gateway whose broker is away does not count', async () => {
	opened.breakBroker(({ url }) => (url.includes('/login') ? new Response('404 page not found', { status: 404 }) : undefined))
	for (let times = 0; times < 6; times++) expect((await new Visitor(opened.portal).login('AWAY01', 'x')).status).not.toBe(429)
	opened.breakBroker(undefined)
})
