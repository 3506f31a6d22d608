import { beforeAll, expect, test } from 'vitest'
import { signedIn } from '#tests/support/account'
import { openPortalForFile } from '#tests/support/portal'
import { firstLink, readHeading, readText } from '#tests/support/readers'

/* A page of one record whose broker answers 404 to its number: the page shows the broker's message, beside what else is known. */

const opened = openPortalForFile()

const SAID = 'This record moved to the archive, says PW-18'
const NO_DATA = 'No Data Found!'
const error = (message: string) => () => Response.json({ status: 'error', message, data: null }, { status: 404 })

let bill = ''
let holding = ''

beforeAll(async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	bill = firstLink((await visitor.visit('/reports/contractnbill?year=2025-2026')).html, '/reports/contractnbill/NC')
	holding = firstLink((await visitor.visit('/reports/holding')).html, '/reports/holding/IN')
})

async function textAt(address: string) {
	const { status, html } = await (await signedIn(opened, 'DEMO01')).visit(address)
	return { status, heading: readHeading(html), text: readText(html) }
}

test.each([SAID, NO_DATA])('a listed bill and a held security keep their row when the broker says %s', async (words) => {
	opened.failCalls(/\/v1\/ours\/(contract-note|lots)$/, error(words))
	const note = await textAt(bill)
	expect([note.status, note.heading]).toEqual([200, expect.stringMatching(/^Contract note NC/)])
	expect(note.text).toContain(`Its trades and charges could not be loaded. ${words} Try again`)
	expect(note.text).not.toContain('There is no such bill')
	const lots = await textAt(holding)
	expect([lots.status, lots.heading]).toEqual([200, expect.stringMatching(/\S/)])
	expect(lots.text).toContain(`Its lots could not be loaded. ${words} Try again`)
	expect(lots.text).not.toMatch(/There is no such holding|You do not hold/)
})

test.each([
	['/reports/contractnbill/NOSUCH01', /contract-note|contractbills/, 'Contract note', 'There is no such bill.'],
	['/reports/holding/INE000000000', /ours\/lots|reports\/holding/, 'Holding', 'There is no such holding.'],
	['/esign/return?ref=ES-0000000001', /ours\/esign/, 'E-sign', 'We do not know this e-sign.'],
	['/connect/ipo/bids/7000000099', /ipo-applications/, 'IPO', 'There is no such bid, or it is older than the report.'],
] as const)('%s, which nothing else knows, is a 404 with the broker’s message', async (address, call, heading, ours) => {
	for (const words of [SAID, NO_DATA]) {
		opened.failCalls(call, error(words))
		const page = await textAt(address)
		expect([page.status, page.heading]).toEqual([404, expect.stringContaining(heading)])
		expect(page.text).toContain(words)
		expect(page.text).not.toContain(ours)
	}
})

test('a refused bill shows the broker’s message also when the list of bills fails', async () => {
	opened.breakBroker(({ url }) => {
		if (url.includes('/v1/ours/contract-note')) return error(SAID)()
		return url.includes('/v1/reports/contractbills') ? new Response('', { status: 500 }) : undefined
	})
	expect(await textAt(bill)).toMatchObject({ status: 404, text: expect.stringContaining(SAID) as string })
})

test('the file of a bill that nothing lists leads back to the list, with the broker’s message', async () => {
	opened.failCalls('/v1/ours/contract-note', error(SAID))
	const visitor = await signedIn(opened, 'DEMO01')
	const answer = await visitor.send('/downloads/contract/NOSUCH01')
	expect([answer.status, answer.headers.get('location')]).toEqual([303, '/reports/contractnbill'])
	expect(readText((await visitor.visit('/reports/contractnbill')).html)).toContain(SAID)
	const scripted = await visitor.send('/downloads/contract/NOSUCH01', { headers: { 'x-download': 'fetch' } })
	expect([scripted.status, await scripted.json()]).toEqual([404, { message: SAID }])
})
