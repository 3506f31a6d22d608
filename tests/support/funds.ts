import { expect } from 'vitest'
import { hidden, readText } from './account'
import { type openPortal, type Visitor } from './portal'
import { findAttribute, readKeys } from './readers'

/* Money in and out, without JavaScript. */

type Opened = Awaited<ReturnType<typeof openPortal>>
type Fields = Record<string, string>

export const ADD = '/funds'
export const WITHDRAW = '/funds/withdraw'
export const MANDATE = '/funds/e-mandate'
export const HISTORY = '/funds/history'
export const PAYIN_PATH = '/atompay/v2/Request'
export const PAYOUT_PATH = '/v1/account_profile/fund_payout'
export const MANDATE_PATH = '/v1/account_profile/e_mandate/online'

export const payin = (fields: Fields = {}): Fields => ({
	amount: '2,500.50',
	segment: 'BSE',
	mode: 'upi',
	upi_id: 'aarav@examplebank',
	...fields,
})
export const payout = (fields: Fields = {}): Fields => ({ ledgers: 'NSE_CASH', amount: '5', ...fields })
export const mandate = (fields: Fields = {}): Fields => ({ amount: '5000', channel: 'netbanking', ...fields })

export const sentTo = ({ asked }: Opened, path: string) => asked.filter(({ url }) => new URL(url).pathname === path)

const readBank = (html: string) => findAttribute(html, 'option[value^="0-"]', 'value')

/** The fields of the page's first form, hidden ones included. */
export function fillForm(html: string, fields: Fields): Fields {
	return { ...readKeys(html), bank: readBank(html), ...fields }
}

/** Posts the first form of a page as a browser does. */
export async function send(visitor: Visitor, page: string, fields: Fields, from?: string): Promise<Response> {
	return await visitor.postRaw(page, fillForm(from ?? (await visitor.visit(page)).html, fields))
}

/** Selects the outcome on the page of a payment or mandate. Returns the address that it redirects to. */
export async function atBank(address: string, outcome: string): Promise<string> {
	const page = new URL(address)
	const body = new URLSearchParams({ token: page.searchParams.get('token') ?? '', outcome })
	const ended = await fetch(page.origin + page.pathname, { method: 'POST', body, redirect: 'manual' })
	const back = new URL(ended.headers.get('location') ?? '')
	return back.pathname + back.search
}

/** Ends a payment or a mandate on its page, and follows the redirect back. */
export async function finish(visitor: Visitor, answer: Response, outcome: string) {
	return await visitor.visit(await atBank(answer.headers.get('location') ?? '', outcome))
}

export const readLedgerBalance = async (visitor: Visitor) =>
	/Ledger balance (₹ [\d,.]+(?: [CD]r)?)/.exec(readText((await visitor.visit(WITHDRAW)).html))?.[1] ?? 'none'

export async function postPayoutCancellation(visitor: Visitor, place: string, from?: string) {
	const html = from ?? (await visitor.visit(place)).html
	const ref = new URL(place, 'https://portal.test').searchParams.get('ref') ?? ''
	return await visitor.postRaw(place, { ...readKeys(html), ref })
}

/** The broker carries out the next call of this path, and its response is lost. */
export function loseResponseTo(opened: Opened, path: string) {
	opened.breakBroker((request) => {
		if (new URL(request.url).pathname !== path) return undefined
		opened.breakBroker(undefined)
		return fetch(request).then(() => {
			throw new Error('the connection died')
		})
	})
}

/** Checks that the form is shown again with its key and says that the request may already be recorded. Returns the page. */
export async function expectLost(lost: Response, html: string): Promise<string> {
	const again = await lost.text()
	expect([lost.status, readText(again)]).toEqual([503, expect.stringContaining('this may already have been done')])
	expect(hidden(again, 'idempotency_key')).toBe(hidden(html, 'idempotency_key'))
	return again
}

/** Addresses to which the portal must not redirect (security rule 32): another scheme, host or port, or no address. */
export const NO_PLACES: readonly unknown[] = [
	'https://evil.test/pay',
	'http://esign.test/pay',
	'https://esign.test.evil.test/',
	'https://esign.test@evil.test/',
	'https://93.184.216.34/pay',
	'https://esign.test:444/',
	'https://xn--esgn-5pa.test/pay',
	'https://esign.test/a https://evil.test/b',
	'javascript:alert(1)',
	'//evil.test',
	'<form action="https://evil.test"></form>',
	'',
	5,
	null,
]

/** From now on the broker returns this address for calls of `path`. */
export function namePlace(opened: Opened, path: string, url_data: unknown) {
	opened.breakBroker((request) =>
		new URL(request.url).pathname === path
			? Response.json({ status: 'success', message: 'ok', data: { url_data, request_id: 'PI000001' } })
			: undefined,
	)
}
