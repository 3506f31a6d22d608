import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { hidden, lastCode, PDF, sendForm, signedIn } from './account'
import { MONEY_FORMS, type Ready } from './money-forms'
import { openPortal, Visitor } from './portal'
import { textOf } from './readers'

/* Every form, when the call that it makes fails, and when a call that it needs before that fails: nobody types it again. */

type Row = {
	name: string
	who: string
	/** The path of the broker's call; none where the form asks for nothing by itself. */
	call?: string
	/** Paths that are asked first, without which nothing is sent. */
	lookups?: readonly string[]
	prepare: (visitor: Visitor) => Promise<Ready>
}

const at = (address: string, fields: Record<string, string>) => async (visitor: Visitor) => {
	const { html } = await visitor.visit(address)
	return { address, fields: { csrf: hidden(html, 'csrf'), ...fields } }
}

const BANKS = '/v2/account-profile/bank-details'
const EDIS = '/edis/edis/v1/edis-holding-data'
const PLEDGES = '/v1/margin_epledge_data'
const ISSUES = '/ipo/v1/get-ipo-details'
const BIDDER = '/ipo/v1/fetch-client-details'

/** What the money forms ask first. */
const LOOKUPS: Record<string, readonly string[]> = {
	'a pay-in': [BANKS],
	'a payout': [BANKS],
	'a mandate': [BANKS],
	'a bid': [ISSUES],
	'the MTF activation': ['/v2/account-profile/mtf-details'],
}

const NOMINEE = { name: 'Anand Hegde', relation: 'Brother', pan: 'AAAPH7364M', dob: '1984-02-09', share: '100' }
const NEW_BANK = { acc_number: '123456789012', confirm_acc_number: '123456789012', ifsc_code: 'HDFC0001234', account_type: 'Savings' }

async function isinWith(visitor: Visitor, page: string): Promise<string> {
	return /name="qty\.(IN[A-Z0-9]{10})"/.exec((await visitor.visit(page)).html)?.[1] ?? ''
}

