import { hidden, lastCode, sendForm } from './account'
import { parseCount, readFormRows } from './depository'
import { type Visitor } from './portal'
import { firstLink, firstOption, readKeys } from './readers'

type Fields = Record<string, string>
/** A form as a browser sends it: its address and its fields. */
export type Ready = { address: string; fields: Fields; files?: Record<string, File> }

export type MoneyForm = {
	name: string
	/** The file with its action. */
	route: string
	/** A persona who may use it. */
	who: string
	/** Path of the broker's call. */
	call: string
	/** Opens the form: for the first time (round 0), or once more (1, 2). */
	prepare: (visitor: Visitor, round: number) => Promise<Ready>
}

/** Issues that take bids, each with a quantity and a price that it takes. */
const ISSUES = [
	['KONKANLOG', '100', '150'],
	['NOVATEC', '100', '500'],
	['SAHYAGRO', '45', '327'],
] as const

const mustHave = (found: string, what: string) => {
	if (!found) throw new Error(`The page has no ${what}`)
	return found
}
const readBank = (html: string) => mustHave(firstOption(html, 'bank'), 'bank')
const PDF = new File(['%PDF-1.4\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n'], 'master.pdf', { type: 'application/pdf' })
const PNG_BYTES = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNkYAAAAAYAAjCB0C8AAAAASUVORK5CYII='
const PNG = new File([Buffer.from(PNG_BYTES, 'base64')], 'sign.png', { type: 'image/png' })

async function withdrawal(visitor: Visitor): Promise<Ready> {
	const { html } = await visitor.visit('/funds/withdraw')
	return { address: '/funds/withdraw', fields: { ...readKeys(html), ledgers: 'NSE_CASH', amount: '5', bank: readBank(html) } }
}

async function mandate(visitor: Visitor): Promise<Ready> {
	const { html } = await visitor.visit('/funds/e-mandate')
	return { address: '/funds/e-mandate', fields: { ...readKeys(html), bank: readBank(html), amount: '5000', channel: 'netbanking' } }
}

/** Securities with more than one unit in a column of the form's table. */
function securitiesWith(html: string, column: string): string[] {
	return readFormRows(html).flatMap(({ isin, cells }) => (parseCount(cells[column]) > 1 ? [isin] : []))
}

/** The review page of an order for the first available security; in a second round, for the next one. */
async function pledge(visitor: Visitor, action: 'pledge' | 'unpledge', round: number): Promise<Ready> {
	const isins = securitiesWith((await visitor.visit('/dpprocess/pledge')).html, action === 'pledge' ? 'Free' : 'Pledged')
	const { html, url } = await visitor.visit(`/dpprocess/pledge/review?action=${action}&${isins[round % isins.length] ?? ''}=1`)
	return { address: url, fields: readKeys(html) }
}

async function closure(visitor: Visitor, holdings: 'close' | 'transfer'): Promise<void> {
	const answers = { reason: 'Moving to another broker', close: 'Trading and Demat', holdings }
	await visitor.post('/myaccount/closure', '/myaccount/closure', answers)
}

