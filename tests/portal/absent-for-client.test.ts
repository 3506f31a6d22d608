import fs from 'node:fs'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'

import { loadPortal } from '#tests/support/built-portal'
import { openPortal, signedIn, type Visitor } from '#tests/support/portal'
import { firstLink, readText } from '#tests/support/readers'

/*
 * A broker answers an optional operation in a way that may concern one client only. That client's pages do not call it for ten minutes;
 * the pages of other clients do. docs/decisions/023-what-a-broker-does-not-have.md
 */

const MINUTE = 60_000
const MANDATES = '/v1/ours/mandates'
const PAGE = '/funds/e-mandate'

const ANSWERS: [name: string, answer: () => Response][] = [
	['404 without a message', () => new Response('', { status: 404 })],
	['403 without a message', () => new Response('', { status: 403 })],
	['HTML', () => new Response('<!doctype html><title>Broker</title>', { headers: { 'content-type': 'text/html' } })],
]

// The portal logs to the first file descriptor, from which the test reads the lines.
vi.stubEnv('LOG_LEVEL', 'info')

let written = ''
let opened: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
	vi.spyOn(fs, 'write').mockImplementation(((_fd: number, data: string, ...rest: unknown[]) => {
		written += data
		setImmediate(rest.at(-1) as (error: null, bytes: number) => void, null, Buffer.byteLength(data))
	}) as typeof fs.write)
	opened = await openPortal()
})
afterAll(async () => {
	vi.restoreAllMocks()
	await opened.close()
})
beforeEach(async () => {
	const { forgetOperations } = (await loadPortal()).entry.module as unknown as { forgetOperations: () => void }
	forgetOperations()
	written = ''
})
afterEach(() => {
	opened.breakBroker(undefined)
	vi.useRealTimers()
})

/** Moves the clock of the portal and the broker ahead by these milliseconds. */
function wait(ms: number) {
	const now = Date.now() + ms
	vi.useFakeTimers({ toFake: ['Date'], now })
}

/** The number of calls of an operation while the page was made, and the page. */
async function view(visitor: Visitor, page = PAGE, path = MANDATES) {
	const before = opened.asked.length
	const { status, html } = await visitor.visit(page)
	expect([page, status]).toEqual([page, 200])
	const asked = opened.asked.slice(before).filter(({ url }) => new URL(url).pathname === path).length
	return { asked, text: readText(html), html }
}

const askedOn = async (visitor: Visitor, page?: string, path?: string) => (await view(visitor, page, path)).asked

const countTold = (operation: string) =>
	written.split('\n').filter((line) => line.includes('"broker_operation_absent"') && line.includes(`"${operation}"`)).length

describe.each(ANSWERS)('%s', (_name, answer) => {
	test('stops the call for ten minutes, for that client only, and is logged once', async () => {
		opened.failCalls(MANDATES, answer)
		const [one, other] = [await signedIn(opened, 'DEMO01'), await signedIn(opened, 'CASH01')]
		expect(await askedOn(one)).toBe(1)
		const second = await view(one)
		expect(second.asked).toBe(0)
		expect(second.text).not.toMatch(/You have no mandate|could not be loaded/)
		expect(await askedOn(other)).toBe(1)
		wait(9 * MINUTE)
		expect(await askedOn(one)).toBe(0)
		wait(2 * MINUTE)
		expect(await askedOn(one)).toBe(1)
		await vi.waitUntil(() => countTold('listMandates') > 0)
		expect(countTold('listMandates')).toBe(1)
	})

	test.each([
		['a change', undefined],
		['a refused change', () => Response.json({ status: 'error', message: 'Not today.', data: null }, { status: 422 })],
		['a change that failed', () => new Response('', { status: 500 })],
	])('does not stop the call after %s by that client', async (_change, outcome) => {
		opened.failCalls(MANDATES, answer)
		const [one, other] = [await signedIn(opened, 'DEBT01'), await signedIn(opened, 'CLOS01')]
		expect([await askedOn(one), await askedOn(other)]).toEqual([1, 1])
		opened.breakBroker(({ url }) => {
			const { pathname } = new URL(url)
			if (pathname === MANDATES) return answer()
			return pathname === '/v1/modifications/profile-modifications' ? outcome?.() : undefined
		})
		await one.post('/myaccount/mobile', '/myaccount/mobile', { input: '9876501234' })
		expect([await askedOn(one), await askedOn(other)]).toEqual([1, 0])
	})

	test('does not stop the call after a login', async () => {
		opened.failCalls(MANDATES, answer)
		const visitor = await signedIn(opened, 'DEMO01')
		expect([await askedOn(visitor), await askedOn(visitor)]).toEqual([1, 0])
		expect(await askedOn(await signedIn(opened, 'DEMO01'))).toBe(1)
	})

	test('never stops a call for the one item that the page shows', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const { html } = await visitor.visit('/reports/holding')
		const holding = firstLink(html, '/reports/holding/IN')
		opened.failCalls('/v1/ours/lots', answer)
		for (const _ of [1, 2]) expect(await askedOn(visitor, holding, '/v1/ours/lots')).toBe(1)
	})
})

test('a part is asked for again when another client has it', async () => {
	const [one, other] = [await signedIn(opened, 'DEMO01'), await signedIn(opened, 'CASH01')]
	opened.failCalls(MANDATES, () => new Response('', { status: 404 }))
	expect([await askedOn(one), await askedOn(one)]).toEqual([1, 0])
	opened.breakBroker(undefined)
	expect(await askedOn(other)).toBe(1)
	const { asked, text } = await view(one)
	// The seeded mandate of DEMO01.
	expect([asked, text]).toEqual([1, expect.stringMatching(/EM\d{6}-\d{6}/)])
})

test('the main pages repeat no call at a broker with only the required operations', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	opened.failCalls(/^\/v1\/ours\/|download_approved_list$|\/rekyc$/, () => new Response('', { status: 404 }))
	const pages = ['/dashboard', '/reports/ledger', '/reports/holding', '/reports/income-tax', '/reports/profitnloss', '/reports/downloads']
	pages.push('/myaccount', '/myaccount/requests', '/funds', '/funds/withdraw', '/dpprocess', '/dpprocess/pledge', '/connect/ipo')
	pages.push('/connect/ipo/bids', '/connect/mtf', '/myaccount/closure', '/myaccount/nominee', '/myaccount/bank', PAGE)
	const listAsked = async () => {
		const before = opened.asked.length
		for (const page of pages) await visitor.visit(page)
		const paths = opened.asked.slice(before).map(({ url }) => new URL(url).pathname)
		return paths.filter((path) => path.includes('/ours/') || path.includes('approved'))
	}
	expect(new Set(await listAsked()).size).toBeGreaterThan(20)
	expect(await listAsked()).toEqual([])
})
