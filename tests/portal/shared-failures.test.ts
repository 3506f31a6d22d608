import { expect, test } from 'vitest'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { listAttributes, parsePage, readText } from '#tests/support/readers'

/* A page whose parts fail for one reason says the reason once, and each part says that it failed. */

const opened = openPortalForFile()

const SAID = 'The desk is shut until 4, says PW-17'
const error = (status: number) => () => Response.json({ status: 'error', message: SAID, data: null }, { status })
const FAILED_AT = 'Failed at \\d\\d:\\d\\d on \\d\\d/\\d\\d/\\d{4} \\(IST\\)'
const PROFILE = '/v2/account-profile/personal-details'

async function textAt(address: string) {
	const visitor = await signedIn(opened, 'DEMO01')
	const { status, html } = await visitor.visit(address)
	return { status, html, text: readText(html) }
}

test.for([
	['/dashboard', 'Your dashboard'],
	['/reports/profitnloss', 'Profit & Loss'],
	['/reports/ledger/deducted', 'Your deducted ledger'],
	['/funds/history', 'Your pay-ins and pay-outs'],
	['/funds', 'Your ledgers and banks'],
	['/funds/withdraw', 'What you can withdraw'],
	['/funds/e-mandate', 'Your e-mandates'],
	['/dpprocess', 'Your holdings'],
	['/dpprocess/pledge', 'What you can pledge or unpledge'],
	['/myaccount/closure', 'The steps before closing'],
	['/myaccount/requests', 'Your requests'],
	['/myaccount/bank', 'Your bank accounts'],
] as const)('%s has one message with the time when everything on it failed', async ([page, what]) => {
	opened.failCalls(/^(?!.*(login|verify-user))/, error(500))
	const { html, text } = await textAt(`${page}?refresh=1`)
	const alerts = parsePage(html).querySelectorAll('main [role=alert]').map(readText)
	expect(alerts).toEqual([
		expect.stringMatching(new RegExp(`^${what} could not be loaded\\. ${SAID} Try again ${FAILED_AT} · Reference [0-9A-F-]{11}`)),
	])
	expect(text.split('could not be loaded.')).toHaveLength(2)
	// Nothing was loaded, so the page claims no time.
	expect(text).not.toMatch(/\bas of \d/i)
})

test('a failed dashboard keeps its links, and a failed profit and loss links other reports', async () => {
	opened.failCalls(/^(?!.*(login|verify-user))/, error(500))
	expect((await textAt('/dashboard?refresh=1')).text).toContain('Add funds Withdraw funds Ledger Holding')
	const { text } = await textAt('/reports/profitnloss?refresh=1')
	expect(text).toContain('You can choose another year, or open another report:')
	expect(text).not.toContain('Net is after charges')
})

test('/connect/ipo/KONKANLOG shows the reason of two failed parts once, and keeps the issue', async () => {
	opened.failCalls(/\/ipo\/v1\/(fetch-client-details|applications)|ours\/ipo/, error(500))
	const { status, html, text } = await textAt('/connect/ipo/KONKANLOG?refresh=1')
	expect([status, text.split(SAID).length]).toEqual([200, 2])
	expect(readText(parsePage(html).querySelector('main [role=alert]') ?? '')).toContain('your demat account and UPI ID')
	expect(text).toContain('₹ 142.00 to ₹ 150.00')
})

test('/connect/mtf shows the reason in the toast, which can be closed, and in the page with its reference', async () => {
	opened.failCalls(/^(?!.*(login|verify-user))/, error(500))
	const { status, html, text } = await textAt('/connect/mtf')
	expect([status, text.split(SAID).length]).toEqual([502, 3])
	const page = parsePage(html)
	expect(readText(page.querySelector('.toast') ?? '')).toContain(SAID)
	const alert = page.querySelector('main [role=alert]')
	expect(readText(alert ?? '')).toMatch(
		new RegExp(`^Margin Trading Facility could not be loaded\\. ${SAID} Try again ${FAILED_AT} · Reference [0-9A-F]{4}-[0-9A-F]{6}`),
	)
	expect(alert?.querySelector('a')?.getAttribute('href')).toBe('/connect/mtf')
})

test('/connect/mtf names both parts of an account that failed', async () => {
	opened.failCalls(/mtf-(facts|interest)/, error(500))
	const { status, html, text } = await textAt('/connect/mtf?refresh=1')
	expect([status, text.split(SAID).length]).toEqual([200, 2])
	const said = `Margin and pledge of each position and Interest day by day could not be loaded. ${SAID} Try again`
	expect(readText(parsePage(html).querySelector('main [role=alert]') ?? '')).toContain(said)
})

test('shows the reason of one failed part in that part only', async () => {
	opened.failCalls('/v2/dashboard/holding', error(500))
	const { html, text } = await textAt('/dashboard')
	expect(text).toMatch(
		new RegExp(`Total holding — Total holding could not be loaded. ${SAID} Try again : Total holding ${FAILED_AT} · Reference `),
	)
	expect(parsePage(html).querySelector('main [role=alert]')).toBeNull()
})

test('shows two reasons, each in its own part', async () => {
	opened.breakBroker(({ url }) => {
		if (url.includes('/v2/dashboard/holding'))
			return Response.json({ status: 'error', message: 'No prices yet', data: null }, { status: 500 })
		return /dashboard\/(deducted-)?ledger/.test(url) ? error(500)() : undefined
	})
	const { text } = await textAt('/dashboard')
	expect(text).toContain(`Ledger and Deducted ledger could not be loaded. ${SAID}`)
	expect(text).toContain('Total holding could not be loaded. No prices yet Try again')
})

test.for([
	['/reports/income-tax', '/v1/user/report/incometax', 'Income Tax'],
	['/myaccount', PROFILE, 'Your details'],
] as const)('%s names what could not be loaded', async ([page, path, what]) => {
	opened.failCalls(path, error(500))
	const { status, text } = await textAt(`${page}?refresh=1`)
	expect([status, text]).toEqual([502, expect.stringContaining(`${what} could not be loaded. ${SAID} Try again`)])
})

test('links no file of a profit and loss or a history that could not be loaded', async () => {
	opened.failCalls('/v1/user/report/pnl', error(500))
	const { html, text } = await textAt('/reports/profitnloss?refresh=1')
	expect(listAttributes(html, 'a', 'href').filter((href) => /^\/downloads\/pnl\/(pdf|xls|csv)/.test(href))).toEqual([])
	expect(text).not.toMatch(/PDF of|Excel of/)
	opened.failCalls(/list_of_funds_payout_payin|payins|payouts/, error(500))
	expect(listAttributes((await textAt('/funds/history')).html, 'a[href^="/downloads/pay"]', 'href')).toEqual([])
})

test('links the files of a segment that could be loaded, and no CSV of all', async () => {
	const asksEquity = async (request: Request) => (await request.clone().text()).includes('NSE_CASH')
	opened.breakBroker(async (request) =>
		new URL(request.url).pathname === '/v1/user/report/pnl' && (await asksEquity(request)) ? error(500)() : undefined!,
	)
	const { html, text } = await textAt('/reports/profitnloss?refresh=1')
	const files = listAttributes(html, 'a[href^="/downloads/pnl/"]', 'href')
	expect(files).toContainEqual(expect.stringMatching(/\/pdf\?.*segment=NSE_FNO/))
	expect(files.filter((href) => /\/pnl\/(csv|[a-z]+\?.*segment=NSE_CASH$)/.test(href))).toEqual([])
	expect(text).toMatch(/PDF of Future & Options.*Excel of Future & Options/)
})
