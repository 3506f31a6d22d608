import { beforeAll, beforeEach, expect, test } from 'vitest'
import { openPortalForFile, signedIn, Visitor } from '#tests/support/portal'
import { parsePage } from '#tests/support/readers'

/*
 * Access to reports with two clients. The second uses ids of the first in the address, the query, a header or a form, and always gets its
 * own data or nothing. No typed value decides the called broker address or its client.
 */
const open = openPortalForFile()
let first: Visitor
let second: Visitor
beforeAll(async () => {
	first = await signedIn(open)
	second = await signedIn(open, 'CASH01')
})
beforeEach(() => void (open.asked.length = 0))

const PAGES = [
	'ledger',
	'holding',
	'position',
	'contractnbill',
	'profitnloss',
	'global-summary',
	'global-details',
	'income-tax',
	'downloads',
]
const FILES = [
	...['ledger', 'holding', 'position', 'contractnbill', 'pnl', 'global-summary', 'global-details', 'income-tax'].map(
		(name) => `${name}/csv`,
	),
	...['ledger/pdf', 'ledger/xlsx', 'holding/pdf', 'holding/xlsx', 'pnl/pdf', 'pnl/xls', 'global-summary/pdf', 'global-details/xlsx'],
	...['income-tax/xlsx', 'income-tax/schedule-112a', 'client-details/pdf', 'client-master/pdf'],
]
const ADDRESSES = [...PAGES.map((page) => `/reports/${page}`), ...FILES.map((file) => `/downloads/${file}`), '/downloads/year-pack']

/** The figures of a page or a file, without the parts that change with every request. */
async function readWords(visitor: Visitor, address: string, headers = {}): Promise<string> {
	const answer = await visitor.send(address, { headers })
	expect(answer.status, address).toBe(200)
	const text = await answer.text()
	return answer.headers.get('content-type')?.startsWith('text/html') ? (parsePage(text).querySelector('main')?.toString() ?? '') : text
}

/** The client of each call, from the header, the query and the body. */
async function codesSent(): Promise<Set<string>> {
	const codes = new Set<string>()
	for (const request of open.asked) {
		const body = request.method === 'POST' ? ((await request.clone().json()) as { client_code?: string }) : {}
		for (const code of [request.headers.get('client-code'), new URL(request.url).searchParams.get('client_code'), body.client_code])
			if (code) codes.add(code)
	}
	return codes
}

const OTHERS_NAME = 'client_code=DEMO01&clientCode=DEMO01&UserId=DEMO01&client-code=DEMO01'
const OTHERS_HEADERS = { 'client-code': 'DEMO01', 'auth-token': 'x'.repeat(40), 'x-forwarded-user': 'DEMO01' }

test.for(PAGES)('/reports/%s shows the client’s own data, for any client in the request', async (page) => {
	await first.visit(`/reports/${page}?year=2025-2026`)
	const own = await readWords(second, `/reports/${page}?year=2025-2026`)
	open.asked.length = 0
	const named = await readWords(second, `/reports/${page}?year=2025-2026&refresh=1&${OTHERS_NAME}`, OTHERS_HEADERS)
	expect(named.replaceAll(`&amp;${OTHERS_NAME.replaceAll('&', '&amp;')}`, '').replaceAll('&amp;refresh=1', '')).toBe(own)
	// The downloads page has only links, and makes no call.
	expect([...(await codesSent())]).toEqual(page === 'downloads' && open.asked.length === 0 ? [] : ['CASH01'])
})

test.for(FILES)('/downloads/%s returns the client’s own data, for any client in the request', async (file) => {
	const own = await second.send(`/downloads/${file}?year=2025-2026`)
	const bytes = await own.text()
	await (await first.send(`/downloads/${file}?year=2025-2026`)).text()
	open.asked.length = 0
	const named = await second.send(`/downloads/${file}?year=2025-2026&${OTHERS_NAME}`, { headers: OTHERS_HEADERS })
	expect(named.headers.get('content-disposition')).toBe(own.headers.get('content-disposition'))
	expect(named.headers.get('content-disposition')).toContain('"CASH01_')
	// A PDF contains the time it was made; all other text is compared in full.
	if (file.endsWith('csv')) expect(await named.text()).toBe(bytes)
	else expect(Math.abs((await named.text()).length - bytes.length)).toBeLessThan(200)
	expect([...(await codesSent())]).toEqual(open.asked.length > 0 ? ['CASH01'] : [])
})

