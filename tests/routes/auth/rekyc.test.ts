import { expect, test } from 'vitest'
import { BROKERS_DAY } from '#tests/support/brokers-day'
import { openPortalForFile, ORIGIN, Visitor } from '#tests/support/portal'
import { firstLink, readAll, readHeading, readText } from '#tests/support/readers'

const open = openPortalForFile()

/** Where the sandbox's re-KYC is. */
const SITE = 'http://127.0.0.1:4999/rekyc/'

async function signedIn(code = 'DORM01') {
	const person = new Visitor(open.portal)
	expect((await person.login(code)).status).toBe(303)
	open.asked.length = 0
	return person
}

const POSTS = ['/change-password', '/esign', '/session/activity', '/reports/profitnloss']
const PAGES = [
	...[
		'/',
		'/dashboard',
		'/dashboard?dialog=change-password',
		'/change-password',
		'/esign',
		'/esign/return',
		'/myaccount',
		'/myaccount/closure',
	],
	...['ledger', 'ledger/NSE_CASH', 'ledger/deducted', 'holding', 'holding/INE040A01034', 'position', 'contractnbill', 'profitnloss'].map(
		reported,
	),
	...['global-summary', 'global-details', 'income-tax', 'downloads', 'contractnbill/N1'].map(reported),
	...['ledger/pdf', 'ledger/csv', 'holding/pdf', 'pnl/pdf', 'contract/N1', 'income-tax/xlsx', 'year-pack', 'client-master/pdf'].map(
		(path) => `/downloads/${path}`,
	),
]

function reported(path: string): string {
	return `/reports/${path}`
}

test('an item that only the broker has a name for is listed as it writes it', async () => {
	const person = await signedIn()
	open.breakBroker(async (request) => {
		if (!request.url.includes('rekyc')) return undefined
		const json = (await (await open.forward(request)).json()) as { data: object }
		Object.assign(json.data, { required: ['PAN', 'Passport copy'] })
		return Response.json(json)
	})
	const { html } = await person.visit('/rekyc')
	open.breakBroker(undefined)
	expect(readAll(html, 'main h2 + ul li')).toEqual(['Your PAN card', 'Passport copy'])
})

test('every private address sends a dormant client to re-KYC and makes no call', async () => {
	const person = await signedIn()
	for (const path of PAGES) {
		const answer = await person.send(path)
		// An unknown address is not found for anyone.
		if (answer.status !== 404) expect([path, answer.status, answer.headers.get('location')]).toEqual([path, 302, '/rekyc'])
		const bare = path.split('?')[0] ?? ''
		const data = await (await person.send(`${bare === '/' ? '/_root' : bare}.data`, { headers: { 'sec-fetch-dest': 'empty' } })).text()
		expect(data, path).not.toMatch(/₹|DORM01/)
	}
	for (const path of POSTS) {
		const answer = await person.post('/rekyc', path, {})
		expect([path, answer.headers.get('location')]).toEqual([path, '/rekyc'])
	}
	const calls = open.asked.map(({ url }) => new URL(url).pathname).filter((path) => !/rekyc|verify-user/.test(path))
	expect(calls).toEqual([])
})