const OWN: readonly Row[] = [
	{
		name: 'the login',
		who: '',
		call: '/v2/user/login',
		prepare: at('/login', { username: 'CASH01', password: 'Demo@1234' }),
	},
	{
		name: 'a forgotten password',
		who: '',
		call: '/v1/user/forgot-password',
		prepare: at('/forgot-password', { intent: 'send_otp', username: 'CASH01' }),
	},
	{
		name: 'a new password',
		who: 'DEBT01',
		call: '/v1/user/update-password',
		prepare: at('/change-password', { old_password: 'Demo@1234', new_password: 'Other@5678', confirm_password: 'Other@5678' }),
	},
	{
		name: 'a mobile number',
		who: 'DEBT01',
		call: '/v1/modifications/profile-modifications',
		prepare: at('/myaccount/mobile', { input: '9876501234' }),
	},
	{
		name: 'an e-mail',
		who: 'DEBT01',
		call: '/v1/modifications/profile-modifications',
		prepare: at('/myaccount/email', { input: 'new.one@example.com' }),
	},
	{ name: 'a bank', who: 'DEBT01', call: '/v1/modifications/bank-addition', prepare: at('/myaccount/bank', NEW_BANK) },
	{
		name: 'the default bank',
		who: 'DEMO01',
		call: '/v1/modifications/default-bank-change',
		lookups: [BANKS],
		async prepare(visitor) {
			const { html } = await visitor.visit('/myaccount/bank')
			const bank = /name="bank" value="([^"]+)"/.exec(html)?.[1] ?? ''
			const fields = { csrf: hidden(html, 'csrf'), idempotency_key: hidden(html, 'idempotency_key'), intent: 'make_default', bank }
			return { address: '/myaccount/bank', fields }
		},
	},
	{
		name: 'a segment',
		who: 'CASH01',
		call: '/v1/modifications/segment-addition',
		prepare: at('/myaccount/segments', { segment: 'SLBM' }),
	},
	{
		name: 'nominees',
		who: 'CASH01',
		call: '/v1/modifications/nominee-addition',
		prepare: at('/myaccount/nominee', Object.fromEntries(Object.entries(NOMINEE).map(([name, value]) => [`nominees[0].${name}`, value]))),
	},
	{
		name: 'an income',
		who: 'CASH01',
		call: '/v1/modifications/income-modification',
		prepare: at('/myaccount/income', { income: '10-25 Lakh' }),
	},
	{
		name: 'the code of a change',
		who: 'CASH01',
		call: '/v1/modifications/profile-modifications',
		async prepare(visitor) {
			await visitor.post('/myaccount/email', '/myaccount/email', { input: 'new.two@example.com' })
			const page = (await visitor.visit('/myaccount/email/otp')).html
			const own = { csrf: hidden(page, 'csrf'), idempotency_key: hidden(page, 'idempotency_key'), step: hidden(page, 'step') }
			return { address: '/myaccount/email/otp', fields: { ...own, otp: await lastCode('CASH01') } }
		},
	},
	{
		name: 'a code for a verification',
		who: 'DEMO01',
		call: '/edis/edis/v1/edis-stock-verify',
		lookups: [EDIS],
		async prepare(visitor) {
			const isin = await isinWith(visitor, '/dpprocess')
			return await at('/dpprocess', { isin, [`qty.${isin}`]: '1', trade_type: 'PRE' })(visitor)
		},
	},
	{
		name: 'quantities to pledge',
		who: 'DEMO01',
		lookups: [PLEDGES],
		async prepare(visitor) {
			const isin = await isinWith(visitor, '/dpprocess/pledge')
			return await at('/dpprocess/pledge', { action: 'pledge', [`qty.${isin}`]: '17' })(visitor)
		},
	},
	{
		name: 'a bid to review',
		who: 'CASH01',
		lookups: [ISSUES, BIDDER],
		async prepare(visitor) {
			const page = '/connect/ipo/KONKANLOG'
			const BOId = /<option value="(\d{16})"/.exec((await visitor.visit(page)).html)?.[1] ?? ''
			const bid = { category: 'IND', BOId, upi_id: 'me@examplebank', 'bids[0].quantity': '100', 'bids[0].price': '150' }
			return await at(page, bid)(visitor)
		},
	},
	{
		name: 'the state of mandates',
		who: 'DEMO01',
		call: '/ipo/v1/update-ipo-mandate-status',
		prepare: at('/connect/ipo/bids', { exchange: 'NSE' }),
	},
]

const FORMS: readonly Row[] = [
	...MONEY_FORMS.map((form) => ({ ...form, lookups: LOOKUPS[form.name], prepare: (visitor: Visitor) => form.prepare(visitor, 0) })),
	...OWN,
]

const SAID = 'The desk is shut until 4, says PW-17'
const error = (status: number) => Response.json({ status: 'error', message: SAID, data: null }, { status })
const HTML = () => new Response('<html><body>Traceback secret</body></html>', { status: 500, headers: { 'content-type': 'text/html' } })

/** How a call fails, and how the form answers. */
const FAULTS: readonly [name: string, answer: () => Response, status: number, words: string][] = [
	['500 with a message', () => error(500), 502, SAID],
	['500 with a page', HTML, 502, ''],
	['404 with a message', () => error(404), 422, SAID],
]

/** Never shown again, or of one post alone. */
const HIDDEN = /^(csrf|idempotency_key|otp|password|.*_password|intent|step|draft|reference|ref|exchange|agree)$/

let opened: Awaited<ReturnType<typeof openPortal>>
beforeAll(async () => {
	opened = await openPortal(['DEMO01', 'CASH01', 'DEBT01', 'CLOS01', 'NEW001'])
})
afterAll(() => opened.close())
afterEach(() => opened.breakBroker(undefined))

