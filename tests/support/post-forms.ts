import { vi } from 'vitest'
import { hidden, lastCode, sendCode } from './account'
import { MONEY_FORMS, type Ready } from './money-forms'
import { type Visitor } from './portal'
import { findAttribute, firstLink, firstOption, listAttributes, readKeys } from './readers'

export type FormCase = {
	name: string
	who: string
	/** Path of the broker's call; absent when the post makes no call itself. */
	call?: string
	/** Paths that are called first; when one fails, nothing is sent. */
	lookups?: readonly string[]
	/** `round` starts at 0, and increases when each post is prepared anew. */
	prepare: (visitor: Visitor, round: number) => Promise<Ready>
	/** The portal limits this form for each client, so each post comes from another client. */
	isEachAnew?: boolean
	/** For a page about one thing: what the page shows when the broker no longer knows it. */
	gone?: string
	/** The page's own text for an unreadable response, instead of the general one. */
	garbled?: string
}

const at = (address: string, fields: Record<string, string>) => async (visitor: Visitor) => {
	const { html } = await visitor.visit(address)
	return { address, fields: { csrf: hidden(html, 'csrf'), ...fields } }
}

const CLIENTS = ['DEMO01', 'CASH01', 'DEBT01', 'CLOS01', 'NEW001', 'DORM01', 'BULK01'] as const
const client = (round: number) => CLIENTS[round % CLIENTS.length] ?? ''

/** Requests an OTP for a forgotten password, replacing the pending one of this browser. */
async function forget(visitor: Visitor, username: string): Promise<void> {
	await visitor.post('/forgot-password', '/forgot-password', { intent: 'send_otp', username })
}

/** A post of the pending step at the address. */
async function openStep(visitor: Visitor, address: string, fields: Record<string, string>): Promise<Ready> {
	const { html } = await visitor.visit(address)
	return { address, fields: { csrf: hidden(html, 'csrf'), step: hidden(html, 'step'), ...fields } }
}

const BANKS = '/v2/account-profile/bank-details'
const EDIS = '/edis/edis/v1/edis-holding-data'
const PLEDGES = '/v1/margin_epledge_data'
const ISSUES = '/ipo/v1/get-ipo-details'
const BIDDER = '/ipo/v1/fetch-client-details'

/** The calls that the money forms make first. */
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
	return findAttribute((await visitor.visit(page)).html, '[name^="qty.IN"]', 'name').slice('qty.'.length)
}

