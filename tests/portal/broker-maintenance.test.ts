import { expect, test } from 'vitest'
import { type Page, PAGES } from '#tests/faults/pages'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { parsePage, readText } from '#tests/support/readers'

/* While the broker answers 503 to everything, each page that asks it is the maintenance page, from the first visit. */

const opened = openPortalForFile()

/** Pages that ask the broker only when their form is sent. */
const FORMS_ONLY = ['change-password', 'myaccount/:change/otp', 'myaccount/closure/check']

const listPages = (areForms: boolean) =>
	PAGES.filter(({ route }) => FORMS_ONLY.includes(route) === areForms).map(({ route, who, address }) => [route, who, address] as const)

/** A visit of the page while the broker answers 503 to everything, and the number of calls that it made. */
async function visitDuringMaintenance(who: string, address: Page['address']) {
	opened.breakBroker(undefined)
	const visitor = await signedIn(opened, who)
	const page = typeof address === 'string' ? address : await address(visitor)
	// The check of the session is cached: the page itself must find out.
	await visitor.send('/change-password')
	opened.failCalls(/./, () => new Response('Busy', { status: 503 }))
	const before = opened.asked.length
	const answer = await visitor.send(page)
	return { answer, calls: opened.asked.length - before }
}

test.for(listPages(false))('/%s says when to come back', async ([, who, address]) => {
	const { answer } = await visitDuringMaintenance(who, address)
	expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '300'])
	const html = await answer.text()
	expect(html).toContain('<title>Under maintenance · ')
	expect(parsePage(html).querySelectorAll('h1').map(readText)).toEqual(['Under maintenance'])
})

test.for(listPages(true))('/%s asks the broker nothing, and shows its form', async ([, who, address]) => {
	const { answer, calls } = await visitDuringMaintenance(who, address)
	expect([answer.status, calls]).toEqual([200, 0])
})

test('shows what the broker says about it, as text', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const message = 'Closed for the half-yearly books until 21:00 <b>today</b>'
	opened.failCalls(/./, () => Response.json({ status: 'error', message, data: null }, { status: 503 }))
	for (const page of ['/funds', '/connect/mtf']) expect(readText((await visitor.visit(page)).html)).toContain(message)
	// Our own words about a broker that says nothing are those of the page.
	opened.failCalls(/./, () => new Response('Busy', { status: 503 }))
	expect(readText((await visitor.visit('/funds')).html)).not.toMatch(/Busy|not available/i)
})
