import { type openPortal, ORIGIN, type Visitor } from './portal'
import { hidden, listAttributes, parsePage, readKeys, readText } from './readers'

export const VERIFY = '/dpprocess'
export const OTP = '/dpprocess/otp'
export const PLEDGE = '/dpprocess/pledge'
export const DDPI = '/dpprocess/ddpi'

type Row = { isin: string; cells: Record<string, string>; typed: string; isChosen: boolean }

/** Rows of the form's table, each cell by its column's head. */
export function readFormRows(html: string): Row[] {
	const table = parsePage(html).querySelector('table.filled-in')
	// Without the unit in the head: `Margin (₹)`.
	const heads = table?.querySelectorAll('thead th').map((head) => readText(head).replace(/ \(₹\)$/, '')) ?? []
	const rows = table?.querySelectorAll('tbody > tr') ?? []
	return rows.map((row) => {
		const cells = row.querySelectorAll('> th, > td')
		return {
			isin: row.querySelector('.isin')?.text ?? '',
			cells: Object.fromEntries(heads.map((head, index) => [head, readText(cells[index] ?? '')])),
			typed: row.querySelector('[name^="qty."]')?.getAttribute('value') ?? '',
			isChosen: row.querySelector('[checked]') !== null,
		}
	})
}

export const parseCount = (text = '') => Number(text.replaceAll(',', ''))

/** A row of the page with more than ten units in a column, none of them sold. */
export async function rowWith(visitor: Visitor, address: string, column: string) {
	const row = readFormRows((await visitor.visit(address)).html).find(
		({ cells }) => parseCount(cells[column]) > 10 && parseCount(cells.Sold) === 0,
	)
	if (!row) throw new Error(`Nothing is ${column}`)
	return { isin: row.isin, limit: parseCount(row.cells[column]) }
}

export const freeRow = (visitor: Visitor) => rowWith(visitor, VERIFY, 'Free')

export async function startVerification(visitor: Visitor, isin: string, qty: string, more: Record<string, string> = {}) {
	return await visitor.post(VERIFY, VERIFY, { isin, [`qty.${isin}`]: qty, trade_type: 'PRE', ...more })
}

export async function sendOtp(visitor: Visitor, fields: Record<string, string>, html?: string) {
	const page = html ?? (await visitor.visit(OTP)).html
	const all = { ...readKeys(page), step: hidden(page, 'step') }
	return await visitor.postRaw(OTP, { ...all, ...fields })
}

/** Posts the order on its review page. */
export async function confirm(visitor: Visitor, address: string, html?: string) {
	const page = html ?? (await visitor.visit(address)).html
	return await visitor.postRaw(address, readKeys(page))
}

/** Ends a request on the depository's page, and follows the redirect back. */
export async function atDepository(visitor: Visitor, left: Response, outcome = 'confirm') {
	const response = new URL(left.headers.get('location') ?? '').searchParams.get('response') ?? ''
	const body = new URLSearchParams({ response, outcome })
	const sent = await fetch('https://esign.test/depository', { method: 'POST', body, redirect: 'manual' })
	const back = new URL(sent.headers.get('location') ?? '')
	return await visitor.visit(back.pathname + back.search)
}

/** References of the requests on the page. A waiting request is linked twice. */
export async function listRequests(visitor: Visitor) {
	const { html } = await visitor.visit(PLEDGE)
	const address = `${PLEDGE}/return?ref=`
	return [
		...new Set(listAttributes(html, `a[href^="${address}PL-"]`, 'href').map((href) => new URL(href, ORIGIN).searchParams.get('ref') ?? '')),
	]
}

/** The broker carries out the request, and the connection fails. Faults run before the sandbox, so this calls the sandbox itself. */
export async function loseResponse({ breakBroker }: Awaited<ReturnType<typeof openPortal>>, request: Request): Promise<Response> {
	breakBroker(undefined)
	await fetch(request)
	throw new Error('socket hang up')
}