const OWN: readonly FormCase[] = [
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
		isEachAnew: true,
		prepare: (visitor, round) => at('/forgot-password', { intent: 'send_otp', username: client(round) })(visitor),
	},
	{
		name: 'the code of a forgotten password once more',
		who: '',
		call: '/v1/user/forgot-password-resend',
		isEachAnew: true,
		async prepare(visitor, round) {
			await forget(visitor, client(round))
			return await openStep(visitor, '/forgot-password', { intent: 'resend_otp' })
		},
	},
	{
		name: 'the code of a forgotten password',
		who: '',
		call: '/v1/user/forgot-password-verify',
		async prepare(visitor) {
			await forget(visitor, 'DEMO01')
			return await openStep(visitor, '/forgot-password', { intent: 'verify_otp', otp: await lastCode('DEMO01') })
		},
	},
	{
		name: 'a password set anew',
		who: '',
		call: '/v1/user/reset-password',
		async prepare(visitor) {
			await forget(visitor, 'CASH01')
			const { address, fields } = await openStep(visitor, '/forgot-password', { intent: 'verify_otp', otp: await lastCode('CASH01') })
			await visitor.postRaw(address, fields)
			const passwords = { new_password: 'Other@5678', confirm_password: 'Other@5678' }
			return await openStep(visitor, '/forgot-password', { intent: 'reset', ...passwords })
		},
	},
	{
		name: 'a new password',
		who: 'DEBT01',
		call: '/v1/user/update-password',
		prepare: at('/change-password', { old_password: 'Demo@1234', new_password: 'Other@5678', confirm_password: 'Other@5678' }),
		garbled: 'An error occurred while processing your request.',
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
			const bank = hidden(html, 'bank')
			const fields = { ...readKeys(html), intent: 'make_default', bank }
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
			const own = { ...readKeys(page), step: hidden(page, 'step') }
			return { address: '/myaccount/email/otp', fields: { ...own, otp: await lastCode('CASH01') } }
		},
	},
	{
		name: 'the code of a change once more',
		who: 'CASH01',
		call: '/v1/modifications/profile-modifications',
		async prepare(visitor) {
			await visitor.post('/myaccount/mobile', '/myaccount/mobile', { input: '9876501235' })
			// Another OTP may be requested after half a minute.
			vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 60_000 })
			return await openStep(visitor, '/myaccount/mobile/otp', { intent: 'resend_otp' })
		},
	},
	{
		name: 'the end of a request',
		who: 'DEBT01',
		call: '/v1/ours/change-withdrawal',
		async prepare(visitor) {
			await visitor.post('/myaccount/email', '/myaccount/email', { input: 'new.four@example.com' })
			await sendCode(visitor, '/myaccount/email/otp', { otp: await lastCode('DEBT01') })
			const address = firstLink((await visitor.visit('/myaccount/requests')).html, '/myaccount/requests?withdraw=')
			const { html } = await visitor.visit(address)
			return { address, fields: { ...readKeys(html), reference: hidden(html, 'reference') } }
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
		name: 'the code of a verification once more',
		who: 'DEMO01',
		call: '/edis/edis/v1/resend-otp',
		async prepare(visitor) {
			const isin = await isinWith(visitor, '/dpprocess')
			await visitor.post('/dpprocess', '/dpprocess', { isin, [`qty.${isin}`]: '1', trade_type: 'PRE' })
			return await openStep(visitor, '/dpprocess/otp', { intent: 'resend_otp' })
		},
	},
	{
		name: 'a pledge to confirm once more',
		who: 'DEMO01',
		lookups: ['/v1/ours/pledge-requests'],
		gone: 'We do not know this pledge request.',
		async prepare(visitor) {
			const order = await MONEY_FORMS.find(({ name }) => name === 'a pledge')?.prepare(visitor, 0)
			if (!order) throw new Error('There is no such form')
			await visitor.postRaw(order.address, order.fields)
			const { html } = await visitor.visit('/dpprocess/pledge')
			// Not the request of the banner: this session was sent to the depository for it, so the page knows it without the list.
			const address = listAttributes(html, 'table a[href^="/dpprocess/pledge/return?ref="]', 'href').at(-1)
			return await at(address ?? '', {})(visitor)
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
			const BOId = firstOption((await visitor.visit(page)).html, 'BOId')
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

/** Every form of the site map whose post calls the broker. */
export const FORMS: readonly FormCase[] = [...MONEY_FORMS.map((form) => ({ ...form, lookups: LOOKUPS[form.name] })), ...OWN]

/** Files with an action whose form is not shown again, each with its reason. */
export const NO_FORMS: Record<string, string> = {
	'routes/theme.ts': 'asks the broker nothing',
	'routes/auth/keep-alive.ts': 'asks the broker nothing',
	'routes/maintenance.tsx': 'asks the broker nothing',
	'routes/esign/confirm.tsx': 'asks the broker nothing: the way to the provider is sealed in a cookie',
	'routes/account/closure-transfer.tsx': 'asks the broker nothing: its files wait for the page that sends them',
	'routes/auth/logout.tsx': 'ends the session whatever the broker answers: session.test.ts',
	'routes/reports/profit-and-loss.tsx': 'asks for a file to be made, and says in a toast how that went: pnl.test.ts',
	'routes/web-link/reports.tsx': 'the same of a report link: web-link.test.ts',
}
