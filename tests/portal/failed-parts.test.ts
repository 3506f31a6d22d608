import { expect, test } from 'vitest'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { findAttribute, hidden, listAttributes, parsePage, readText } from '#tests/support/readers'
import { webAddress } from '~/lib/web-address'
import { withTimeout } from '~/lib/with-timeout'

/*
 * A page while one of its calls fails: it shows nothing that depends on the call, computes no figure from missing data, and offers no
 * action that needs it.
 */

const opened = openPortalForFile()

const SAID = 'The desk is shut until 4, says PW-17'
const error = (status: number) => () => Response.json({ status: 'error', message: SAID, data: null }, { status })
const nonsense = () => new Response('<html>secret</html>', { status: 200 })

async function textAt(address: string, code = 'DEMO01') {
	const visitor = await signedIn(opened, code)
	const { status, html } = await visitor.visit(address)
	return { status, html, text: readText(html) }
}

const PROFILE = '/v2/account-profile/personal-details'
const LEDGER = '/v2/service/reports/ledger'

test.for([error(500), error(403), error(404), nonsense])('computes no P&L difference without the segments', async (answer) => {
	opened.failCalls('/v1/reports/pnl-segment', answer)
	const { text } = await textAt('/reports/profitnloss')
	expect(text).not.toMatch(/broker states|a difference of|Nothing was held or traded/)
	expect(text).toMatch(/Segments could not be loaded|No figures by segment are stated/)
})

test('shows no P&L figure for a segment without rows', async () => {
	opened.failCalls('/v1/user/report/pnl', error(404))
	const { text } = await textAt('/reports/profitnloss')
	expect(text).not.toMatch(/make ₹ 0\.00/)
	expect(text).toContain('but lists no row that it is made of')
})

test('shows no closing balance, total or proof for a ledger with no data', async () => {
	opened.failCalls(LEDGER, error(404))
	const { status, text } = await textAt('/reports/ledger')
	expect([status, text]).toEqual([200, expect.stringContaining('No entries between')])
	expect(text).not.toMatch(/as the broker states it|closing|Total|₹ 0\.00|0\.00/)
})

test.for(['/v2/dashboard/ledger', '/v2/dashboard/deducted-ledger', '/v2/dashboard/holding', '/v1/user/dashboard'])(
	'shows no figure on a card without data of %s',
	async (path) => {
		opened.failCalls(path, error(404))
		expect((await textAt('/dashboard')).text).not.toContain('₹ 0.00')
	},
)

test('shows a dash for a ledger missing in the broker’s list, and no difference', async () => {
	const rows = [{ COCD: 'NSE_CASH', DUE_AMT: 1234.5 }]
	opened.failCalls(/^\/v2\/dashboard\/(deducted-)?ledger$/, () => Response.json({ status: 'success', message: 'ok', data: rows }))
	expect((await textAt('/dashboard')).text).toMatch(/Commodity —/)
	expect((await textAt('/reports/ledger/deducted')).text).not.toContain('deducted ledger is ₹ 0.00')
	expect((await textAt('/funds/withdraw')).text).not.toContain('deducted ledger is ₹ 0.00')
})

test('shows no figure and no difference for a tax report with no data', async () => {
	opened.failCalls('/v1/user/report/incometax', error(404))
	const { text } = await textAt('/reports/income-tax')
	expect(text).not.toMatch(/do not agree|the broker states/)
	opened.failCalls(/incometax|tax-facts/, error(404))
	expect((await textAt('/reports/income-tax')).text).not.toContain('0.00')
})

test.for([error(500), error(403), error(404), nonsense])(
	'offers no nominee form without the registered nominees, because it would replace them',
	async (answer) => {
		opened.failCalls(PROFILE, answer)
		const { html, text } = await textAt('/myaccount/nominee')
		expect(text).toContain('Your nominees could not be loaded.')
		expect(text).not.toContain('Send OTP')
		expect(html).not.toContain('name="nominees[0].name"')
	},
)

