import { expect, test, vi } from 'vitest'
import { z } from 'zod/v4'
import { hidden, sendCode } from '#tests/support/account'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { findAttribute, parsePage, readText } from '#tests/support/readers'
import { createDraft } from '~/session/drafts.server'
import { type Purpose, seal, sealFor } from '~/session/sealed-cookie.server'

/* Form drafts in cookies: for one client, for a limited time, and readable or ignored by a later version of the portal. */

const opened = openPortalForFile()

const Note = z.object({ text: z.string() })
const DAY_MS = 86_400_000

const sentWith = (headers: Headers) =>
	new Request('https://portal.test/', {
		headers: {
			cookie: headers
				.getSetCookie()
				.map((cookie) => cookie.split(';')[0])
				.join('; '),
		},
	})

test('a draft is restored for its client only, from any number of cookies', async () => {
	const notes = createDraft('note', 'unsent', Note, { most: 2 })
	const value = { text: 'x'.repeat(4000) }
	const kept = await notes.keep('AB1234', value, Date.now() + DAY_MS)
	expect(kept.getSetCookie()).toHaveLength(2)
	for (const cookie of kept.getSetCookie()) expect(cookie.length).toBeLessThan(4096)
	expect(await notes.read(sentWith(kept), 'AB1234')).toEqual(value)
	expect(await notes.read(sentWith(kept), 'AB1235')).toBeUndefined()
	expect(await createDraft('note', 'ipo', Note, { most: 2 }).read(sentWith(kept), 'AB1234')).toBeUndefined()
	await expect(notes.keep('AB1234', { text: 'x'.repeat(9000) }, Date.now())).rejects.toThrow(/too long/)
})

test('a draft expires in time, and leaves nothing of an earlier longer one', async () => {
	vi.useFakeTimers({ toFake: ['Date'] })
	const notes = createDraft('note', 'unsent', Note, { most: 2, outlivesBrowser: true })
	const kept = await notes.keep('AB1234', { text: 'short' }, Date.now() + 60_000)
	const [cookie, cleared] = kept.getSetCookie()
	expect(cookie).toContain('Max-Age=60')
	expect(cleared).toContain('Max-Age=0')
	vi.setSystemTime(Date.now() + 59_000)
	expect(await notes.read(sentWith(kept), 'AB1234')).toEqual({ text: 'short' })
	vi.setSystemTime(Date.now() + 1_000)
	expect(await notes.read(sentWith(kept), 'AB1234')).toBeUndefined()
	vi.useRealTimers()
})

const OLD: [name: string, purpose: Purpose, page: string, value: object][] = [
	['closure', 'closure', '/myaccount/closure', { client: 'NEW001', why: 'Service', at: Date.now() }],
	['esign', 'esign', '/esign', { client: 'NEW001', address: 'https://esign.test', at: Date.now() }],
	['ipo-bid', 'ipo', '/connect/ipo/NOVATEC?dialog=confirm', { client: 'NEW001', bid: 1, at: Date.now() }],
	['pending-email', 'pending', '/myaccount/email/otp', { client: 'NEW001', kind: 'email' }],
	['unsent', 'unsent', '/myaccount/email', { client: 'NEW001' }],
]

test.each(OLD)('ignores %s as an earlier version of the portal wrote it', async (name, purpose, page, value) => {
	const visitor = await signedIn(opened, 'NEW001')
	const without = await visitor.visit(page)
	const shapes = [await seal(purpose, JSON.stringify(value)), await sealFor(purpose, 'NEW001', value, Date.now() + DAY_MS)]
	for (const sealed of shapes) {
		for (const cookie of [name, `draft-${name}`]) visitor.cookies.set(`__Host-${cookie}`, sealed)
		const { status, url } = await visitor.visit(page)
		expect([status, url]).toEqual([without.status, without.url])
	}
})

test('a draft is deleted at logout', async () => {
	const visitor = await signedIn(opened, 'NEW001')
	await visitor.post('/myaccount/email', '/myaccount/email', { input: 'somebody.else@example.com' })
	const answers = { reason: 'Service', close: 'Trading and Demat', holdings: 'close' }
	await visitor.post('/myaccount/closure', '/myaccount/closure', answers)
	visitor.cookies.set('__Host-draft-esign', 'so broken, that it does not open')
	const drafts = () => [...visitor.cookies.keys()].filter((name) => name.includes('draft-')).sort()
	expect(drafts()).toEqual(['__Host-draft-closure', '__Host-draft-esign', '__Host-draft-pending-email'])
	const { html } = await visitor.visit('/dashboard')
	await visitor.postRaw('/logout', { csrf: hidden(html, 'csrf') })
	expect(drafts()).toEqual([])
})

const BANK = { acc_number: '30210042118866', confirm_acc_number: '30210042118866', ifsc_code: 'ICIC0000004', account_type: 'Current' }

const STARTS: [page: string, typed: Record<string, string>, kept: string[]][] = [
	['/myaccount/mobile', { input: '98765 00055' }, ['[name="input"][value="9876500055"]']],
	['/myaccount/email', { input: 'Another@example.com' }, ['[name="input"][value="Another@example.com"]']],
	['/myaccount/income', { income: '5-10 Lakh' }, ['[name="income"][value="5-10 Lakh"][checked]']],
	['/myaccount/segments', { segment: 'SLBM' }, ['[name="segment"][value="SLBM"][checked]']],
	[
		'/myaccount/bank',
		{ ...BANK, set_default: 'on' },
		[
			'[name="acc_number"][value="30210042118866"]',
			'[name="confirm_acc_number"][value="30210042118866"]',
			'[name="ifsc_code"][value="ICIC0000004"]',
			'[name="account_type"] option[value="Current"][selected]',
			'[name="set_default"][checked]',
			'details[open]',
		],
	],
]

test.each(STARTS)('%s still holds what was typed when the client goes back from the OTP', async (page, typed, kept) => {
	const visitor = await signedIn(opened, 'CASH01')
	expect((await visitor.post(page, page, typed)).headers.get('location')).toBe(`${page}/otp`)
	const { html } = await visitor.visit(page)
	for (const selector of kept) expect(parsePage(html).querySelectorAll(`main ${selector}`), selector).toHaveLength(1)
	expect(readText(html)).not.toContain('Your session had ended')
	expect(findAttribute(html, `main a[href="${page}/otp"]`, 'href')).toBe(`${page}/otp`)
	// Another client of the same browser sees nothing of it.
	const other = await signedIn(opened, 'DEBT01')
	for (const [name, value] of visitor.cookies) if (name.includes('pending')) other.cookies.set(name, value)
	const { html: theirs } = await other.visit(page)
	expect(parsePage(theirs).querySelectorAll(`main ${kept[0]}`)).toHaveLength(0)
	// Leaving the change leaves nothing of it.
	await sendCode(visitor, `${page}/otp`, { intent: 'start_again' })
	expect(parsePage((await visitor.visit(page)).html).querySelectorAll(`main ${kept[0]}`)).toHaveLength(0)
})
