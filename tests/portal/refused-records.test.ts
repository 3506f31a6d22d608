import { beforeAll, expect, test } from 'vitest'
import { sendMoneyForm } from '#tests/support/money-forms'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { firstLink, listAttributes, readHeading, readText } from '#tests/support/readers'

/* A page of one record whose broker refuses its number or cannot tell it: the page shows the broker's message, beside what else is known. */

const opened = openPortalForFile()

const SAID = 'This record moved to the archive, says PW-18'
const NO_DATA = 'No Data Found!'
const error = (message: string) => () => Response.json({ status: 'error', message, data: null }, { status: 404 })

let bill = ''
let holding = ''

beforeAll(async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	// First: a year in an address stays chosen, and what was held then may be sold.
	holding = firstLink((await visitor.visit('/reports/holding')).html, '/reports/holding/IN')
	bill = firstLink((await visitor.visit('/reports/contractnbill?year=2025-2026')).html, '/reports/contractnbill/NC')
})

async function textAt(address: string) {
	const { status, html } = await (await signedIn(opened, 'DEMO01')).visit(address)
	return { status, heading: readHeading(html), text: readText(html) }
}

test.each([SAID, NO_DATA])('a listed bill and a held security keep their row when the broker says %s', async (words) => {
	opened.failCalls(/\/v1\/ours\/(contract-note|lots)$/, error(words))
	const note = await textAt(bill)
	expect([note.status, note.heading]).toEqual([200, expect.stringMatching(/^Contract note of bill NC/)])
	expect(note.text).toContain(`Its trades and charges could not be loaded. ${words} Try again`)
	expect(note.text).not.toContain('There is no such bill')
	const lots = await textAt(holding)
	expect([lots.status, lots.heading]).toEqual([200, expect.stringMatching(/\S/)])
	expect(lots.text).toContain(`Its lots could not be loaded. ${words} Try again`)
	expect(lots.text).not.toMatch(/There is no such holding|You do not hold/)
})

test.each([
	['/reports/contractnbill/NOSUCH01', /contract-note|contractbills/, 'Contract note', 'There is no such bill.'],
	['/reports/holding/INE000000000', /ours\/lots|reports\/holding/, 'INE000000000', 'There is no such holding.'],
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

test('a sentence of ours stands before the broker’s message', async () => {
	opened.failCalls(/contract-note|contractbills/, error(NO_DATA))
	expect((await textAt('/reports/contractnbill/NOSUCH01')).text).toContain(`Bill NOSUCH01 cannot be shown. ${NO_DATA} Back to`)
	opened.failCalls(/ours\/lots/, error(NO_DATA))
	expect((await textAt('/reports/holding/INE000000000')).text).toContain(`or all of it was sold. ${NO_DATA} Back to`)
	// Without the list of holdings nobody knows whether it is held. A refused list would count as an empty one.
	opened.breakBroker(({ url }) => {
		if (url.includes('/ours/lots')) return error(NO_DATA)()
		return url.includes('/reports/holding') ? new Response('', { status: 500 }) : undefined
	})
	expect((await textAt('/reports/holding/INE000000000')).text).toContain(`This holding cannot be shown. ${NO_DATA} Back to`)
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

/** The broker lacks the call for one record, and the first row of its list at `path` cannot be read: its `name` is no text. */
function spoilList(absent: string, path: string, name: string) {
	opened.breakBroker(async (request) => {
		const { pathname } = new URL(request.url)
		if (pathname === absent) return new Response('', { status: 404 })
		if (pathname !== path) return undefined
		const json = (await (await opened.forward(request)).json()) as { data: Record<string, unknown>[] }
		const [row] = json.data
		if (row) row[name] = {}
		return Response.json(json)
	})
}

const PARTLY_READ = 'Some of what the broker’s system sent could not be read, and this may be among it.'

test('neither the page nor the file of a bill says that it does not exist when a row of the list could not be read', async () => {
	spoilList('/v1/ours/contract-note', '/v1/reports/contractbills', 'BILL_NO')
	const page = await textAt('/reports/contractnbill/NOSUCH01')
	expect([page.status, page.text]).toEqual([502, expect.stringContaining(PARTLY_READ)])
	const visitor = await signedIn(opened, 'DEMO01')
	const file = await visitor.send('/downloads/contract/NOSUCH01', { headers: { 'x-download': 'fetch' } })
	expect([file.status, await file.json()]).toEqual([502, { message: PARTLY_READ }])
	const listed = await visitor.send(bill.replace('/reports/contractnbill/', '/downloads/contract/'))
	expect([listed.status, listed.headers.get('content-type')]).toEqual([200, 'application/pdf'])
})

test('a holding is not called missing when a row of the list could not be read', async () => {
	spoilList('/v1/ours/lots', '/v2/service/reports/holding', 'ISIN')
	const page = await textAt('/reports/holding/INE000000000')
	expect([page.status, page.text]).toEqual([502, expect.stringContaining(PARTLY_READ)])
})

test.each([
	['signed', 'Sent back from e-sign', false],
	['cancelled', 'Not signed', true],
	['failed', 'Not signed', true],
])('an e-sign that the broker refuses to tell is no success or error in the address (%s)', async (status, heading, isOffered) => {
	const visitor = await signedIn(opened, 'NEW001')
	await sendMoneyForm('the closure', visitor)
	opened.failCalls('/v1/ours/esign', error(SAID))
	const { html } = await visitor.visit(`/esign/return?ref=ES-0000000001&status=${status}`)
	expect(readHeading(html)).toBe(heading)
	expect(readText(html)).toContain(`How the e-sign ended could not be loaded. ${SAID}`)
	expect(html.includes('name="signing"')).toBe(isOffered)
	const kinds = listAttributes(html, 'main .alert', 'class').map((classes) => /alert-(?:info|success|error|warning)/.exec(classes)?.[0])
	// The second is the failure.
	expect(kinds).toEqual(['alert-info', 'alert-error'])
	opened.breakBroker(undefined)
	await sendMoneyForm('the end of a closure', visitor)
})

test('the page of a bid shows no failure of its own record when the list of applications has it', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const address = await sendMoneyForm('a bid', visitor)
	const isOwn = ({ url }: Request) => url.includes('/v1/ours/ipo-applications') && new URL(url).searchParams.has('application_no')
	opened.breakBroker((request) => (isOwn(request) ? new Response('', { status: 500 }) : undefined))
	const known = readText((await visitor.visit(address)).html)
	expect(known).toMatch(/Accept the mandate in your UPI app by .+ Bid submitted|Bid submitted .*Accept the mandate in your UPI app by /)
	expect(known).not.toContain('could not be loaded')
	// Now only the receipt has the answer, and nothing the deadline.
	opened.failCalls('/v1/ours/ipo-applications', () => new Response('', { status: 500 }))
	const told = readText((await visitor.visit(address)).html)
	expect(told).toContain('The mandate’s deadline could not be loaded.')
	expect(told).not.toContain('The exchange’s answer')
})