/** Every form that moves money or securities, or authorises the broker to do so. Add each new form here: see exactly-once.test.ts. */
export const MONEY_FORMS: readonly MoneyForm[] = [
	{
		name: 'a pay-in',
		route: 'funds/add.tsx',
		who: 'DEMO01',
		call: '/atompay/v2/Request',
		async prepare(visitor) {
			const { html } = await visitor.visit('/funds')
			const typed = { amount: '2500', segment: 'BSE', mode: 'upi', upi_id: 'me@examplebank' }
			return { address: '/funds', fields: { ...readKeys(html), bank: readBank(html), ...typed } }
		},
	},
	{ name: 'a payout', route: 'funds/withdraw.tsx', who: 'DEMO01', call: '/v1/account_profile/fund_payout', prepare: withdrawal },
	{
		name: 'the end of a payout',
		route: 'funds/payout.tsx',
		who: 'CASH01',
		call: '/v1/ours/cancel-payout',
		async prepare(visitor) {
			const { address, fields } = await withdrawal(visitor)
			await visitor.postRaw(address, fields)
			const ref = mustHave(firstLink((await visitor.visit(address)).html, '/funds/payout?ref=').split('=')[1] ?? '', 'payout under way')
			const { html } = await visitor.visit(`/funds/payout?ref=${ref}`)
			return { address: `/funds/payout?ref=${ref}`, fields: { ...readKeys(html), ref } }
		},
	},
	{
		name: 'a mandate',
		route: 'funds/e-mandate.tsx',
		who: 'DEMO01',
		call: '/v1/account_profile/e_mandate/online',
		prepare: mandate,
	},
	{
		name: 'the end of a mandate',
		route: 'funds/e-mandate.tsx',
		who: 'CASH01',
		call: '/v1/ours/cancel-mandate',
		async prepare(visitor) {
			const { address, fields } = await mandate(visitor)
			const placed = new URL((await visitor.postRaw(address, fields)).headers.get('location') ?? '')
			const body = new URLSearchParams({ token: placed.searchParams.get('token') ?? '', outcome: 'confirm' })
			await fetch(placed.origin + placed.pathname, { method: 'POST', body, redirect: 'manual' })
			const list = await visitor.visit('/funds/e-mandate')
			const { html } = await visitor.visit(mustHave(firstLink(list.html, '/funds/e-mandate?cancel=EM'), 'mandate to end'))
			const form = html.slice(html.indexOf('Cancel this mandate?'))
			return { address: '/funds/e-mandate', fields: { ...readKeys(form), intent: 'cancel', reference: hidden(form, 'reference') } }
		},
	},
	{
		name: 'a bid',
		route: 'ipo/apply.tsx',
		who: 'CASH01',
		call: '/ipo/v1/bid/bidSubmit',
		async prepare(visitor, round) {
			// An issue takes one application.
			const [symbol, quantity, price] = ISSUES[round] ?? ISSUES[0]
			const page = `/connect/ipo/${symbol}`
			const { html } = await visitor.visit(page)
			const bid = { 'bids[0].quantity': quantity, 'bids[0].price': price }
			const BOId = mustHave(firstOption(html, 'BOId'), 'demat account')
			const fields = { csrf: hidden(html, 'csrf'), category: 'IND', BOId, upi_id: 'me@examplebank', ...bid }
			await visitor.postRaw(page, fields)
			const review = (await visitor.visit(`${page}?dialog=confirm`)).html
			const form = review.slice(review.indexOf('page-dialog'))
			return { address: `${page}?dialog=confirm`, fields: { ...readKeys(form), intent: 'submit', draft: hidden(form, 'draft') } }
		},
	},
	{
		name: 'a pledge',
		route: 'depository/pledge-review.tsx',
		who: 'DEMO01',
		call: '/v1/margin_epledge',
		prepare: (visitor, round) => pledge(visitor, 'pledge', round),
	},
	{
		name: 'a release',
		route: 'depository/pledge-review.tsx',
		who: 'DEMO01',
		call: '/v1/margin_epledge',
		prepare: (visitor, round) => pledge(visitor, 'unpledge', round),
	},
	{
		name: 'a stock verification',
		route: 'depository/otp.tsx',
		who: 'DEMO01',
		call: '/edis/edis/v1/edis-verify-otp',
		async prepare(visitor, round) {
			const isin = securitiesWith((await visitor.visit('/dpprocess')).html, 'Free')[round] ?? ''
			await visitor.post('/dpprocess', '/dpprocess', { isin, [`qty.${isin}`]: '1', trade_type: 'PRE' })
			const page = (await visitor.visit('/dpprocess/otp')).html
			const otp = await lastCode('DEMO01')
			return { address: '/dpprocess/otp', fields: { ...readKeys(page), step: hidden(page, 'step'), otp } }
		},
	},
	{
		name: 'the DDPI',
		route: 'depository/ddpi.tsx',
		who: 'CASH01',
		call: '/edis/v1/request_esign',
		async prepare(visitor) {
			const { html } = await visitor.visit('/dpprocess/ddpi')
			return { address: '/dpprocess/ddpi', fields: { csrf: hidden(html, 'csrf') } }
		},
	},
	{
		name: 'the MTF activation',
		route: 'mtf/mtf.tsx',
		who: 'CASH01',
		call: '/v1/mtf_esign_process',
		async prepare(visitor) {
			const { html } = await visitor.visit('/connect/mtf')
			return { address: '/connect/mtf', fields: readKeys(html) }
		},
	},
	{
		name: 'the closure',
		route: 'account/closure-check.tsx',
		who: 'NEW001',
		call: '/v1/acc-closing-esign-proccess',
		async prepare(visitor) {
			await closure(visitor, 'close')
			const { html } = await visitor.visit('/myaccount/closure/check')
			return { address: '/myaccount/closure/check', fields: readKeys(html) }
		},
	},
	{
		name: 'the closure with a transfer',
		route: 'account/closure-check.tsx',
		who: 'CLOS01',
		call: '/v1/acc-closing-with-transfer-esign-proccess',
		async prepare(visitor) {
			await closure(visitor, 'transfer')
			const { html } = await visitor.visit('/myaccount/closure/transfer')
			const target = { account_type: 'CDSL', cdsl_bo_id: '1300000000200815', nsdl_bo_id: '' }
			const files = { client_master: PDF, signature: PNG }
			await sendForm(visitor, '/myaccount/closure/transfer', { csrf: hidden(html, 'csrf'), ...target }, files)
			const check = (await visitor.visit('/myaccount/closure/check')).html
			return { address: '/myaccount/closure/check', fields: readKeys(check) }
		},
	},
	{
		name: 'the end of a closure',
		route: 'account/closure.tsx',
		who: 'NEW001',
		call: '/v1/ours/withdraw-closure',
		async prepare(visitor) {
			await closure(visitor, 'close')
			const check = (await visitor.visit('/myaccount/closure/check')).html
			await visitor.postRaw('/myaccount/closure/check', readKeys(check))
			const { html } = await visitor.visit('/myaccount/closure')
			const form = html.slice(html.indexOf('value="withdraw"') - 400)
			const fields = { csrf: hidden(html, 'csrf'), idempotency_key: hidden(form, 'idempotency_key'), reference: hidden(form, 'reference') }
			return { address: '/myaccount/closure', fields: { ...fields, intent: 'withdraw' } }
		},
	},
]

/** Sends a form for the first time. Returns the address of its redirect. */
export async function sendMoneyForm(name: string, visitor: Visitor): Promise<string> {
	const form = MONEY_FORMS.find((each) => each.name === name)
	if (!form) throw new Error(`There is no form of ${name}`)
	const { address, fields } = await form.prepare(visitor, 0)
	const answer = await visitor.postRaw(address, fields)
	if (answer.status !== 303) throw new Error(`${name}: answered ${answer.status}`)
	return answer.headers.get('location') ?? ''
}