const send = (visitor: Visitor, { address, fields, files }: Ready) =>
	files ? sendForm(visitor, address, fields, files) : visitor.postRaw(address, fields)
const fail = (path: string, answer: () => Response) =>
	opened.breakBroker(({ url }) => (new URL(url).pathname === path ? answer() : undefined))

describe.each(FORMS)('$name', ({ name, who, call, lookups = [], prepare }) => {
	it('is shown again as it was typed, with what the broker said', async () => {
		const visitor = who ? await signedIn(opened, who) : new Visitor(opened.portal)
		const ready = await prepare(visitor)
		const typed = Object.entries(ready.fields).filter(([field, value]) => !HIDDEN.test(field) && value.length > 1)
		const paths = [...lookups, ...(call ? [call] : [])]
		for (const [fault, answer, status, words] of FAULTS) {
			for (const path of paths) {
				fail(path, answer)
				const since = opened.asked.length
				const sent = await send(visitor, ready)
				const html = await sent.text()
				const text = textOf(html)
				const where = `${name}: ${path} ${fault}`
				expect([where, sent.status], text).toEqual([where, status])
				expect(text, where).toContain('There is a problem')
				expect(text, where).toContain(words)
				expect(text, where).not.toMatch(/Page not found|Something went wrong|Traceback|No Data Found|undefined|NaN|did not answer/)
				for (const [field, value] of typed) expect(html, `${where}: ${field}`).toContain(value.replaceAll('&', '&amp;'))
				for (const secret of ['Demo@1234', 'Other@5678']) expect(html, where).not.toContain(secret)
				if (path === call) continue
				expect(text, where).toContain('Nothing was sent')
				expect(opened.asked.slice(since).filter(({ url }) => new URL(url).pathname === call)).toEqual([])
			}
		}
		// None of it signed anybody out.
		opened.breakBroker(undefined)
		if (who) expect((await visitor.visit('/myaccount')).status).toBe(200)
	})
})

it('a call that the broker answered with its own failure is not called unanswered, and leaves open whether it was done', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const form = MONEY_FORMS.find(({ name }) => name === 'a payout')
	const ready = await form?.prepare(visitor, 0)
	if (!ready) throw new Error('There is no such form')
	fail('/v1/account_profile/fund_payout', () => error(500))
	const html = await (await send(visitor, ready)).text()
	expect(textOf(html)).toContain(`${SAID}. The request may already have been recorded; check`)
	expect(textOf(html)).toContain('Trying again cannot do it twice.')
	expect(hidden(html, 'idempotency_key')).toBe(ready.fields.idempotency_key)
})

it('a code that could not be sent again keeps its step', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	await visitor.post('/myaccount/email', '/myaccount/email', { input: 'new.three@example.com' })
	const { html } = await visitor.visit('/myaccount/email/otp')
	const fields = { csrf: hidden(html, 'csrf'), step: hidden(html, 'step'), intent: 'resend_otp' }
	const sent = await visitor.postRaw('/myaccount/email/otp', fields)
	// The sandbox's wait between two codes comes first: it is a refusal with its time.
	expect([sent.status, sent.headers.get('retry-after')]).toEqual([429, expect.stringMatching(/^\d+$/)])
	expect(await sent.text()).toContain('name="otp"')
})

it('files and proofs are asked for again, and never kept', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	await visitor.post('/myaccount/income', '/myaccount/income', { income: '5-10 Lakh' })
	const page = (await visitor.visit('/myaccount/income/otp')).html
	const own = { csrf: hidden(page, 'csrf'), idempotency_key: hidden(page, 'idempotency_key'), step: hidden(page, 'step') }
	fail('/v1/modifications/income-modification', () => error(404))
	const sent = await sendForm(visitor, '/myaccount/income/otp', { ...own, otp: await lastCode('CASH01') }, { file: PDF })
	const html = await sent.text()
	expect([sent.status, textOf(html)]).toEqual([422, expect.stringContaining(SAID)])
	expect(html).not.toContain('my salary.pdf')
})