test('keeps typed nominees when the profile fails after they are sent', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	const fields = { 'nominees[0].name': 'Anand Hegde', 'nominees[0].share': '90', 'nominees[0].pan': 'AAAPH7364M' }
	const { html } = await visitor.visit('/myaccount/nominee')
	opened.failCalls(PROFILE, error(500))
	const csrf = hidden(html, 'csrf')
	const sent = await visitor.postRaw('/myaccount/nominee', { csrf, ...fields })
	expect(await sent.text()).toContain('value="Anand Hegde"')
})

test('marks the field when shares do not add up to 100 %, and links to it from the summary', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	const row = { name: 'Anand Hegde', relation: 'Brother', pan: 'AAAPH7364M', dob: '1984-02-09', share: '90' }
	const fields = Object.fromEntries(Object.entries(row).map(([name, value]) => [`nominees[0].${name}`, value]))
	const sent = await visitor.post('/myaccount/nominee', '/myaccount/nominee', fields)
	const html = await sent.text()
	expect(sent.status).toBe(400)
	const [field = 'none'] = parsePage(html)
		.querySelectorAll('a[href^="#"]')
		.filter((link) => readText(link).startsWith('Shares must add up to 100%'))
		.map((link) => link.getAttribute('href')?.slice(1))
	expect(listAttributes(html, `input[id="${field}"][aria-invalid="true"]`, 'name')).toEqual(['nominees[0].share'])
})

test('says that a PAN is unchecked when the lookup fails, and never shows it as registered', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	const row = { name: 'Anand Hegde', relation: 'Brother', pan: 'CCCPH7364M', dob: '1984-02-09', share: '100' }
	const fields = Object.fromEntries(Object.entries(row).map(([name, value]) => [`nominees[0].${name}`, value]))
	opened.failCalls('/v1/user/nom-pan-verify', error(500))
	const add = { ...fields, __intent__: JSON.stringify({ type: 'insert', payload: { name: 'nominees', defaultValue: {} } }) }
	const shown = readText(await (await visitor.post('/myaccount/nominee', '/myaccount/nominee', add)).text())
	expect(shown).toContain('This PAN could not be checked now')
	await visitor.post('/myaccount/nominee', '/myaccount/nominee', fields)
	const step = readText((await visitor.visit('/myaccount/nominee/otp')).html)
	expect(step).toContain('which could not be checked')
	expect(step).not.toContain('registered to —')
})

test.for<[page: string, path: string]>([
	['/myaccount', PROFILE],
	['/myaccount/segments', PROFILE],
	['/myaccount/income', PROFILE],
	['/dpprocess/ddpi', '/edis/v1/detailed_file'],
	['/connect/ipo/KONKANLOG', '/ipo/v1/fetch-client-details'],
	['/connect/ipo/KONKANLOG', '/ipo/v1/get-ipo-details'],
	['/dpprocess/pledge/review?action=pledge&INE002A01018=1&order=3f2c1b9e-5f0e-4a53-9d3e-6f1f4f0a9b11', '/v1/margin_epledge_data'],
])('%s shows the broker’s message about %s, on its own page', async ([page, path]) => {
	for (const [answer, words] of [
		[error(404), SAID],
		[error(500), SAID],
		[error(403), SAID],
		[nonsense, 'could not be loaded'],
	] as const) {
		opened.failCalls(path, answer)
		const { status, text } = await textAt(page, 'CASH01')
		expect([200, 502], `${page} ${status}`).toContain(status)
		if (page !== '/myaccount') expect(text).toContain('could not be loaded')
		if (words === SAID) expect(text).toContain(SAID)
		expect(text).not.toMatch(/Page not found|Every segment is active|secret/)
	}
})