test('the page says why and offers statements, re-KYC and logout', async () => {
	const person = await signedIn()
	const { html } = await person.visit('/rekyc')
	expect(readHeading(html)).toBe('Re-KYC required')
	expect(readAll(html, 'dt')).toContain('Last traded')
	expect(readAll(html, 'dd')[readAll(html, 'dt').indexOf('Last traded')]).toMatch(/^\d\d\/\d\d\/\d{4}$/)
	expect(firstLink(html, SITE)).toMatch(/^http:\/\/127\.0\.0\.1:4999\/rekyc\/[\w-]{43}$/)
	expect(readAll(html, `a[href^="${SITE}"]`)[0]).toMatch(/^Start re-KYC/)
	const [year, month, day] = BROKERS_DAY.split('-')
	expect(readText(html)).toContain('until you confirm your details: until then you cannot trade, pay in or withdraw. Your shares')
	expect(readText(html)).toContain(`PDF : holding ${day}-${month}-${year}`)
	for (const [path, name, start] of [
		['ledger/pdf?year=2023-2024', 'DORM01_LEDGER_2023-2024.pdf', '%PDF-'],
		['ledger/xlsx', 'DORM01_LEDGER.xlsx', 'PK'],
		['holding/pdf', 'DORM01_HOLDING.pdf', '%PDF-'],
		['holding/xlsx', 'DORM01_HOLDING.xlsx', 'PK'],
	] as const) {
		const file = await person.send(`/rekyc/statements/${path}`)
		expect(file.headers.get('content-disposition')).toContain(`filename="${name}"`)
		expect(file.headers.get('cache-control')).toContain('no-store')
		expect((await file.text()).startsWith(start)).toBe(true)
	}
	for (const path of ['pnl/pdf', 'ledger/csv', 'client-master/pdf', '..%2f/pdf'])
		expect((await person.send(`/rekyc/statements/${path}`)).status).toBe(404)
	for (const { url, headers } of open.asked) expect([url, headers.get('client-code')]).toEqual([url, 'DORM01'])
	expect((await person.post('/rekyc', '/logout', {})).headers.get('location')).toBe('/login')
	expect((await person.send('/rekyc/statements/ledger/pdf')).headers.get('location')).toContain('/login')
})

test('the explanation is public, the statements are not, and an active client is redirected', async () => {
	const nobody = new Visitor(open.portal)
	const { status, html } = await nobody.visit('/rekyc')
	expect(status).toBe(200)
	expect(readHeading(html)).toBe('Re-KYC required')
	expect(html).toContain('/login?redirectTo=%2Frekyc')
	expect(html).not.toContain('Start re-KYC')
	const path = '/rekyc/statements/ledger/pdf'
	expect((await nobody.send(path)).headers.get('location')).toBe(`/login?redirectTo=${encodeURIComponent(path)}`)
	const active = await signedIn('DEMO01')
	expect((await active.send('/rekyc')).headers.get('location')).toBe('/dashboard')
	expect((await active.send(path)).headers.get('location')).toBe('/reports/downloads')
})

test('a broker failure affects only its part of the page, and the account stays dormant', async () => {
	const person = await signedIn()
	open.breakBroker(() => Response.json({ status: 'error', message: 'x', data: null }, { status: 500 }))
	const { status, html } = await person.visit('/rekyc?status=done')
	expect([status, html]).toEqual([200, expect.stringContaining('could not be loaded') as string])
	expect(readAll(html, 'button')).toContain('Logout')
	const back = await person.send('/rekyc/statements/ledger/pdf', { headers: { referer: `${ORIGIN}/rekyc` } })
	expect([back.status, back.headers.get('location')]).toEqual([303, '/rekyc'])
	expect((await person.send('/dashboard')).headers.get('location')).toBe('/rekyc')
})

test('after a cancelled or failed visit the account stays dormant and the page says so; after success it is active at once', async () => {
	const person = await signedIn()
	const site = firstLink((await person.visit('/rekyc')).html, SITE)
	const leave = async (fields: string[][]) => {
		const answer = await fetch(site, { method: 'POST', body: new URLSearchParams(fields), redirect: 'manual' })
		return answer.headers.get('location')?.replace(ORIGIN, '') ?? ''
	}
	for (const [outcome, words] of [
		['cancel', 'Re-KYC is not complete'],
		['fail', 'Re-KYC failed'],
	] as const) {
		const { url, html } = await person.visit(await leave([['outcome', outcome]]))
		expect([url.startsWith('/rekyc'), html]).toEqual([true, expect.stringContaining(words) as string])
	}
	// An address that claims success does not activate the account.
	expect((await person.visit('/rekyc?status=done')).url).toBe('/rekyc?status=done')
	const given = ['PAN', 'ADDRESS_PROOF', 'INCOME_PROOF', 'ESIGN'].map((item) => ['given', item])
	const { url, html } = await person.visit(await leave([['outcome', 'complete'], ...given]))
	expect([url, html]).toEqual(['/dashboard', expect.stringContaining('Your account is active again.') as string])
	expect((await person.send('/reports/ledger')).status).toBe(200)
	expect((await person.send('/rekyc')).headers.get('location')).toBe('/dashboard')
})
