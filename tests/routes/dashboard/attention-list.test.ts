import { expect, test } from 'vitest'
import { readText } from '#tests/support/account'
import { NOTHING, readAttention } from '#tests/support/attention'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { parsePage } from '#tests/support/readers'

const opened = openPortalForFile()

const CALL = '/v1/ours/attention'
const answering = (answer: () => Response | Promise<Response>) =>
	opened.breakBroker((request) => (new URL(request.url).pathname === CALL ? answer() : undefined))
const error = (status: number) => Response.json({ status: 'error', message: 'Oops', data: null }, { status })
const items = (...data: object[]) => Response.json({ status: 'success', message: '', data })

test('is loaded by one call, at the same time as the others', async () => {
	const fresh = await signedIn(opened, 'NEW001')
	opened.asked.length = 0
	let isOpen = false
	// It answers only after another call. A dashboard that waited for it first would wait for ever.
	answering(async () => {
		isOpen = true
		await expect.poll(() => opened.asked.length).toBeGreaterThan(5)
		isOpen = false
		return items()
	})
	expect(await readAttention(fresh)).toEqual([])
	expect([isOpen, opened.asked.filter(({ url }) => new URL(url).pathname === CALL).length]).toEqual([false, 1])
})

test.each([
	['fails', () => error(500)],
	['answers nonsense', () => Response.json({ status: 'success', message: '', data: 'It works!' })],
	['cannot be reached', () => Promise.reject(new Error('socket hang up'))],
] as const)('fails alone when the broker %s', async (_, answer) => {
	answering(answer)
	const { html, status } = await (await signedIn(opened, 'NEW001')).visit('/dashboard')
	expect([status, readText(html)]).toEqual([200, expect.stringContaining('What needs your attention could not be loaded.')])
	expect(readText(html)).toContain('First steps')
	expect(readText(html)).not.toContain(NOTHING)
})

test('leaves out the entries that the first steps of a new client already show', async () => {
	const nominee = { kind: 'NO_NOMINEE', reference: null, words: 'Name a nominee, or declare that you want none.', deadline: null }
	const other = { kind: 'UNREGISTERED_PAYMENT', reference: null, words: '₹ 5.00 came from elsewhere.', deadline: null }
	const fresh = await signedIn(opened, 'NEW001')
	answering(() => items(nominee))
	const { html } = await fresh.visit('/dashboard')
	expect(parsePage(html).querySelectorAll('main a[href="/myaccount/nominee"]').length).toBe(1)
	expect(readText(html)).not.toMatch(/[Nn]eeds your attention|needs you|Nothing needs/)
	answering(() => items(nominee, other))
	expect((await readAttention(fresh)).map(({ words }) => words)).toEqual([other.words])
	answering(() => items(nominee))
	expect(await readAttention(await signedIn(opened, 'CASH01'))).toEqual([expect.objectContaining({ words: nominee.words })])
})

test('says that an entry could not be read, and not that the list is empty', async () => {
	answering(() => items({ kind: 'DEBIT', words: { in: 'a language' } }))
	const text = readText((await (await signedIn(opened, 'NEW001')).visit('/dashboard')).html)
	expect(text).toContain('1 entry could not be read and is left out.')
	expect(text).not.toContain(NOTHING)
})

test('is left out when the broker does not have the operation', async () => {
	answering(() => error(404))
	expect(readText((await (await signedIn(opened, 'NEW001')).visit('/dashboard')).html)).not.toContain('eeds your attention')
})

test('shows hostile text as text, and links no address of the broker', async () => {
	const hostile = { kind: '__proto__', reference: '"><script>', words: '<script>alert(1)</script>', amount: null, deadline: null }
	answering(() => items(hostile, { ...hostile, kind: 'ESIGN', reference: '//evil.test/?a=b#c' }))
	const fresh = await signedIn(opened, 'NEW001')
	const { html, status } = await fresh.visit('/dashboard')
	expect(status).toBe(200)
	expect(html).not.toContain('<script>alert(1)')
	expect(html).toContain('&lt;script&gt;alert(1)')
	expect((await readAttention(fresh)).map(({ href }) => href)).toEqual(['', '/esign/return?ref=%2F%2Fevil.test%2F%3Fa%3Db%23c&begin=1'])
})