test.for<[page: string, path: string, heading: string]>([
	['/reports/contractnbill/NOSUCH01', '/v1/ours/contract-note', 'Contract note'],
	['/reports/holding/INE000000000', '/v1/ours/lots', 'INE000000000'],
])('%s is a 404 of its own page with the broker’s message when the item is missing', async ([page, path, heading]) => {
	opened.failCalls(path, error(404))
	const { status, html, text } = await textAt(page)
	expect([status, text]).toEqual([404, expect.stringContaining(SAID)])
	expect(html).toContain(`<h1>${heading}`)
	opened.failCalls(path, error(500))
	expect((await textAt(page)).status).toBe(502)
})

test('offers no closure and no choice of holdings while the data for it is unknown', async () => {
	opened.failCalls('/v1/ours/closure-tasks', error(500))
	const { html, text } = await textAt('/myaccount/closure')
	expect(text).toContain('What has to be done first could not be loaded')
	expect(html).not.toContain('name="reason"')
	opened.failCalls('/v1/acc-closing-details', error(500))
	expect(listAttributes((await textAt('/myaccount/closure', 'CASH01')).html, 'input[checked]', 'value')).not.toEqual(
		expect.arrayContaining([expect.stringMatching(/^(close|transfer)$/)]),
	)
})

test('offers no pay-in to a ledger while the client’s codes are unknown', async () => {
	opened.failCalls(PROFILE, error(500))
	const { html, text } = await textAt('/funds')
	expect(html).not.toContain('value="MCX"')
	expect(text).toContain('Which other segments are active on your account is not known now.')
})

test('does not state the withdrawable maximum without a ledger that failed', async () => {
	opened.breakBroker(({ url }) => (/withdrawable-amount.*MCX/.test(url) ? error(500)() : undefined))
	const { text } = await textAt('/funds/withdraw')
	// The other ledger's amount is shown for it alone, not as the sum at the top.
	expect(text).not.toMatch(/Funds Withdraw You can withdraw ₹/)
	expect(text).not.toContain('All: ₹')
	expect(text).toContain('The withdrawable amount is not known at the moment.')
})

test('shows a margin funding failure in a toast, also without JavaScript', async () => {
	opened.failCalls('/v2/account-profile/mtf-details', error(500))
	const { status, html, text } = await textAt('/connect/mtf')
	expect([status, text]).toEqual([502, expect.stringContaining('Margin Trading Facility could not be loaded.')])
	expect(html).toMatch(new RegExp(`role="alert"[^>]*>(?:(?!</li>|</ol>).)*${SAID}`, 's'))
	// On a phone the page leaves room for the toast, which would cover the heading.
	const leavesRoom = (page: string) => findAttribute(page, '.shell', 'class').includes('>main]:pt-32')
	expect([leavesRoom(html), leavesRoom((await textAt('/funds')).html)]).toEqual([true, false])
})

test('does not sign margin funding while its terms cannot be shown', async () => {
	opened.failCalls('/v1/ours/mtf-facts', error(500))
	expect((await textAt('/connect/mtf', 'CASH01')).html).not.toContain('Activate MTF')
})

test('keeps the bid report when mandates cannot be loaded', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	opened.failCalls('/ipo/v1/update-ipo-mandate-status', error(500))
	const html = await (await visitor.post('/connect/ipo/bids', '/connect/ipo/bids', { exchange: 'NSE' })).text()
	expect(readText(html)).toContain(SAID)
	expect(html).toContain('Bid report')
})

test('a wrong password is an error in the form', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	visitor.cookies.clear()
	expect((await visitor.login('CASH01', 'wrong-one')).status).toBe(422)
})

/* Addresses from the broker. */

const PLACES = [
	'javascript:alert(1)',
	'vbscript:x',
	'blob:https://evil.test/1',
	'file:///etc/passwd',
	'data:text/html,x',
	'http://evil.test/',
	'https://a@evil.test/',
	'HTTPS:evil',
	' https://x.test',
	'https://x.test/"onx=1',
]

test('links only a web address without credentials', () => {
	for (const place of [...PLACES, '', null]) expect([place, webAddress(place)]).toEqual([place, undefined])
	expect(webAddress('https://www.nseindia.com/x?y=1#z')).toBe('https://www.nseindia.com/x?y=1#z')
	expect(webAddress('http://127.0.0.1:4000/docs')).toBe('http://127.0.0.1:4000/docs')
})

