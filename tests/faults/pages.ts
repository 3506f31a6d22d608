import { lastCode, sendCode } from '#tests/support/account'
import { type Visitor } from '#tests/support/portal'
import { findAttribute, firstLink } from '#tests/support/readers'

export type Page = {
	/** The route of the site map, without the first slash. */
	route: string
	/** A client with data on the page. */
	who: string
	/** Prepares what the address needs. */
	address: string | ((visitor: Visitor) => Promise<string>)
}

/** The first address in a page that begins with this text. */
async function findLink(visitor: Visitor, page: string, start: string): Promise<string> {
	const { html } = await visitor.visit(page)
	const found = firstLink(html, start)
	if (!found) throw new Error(`${page} has no link to ${start}`)
	return found
}

async function startChange(visitor: Visitor, page: string, fields: Record<string, string>): Promise<string> {
	const answer = await visitor.post(page, page, fields)
	const location = answer.headers.get('location')
	if (answer.status !== 303 || !location) throw new Error(`${page} answered ${answer.status}`)
	return location
}

const page = (route: string, who = 'DEMO01', address: Page['address'] = `/${route}`): Page => ({ route, who, address })

/** An address that a page links to. It is found once, because it is the same in every session of the client. */
export function found(from: string, start: string): (visitor: Visitor) => Promise<string> {
	let known = ''
	return async (visitor) => (known ||= await findLink(visitor, from, start))
}

/** Every page that calls the broker. Several lines with one route are different pages of it. */
export const PAGES: readonly Page[] = [
	page('rekyc', 'DORM01'),
	page('', 'DEMO01', '/'),
	page('dashboard'),
	page('change-password'),
	page('myaccount'),
	page('myaccount/mobile'),
	page('myaccount/email'),
	page('myaccount/bank'),
	page('myaccount/segments'),
	page('myaccount/nominee'),
	page('myaccount/income'),
	page('myaccount/:change/otp', 'CASH01', (visitor) => startChange(visitor, '/myaccount/email', { input: 'another.one@example.com' })),
	page('myaccount/requests'),
	page('myaccount/closure'),
	page('myaccount/closure/check', 'NEW001', async (visitor) => {
		await visitor.post('/myaccount/closure', '/myaccount/closure', {
			reason: 'Moving to another broker',
			close: 'Trading and Demat',
			holdings: 'close',
		})
		return '/myaccount/closure/check'
	}),
	page('myaccount/closure/transfer', 'CLOS01', async (visitor) => {
		await visitor.post('/myaccount/closure', '/myaccount/closure', {
			reason: 'Moving to another broker',
			close: 'Trading and Demat',
			holdings: 'transfer',
		})
		return '/myaccount/closure/transfer'
	}),
	page('dpprocess'),
	page('dpprocess/otp', 'DEMO01', async (visitor) => {
		const { html } = await visitor.visit('/dpprocess')
		const isin = findAttribute(html, '[name^="qty."]', 'name').slice('qty.'.length)
		return await startChange(visitor, '/dpprocess', { isin, [`qty.${isin}`]: '1', trade_type: 'PRE' })
	}),
	page('dpprocess/pledge'),
	page('dpprocess/pledge/review', 'DEMO01', async (visitor) => {
		const { html } = await visitor.visit('/dpprocess/pledge')
		// The first request redirects to an address with the order's key.
		return (await visitor.visit(`/dpprocess/pledge/review?action=pledge&${/name="([A-Z0-9]{12})"/.exec(html)?.[1] ?? ''}=1`)).url
	}),
	page('dpprocess/pledge/return', 'DEMO01', found('/dpprocess/pledge', '/dpprocess/pledge/return?ref=PL-')),
	page('dpprocess/ddpi'),
	page('connect/ipo'),
	page('connect/ipo/bids'),
	page('connect/ipo/bids/:application', 'DEMO01', found('/connect/ipo/bids', '/connect/ipo/bids/')),
	page('connect/ipo/:symbol', 'DEMO01', '/connect/ipo/KONKANLOG'),
	page('funds'),
	page('funds/return', 'DEMO01', found('/funds/history', '/funds/return?ref=PI')),
	page('funds/withdraw'),
	page('funds/payout', 'DEMO01', found('/funds/history?table=payouts', '/funds/payout?ref=PO')),
	page('funds/e-mandate'),
	page('funds/history'),
	page('esign/return', 'DEBT01', async (visitor) => {
		// DEBT01 requests a change of its e-mail, which waits for the e-sign, and returns without signing.
		const step = await startChange(visitor, '/myaccount/email', { input: 'another.one@example.com' })
		await sendCode(visitor, step, { otp: await lastCode('DEBT01') })
		const { html } = await visitor.visit('/myaccount/requests')
		return `/esign/return?ref=${/MOD-[0-9A-F]+/.exec(html)?.[0] ?? ''}`
	}),
	page('connect/mtf'),
	page('reports/ledger'),
	page('reports/ledger/deducted'),
	page('reports/ledger/:type', 'DEMO01', '/reports/ledger/MCX'),
	page('reports/holding/:isin', 'DEMO01', found('/reports/holding', '/reports/holding/')),
	page('reports/contractnbill/:bill', 'DEMO01', found('/reports/contractnbill', '/reports/contractnbill/')),
	page('reports/profitnloss'),
	page('reports/income-tax'),
	page('reports/downloads'),
	...['holding', 'position', 'contractnbill', 'global-summary', 'global-details'].map((name) =>
		page('reports/:report', 'DEMO01', `/reports/${name}`),
	),
]

/** Routes that are not pages with broker calls, each with its reason. */
export const OTHERS: Record<string, string> = {
	login: 'asks the broker in its action only',
	logout: 'a POST',
	'forgot-password': 'asks the broker in its action only',
	'session/activity': 'a POST that asks the broker nothing',
	theme: 'a POST that asks the broker nothing',
	esign: 'leads to the provider',
	maintenance: 'asks whether the broker is back',
	healthz: 'asks the broker nothing',
	readyz: 'says whether the broker answers, and nothing else',
	'*': 'asks the broker nothing',
	'client/reports': 'a session of its own: web-link.test.ts',
	'client/downloads/pnl/:format': 'a session of its own: web-link.test.ts',
}