test('the links of the first client’s pages do not exist for the second client', async () => {
	const bills = await idsOn('/reports/contractnbill?year=2025-2026', /\/reports\/contractnbill\/([A-Z0-9]+)"/g)
	const isins = await idsOn('/reports/holding', /\/reports\/holding\/([A-Z0-9]+)"/g)
	expect([bills.length > 5, isins.length > 5]).toEqual([true, true])
	const own = new Set(
		[...(await second.visit('/reports/holding')).html.matchAll(/\/reports\/holding\/([A-Z0-9]+)"/g)].map(([, isin]) => isin),
	)
	const others = isins.filter((isin) => !own.has(isin))
	expect(others.length).toBeGreaterThan(3)
	for (const bill of bills.slice(0, 20)) {
		for (const address of [`/reports/contractnbill/${bill}`, `/reports/contractnbill/${bill}.data`, `/downloads/contract/${bill}`]) {
			const answer = await second.send(`${address}?${OTHERS_NAME}`, { headers: OTHERS_HEADERS })
			// A failed file leads back to the list.
			const refused = address.startsWith('/downloads/') ? 303 : 404
			expect([address, answer.status, answer.headers.get('content-disposition')]).toEqual([address, refused, null])
			expect(await answer.text()).not.toMatch(/%PDF|You (pay|receive)/)
		}
	}
	for (const isin of others) expect([isin, (await second.send(`/reports/holding/${isin}?${OTHERS_NAME}`)).status]).toEqual([isin, 404])
	// The broker was never asked for the path of another client's file.
	expect(open.asked.filter(({ url }) => url.includes('contract-bills-file'))).toEqual([])
})

async function idsOn(address: string, pattern: RegExp): Promise<string[]> {
	return [...new Set([...(await first.visit(address)).html.matchAll(pattern)].map(([, id = '']) => id))]
}

test('a typed path is never sent: a note is found by its number in the client’s own list', async () => {
	const [bill = ''] = await idsOn('/reports/contractnbill?year=2025-2026', /\/reports\/contractnbill\/([A-Z0-9]+)"/g)
	const whole = await first.send(`/downloads/contract/${bill}?file_path=../../etc/passwd&path=other/note.pdf`)
	expect(whole.status).toBe(200)
	await whole.body?.cancel()
	const [asked] = open.asked.filter(({ url }) => url.includes('contract-bills-file'))
	expect(await asked?.json()).toMatchObject({ file_path: expect.stringMatching(/^[\w-]+(\/[\w-]+)+\.pdf$/) as string })
	for (const typed of TRAVERSALS) {
		open.asked.length = 0
		for (const address of [`/downloads/contract/${typed}`, `/reports/contractnbill/${typed}`, `/reports/holding/${typed}`]) {
			const { status } = await first.send(address)
			expect([address, status >= 400 && status < 500]).toEqual([address, true])
		}
		expect(open.asked.filter(({ url }) => !/verify-user|profile/.test(url))).toEqual([])
	}
})

const TRAVERSALS = [
	'..%2f..%2fetc%2fpasswd',
	'..%5c..%5cetc',
	'....%2f%2f',
	'%252e%252e%252fpasswd',
	'C:%5cx',
	'%5c%5chost%5cx',
	'NC%00',
	'%2fetc%2fpasswd',
	'a'.repeat(6000),
	'NC%0d%0aX:1',
	'%EF%BC%8E%EF%BC%8E%2f',
]

test('refuses a path from the broker’s list that leads outside the client’s folder', async () => {
	open.breakBroker((request) => {
		if (request.url.includes('/contract-note'))
			return Response.json({ status: 'error', message: 'No such call', data: null }, { status: 404 })
		if (!request.url.includes('/contractbills')) return undefined
		const row = { BILL_DATE: '2025-04-01', BILL_NO: 'NOTE', SETL_NO: '1', COCD: 'NSE_CASH', DOC_TYPE: 'BILL', BILL_AMT: 1 }
		return Response.json({ status: 'success', message: '', data: [{ ...row, file_path: '../../etc/passwd' }] })
	})
	const answer = await first.send('/downloads/contract/NOTE')
	expect([answer.status, answer.headers.get('location')]).toEqual([303, '/reports/contractnbill'])
	expect(open.asked.filter(({ url }) => url.includes('contract-bills-file'))).toEqual([])
})

const HOSTILE = [
	'../../x',
	'//evil.test/',
	'http://127.0.0.1:1/',
	'?a=b',
	'#x',
	'%2e%2e%2f',
	'\r\nX-Evil: 1',
	'__proto__',
	'ALL',
	'٢٠٢٤-٢٠٢٥',
]

test('typed text never changes the broker’s address', async () => {
	const paths = new Set<string>()
	const fresh = await signedIn(open)
	for (const address of ADDRESSES.filter((each) => each !== '/downloads/year-pack')) (await fresh.send(address)).body?.cancel()
	// For an unknown ledger the portal also calls for the dashboard's balances.
	expect((await fresh.send('/reports/ledger/OWN')).status).toBe(404)
	for (const { url } of open.asked) paths.add(new URL(url).pathname)
	open.asked.length = 0
	for (const value of HOSTILE) {
		const typed = encodeURIComponent(value)
		const query = ['year', 'segment', 'type', 'from', 'to', 'q', 'sort', 'page', 'cocd'].map((name) => `${name}=${typed}`).join('&')
		for (const address of [
			'/reports/ledger',
			'/reports/global-details',
			'/reports/profitnloss',
			'/downloads/ledger/pdf',
			'/downloads/pnl/xls',
		]) {
			const answer = await first.send(`${address}?${query}`)
			expect([address, value, answer.status < 500]).toEqual([address, value, true])
			await answer.body?.cancel()
		}
		for (const address of [`/reports/ledger/${typed}`, `/reports/${typed}`, `/downloads/${typed}/csv`, `/downloads/approved-list/${typed}`])
			expect([address, [400, 404].includes((await first.send(address)).status)]).toEqual([address, true])
	}
	for (const { url, headers } of open.asked) {
		const { origin, pathname, search } = new URL(url)
		expect([origin, paths.has(pathname) || pathname]).toEqual(['http://127.0.0.1:4999', true])
		expect(search).not.toMatch(/evil|\.\.|127\.0\.0\.1|%25|proto/)
		expect([headers.get('x-evil'), headers.get('cookie'), headers.get('referer')]).toEqual([null, null, null])
	}
})

test.for(['/downloads/ledger/pdf', '/downloads/client-details/pdf', '/downloads/year-pack', '/reports/position?refresh=1'])(
	'%s does not follow a redirect of the broker',
	async (address) => {
		const fresh = await signedIn(open)
		open.breakBroker((request) =>
			/verify-user|personal-details/.test(request.url)
				? undefined
				: new Response(null, { status: 302, headers: { location: 'http://evil.test/x.pdf' } }),
		)
		const answer = await fresh.send(address, { headers: { 'x-download': 'fetch' } })
		expect(answer.status).toBe(502)
		expect(answer.headers.get('location')).toBeNull()
		expect(open.asked.filter(({ url }) => url.includes('evil.test'))).toEqual([])
	},
)

test('without a session no report exists, and the broker is not asked', async () => {
	const stranger = new Visitor(open.portal)
	for (const address of [...ADDRESSES, '/downloads/contract/NC0000001', '/reports/holding.data']) {
		const answer = await stranger.send(address)
		const isSent = answer.headers.get('location')?.startsWith('/login') ?? (await answer.text()).includes('/login')
		expect([address, isSent, answer.headers.get('content-disposition')]).toEqual([address, true, null])
	}
	expect(open.asked.map(({ url }) => url)).toEqual([])
})

test('another site can neither load a file nor find out that it exists', async () => {
	for (const address of ['/downloads/ledger/csv', '/downloads/year-pack', '/client/downloads/pnl/csv']) {
		const headers = { 'sec-fetch-site': 'cross-site', 'sec-fetch-mode': 'no-cors', 'sec-fetch-dest': 'image' }
		const answer = await first.send(address, { headers })
		expect([answer.status, answer.headers.get('cross-origin-resource-policy')]).toEqual([403, 'same-origin'])
	}
	expect(open.asked.map(({ url }) => url)).toEqual([])
})