/**
 * Every field of the contract that holds an address, by the page that shows it. A client is redirected to a rekyc_url, so it must be on the
 * allow-list too.
 */
const ADDRESSES: readonly [field: string, page: string, who: string, words: string, more: readonly string[]][] = [
	['rekyc_url', '/rekyc', 'DORM01', 'Re-KYC required', ['https://evil.test/rekyc']],
	['link', '/dashboard', 'DEMO01', 'Notices', []],
	['url', '/dashboard', 'DEMO01', 'Quick links', []],
	['url', '/reports/downloads', 'DEMO01', 'Quick links', []],
	['prospectus_url', '/connect/ipo/KONKANLOG', 'DEMO01', 'Red herring prospectus', []],
]

/** The reply with this field set to the address wherever it appears. */
function renamed(json: unknown, field: string, place: string): unknown {
	if (Array.isArray(json)) return json.map((each) => renamed(each, field, place))
	if (typeof json !== 'object' || json === null) return json
	return Object.fromEntries(Object.entries(json).map(([name, value]) => [name, name === field ? place : renamed(value, field, place)]))
}

test.for(ADDRESSES)('does not link the broker’s %s on %s unless the address is allowed', async ([field, page, who, words, more]) => {
	const visitor = await signedIn(opened, who)
	for (const place of [...PLACES, ...more]) {
		opened.breakBroker((request) => {
			// The sandbox's own reply, with the field replaced.
			if (request.headers.has('x-inside')) return undefined
			request.headers.set('x-inside', '1')
			return fetch(request).then(async (answer) => {
				if (!answer.headers.get('content-type')?.includes('json')) return answer
				return Response.json(renamed(await answer.json(), field, place), { status: answer.status })
			})
		})
		const { html } = await visitor.visit(page)
		const hrefs = [...html.matchAll(/(?:href|action|src)="([^"]*)"/g)].map(([, href = '']) =>
			href.replaceAll('&amp;', '&').replaceAll('&quot;', '"'),
		)
		expect(hrefs, `${page} ${place}`).not.toContain(place)
		expect(hrefs.filter((href) => /^\s*(javascript|vbscript|blob|file|data):|evil/i.test(href))).toEqual([])
		expect(readText(html)).toContain(words)
	}
})

test('waits for an optional call no longer than its limit', async () => {
	const begun = performance.now()
	const late = await withTimeout(new Promise(() => undefined), 20).catch((thrown: unknown) => thrown)
	expect(late).toBeInstanceOf(Response)
	expect((late as Response).status).toBe(504)
	expect(performance.now() - begun).toBeLessThan(1000)
	expect(await withTimeout(Promise.resolve(7), 20)).toBe(7)
	await expect(withTimeout(Promise.reject(new Error('no')), 20)).rejects.toThrow('no')
})

test.for([
	['/dpprocess', '/edis/edis/v1/edis-holding-data', 'Your holdings', 'If you sold shares, they must still be verified in time.'],
	['/dpprocess/pledge', '/v1/margin_epledge_data', 'What you can pledge or unpledge', 'A pledge that waits must still be'],
	['/dpprocess/ddpi', '/edis/v1/detailed_file', 'Your DDPI', ''],
] as const)('%s announces that its call failed, with the reference for support', async ([page, path, what, still]) => {
	opened.failCalls(path, error(500))
	const { status, html, text } = await textAt(page)
	const alert = parsePage(html).querySelector('main [role=alert]')
	expect([status, text]).toEqual([502, expect.stringContaining(`Your shares are not affected. ${still}`)])
	expect(alert && readText(alert)).toContain(`${what} could not be loaded. ${SAID}`)
	expect(alert && readText(alert)).toMatch(/Try again Failed at .* · Reference [0-9A-F]{4}-[0-9A-F]{6}/)
	expect(alert?.querySelector('a')?.getAttribute('href')).toBe(page)
})
