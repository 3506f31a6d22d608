import { breakBroker, expect, FAILING, findTokens, PASSWORD, readFingerprints, readOtp, readProfile, test } from './portal'
import { startPortal, stopAll } from './process'
import { readCsrf, TextBrowser } from './text-browser'

/* What the log contains, and what it must never contain. */

test.afterEach(stopAll)

const SETTINGS = { BROKER_URL: FAILING.sandbox }

type Line = { event: string; reference?: string; status?: number; path?: string; time: string }

test('writes one line for each request, found by its reference, and no private data', async () => {
	const portal = await startPortal(3116, { ...SETTINGS, LOG_LEVEL: 'debug' })
	const browser = new TextBrowser(portal.origin)
	const WRONG = 'Wr0ng-Canary-Pa55'
	const asked: { path: string; status: number; reference: string }[] = []
	const cookies = new Set<string>()
	const send = async (path: string, form?: Record<string, string>) => {
		const answer = await browser.send(path, form)
		asked.push({ path: path.split('?')[0] ?? path, status: answer.status, reference: String(answer.headers['x-request-id']) })
		for (const pair of browser.cookieHeader().split('; ')) cookies.add(pair.slice(pair.indexOf('=') + 1))
		return answer
	}
	const csrfIn = (html: string) => /name="csrf" value="([^"]+)"/.exec(html)?.[1] ?? ''

	const form = { csrf: csrfIn((await send('/login?redirectTo=%2Freports')).text), username: 'BULK01' }
	expect((await send('/login', { ...form, password: WRONG })).status).toBe(422)
	expect((await send('/login', { ...form, password: PASSWORD })).status).toBe(303)
	const dashboard = await send('/dashboard')
	await send('/reports/ledger?from=2026-04-01&to=2026-04-03&filtered=1&q=canary-words')
	await send('/reports/ledger/deducted')
	await send('/downloads/ledger/csv?from=2026-04-01&to=2026-04-03&filtered=1')
	await send('/nothing/here')
	// The broker sends private data in an error and in a page.
	for (const kind of ['500', 'badjson', 'wrongtypes', '401']) {
		await breakBroker({ operation: 'getDashboardHolding', kind, client: 'BULK01', count: 1 }, FAILING.sandbox)
		await send('/dashboard?refresh=1')
	}
	// A changed cookie.
	const forged = await fetch(`${portal.origin}/dashboard`, { headers: { cookie: 'session=forged-canary' }, redirect: 'manual' })
	expect(forged.status).toBe(302)
	await browser.login('BULK01')
	await send('/logout', { csrf: csrfIn((await send('/dashboard')).text) })
	expect(dashboard.status).toBe(200)

	// The response arrives before its log line has come through the pipe.
	const last = asked.at(-1)?.reference ?? ''
	const isLast = (line: string) => line.includes('"event":"request"') && line.includes(last)
	await expect.poll(() => portal.output().split('\n').some(isLast)).toBe(true)
	const output = portal.output()
	const lines = output
		.split('\n')
		.filter((line) => line.startsWith('{'))
		.map((line) => JSON.parse(line) as Line)
	for (const { path, status, reference } of asked) {
		const own = lines.filter((line) => line.event === 'request' && line.reference === reference)
		expect(own, path).toEqual([expect.objectContaining({ path, status })])
	}
	expect(new Set(asked.map(({ reference }) => reference)).size).toBe(asked.length)
	for (const event of ['login', 'login_refused', 'broker_failed', 'session_expired', 'session_invalid', 'logout'])
		expect(lines.map((line) => line.event)).toContain(event)

	const secrets = await listSecrets('BULK01')
	expect(secrets.length).toBeGreaterThan(3)
	for (const secret of [...secrets, ...cookies, PASSWORD, WRONG, 'canary-words', 'forged-canary', 'cookie']) {
		if (secret) expect(output.includes(secret), `${secret.slice(0, 12)}… in the log`).toBe(false)
	}
	expect(findTokens(output, await readFingerprints('BULK01', FAILING.sandbox))).toEqual([])
})

test('logs that a client changed something, but no OTP, password, number or file name', async () => {
	const portal = await startPortal(3116, { ...SETTINGS, LOG_LEVEL: 'debug' })
	const browser = new TextBrowser(portal.origin)
	await browser.login('BULK01')
	const hiddenIn = (html: string, name: string) => new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1] ?? ''
	const fill = async (page: string, to: string, typed: Record<string, string>) => {
		const { text } = await browser.send(page)
		const own = { step: hiddenIn(text, 'step'), idempotency_key: hiddenIn(text, 'idempotency_key') }
		return await browser.send(to, { csrf: readCsrf(text), ...own, ...typed })
	}

	const TYPED = ['canary.new@example.com', '987651234509', '9123498765', 'Canary-0ld-Pa55', 'Canary-New-Pa55']
	const [email = '', account = '', mobile = '', old = '', next = ''] = TYPED
	expect((await fill('/myaccount/email', '/myaccount/email', { input: email })).status).toBe(303)
	const code = await readOtp('BULK01', 'change', FAILING.sandbox)
	expect(code).toMatch(/^\d{6}$/)
	const wrong = code === '111111' ? '222222' : '111111'
	// The broker sends private data, including the OTP.
	await breakBroker({ operation: 'modifyProfile', kind: '500', client: 'BULK01', count: 1 }, FAILING.sandbox)
	await fill('/myaccount/email/otp', '/myaccount/email/otp', { otp: code })
	expect((await fill('/myaccount/email/otp', '/myaccount/email/otp', { otp: wrong })).status).toBe(422)
	await fill('/myaccount/mobile', '/myaccount/mobile', { input: mobile })
	await fill('/myaccount/bank', '/myaccount/bank', {
		acc_number: account,
		confirm_acc_number: account,
		ifsc_code: 'HDFC0001234',
		account_type: 'Savings',
	})
	const typed = { old_password: old, new_password: next, confirm_password: next }
	expect((await fill('/change-password', '/change-password', typed)).status).toBe(422)

	const events = () =>
		portal
			.output()
			.split('\n')
			.filter((line) => line.startsWith('{'))
			.map((line) => (JSON.parse(line) as Line).event)
	await expect.poll(events).toEqual(expect.arrayContaining(['otp_sent', 'otp_refused', 'password_refused']))
	const output = portal.output()
	for (const secret of [...TYPED, code, wrong]) expect(output.includes(`${secret}`), `${secret} in the log`).toBe(false)
})

test('the reference on a failed page is in the log, with the reason', async () => {
	const portal = await startPortal(3116, SETTINGS)
	const browser = new TextBrowser(portal.origin)
	await browser.login('BULK01')
	await breakBroker({ operation: 'getLedgerReport', kind: '500', client: 'BULK01', count: 1 }, FAILING.sandbox)
	const page = await browser.send('/reports/ledger')
	expect(page.status).toBe(502)
	const reference = /Reference <span[^>]*>([0-9A-F]{4}-[0-9A-F]{6})/.exec(page.text)?.[1]
	expect(reference).toBe(page.headers['x-request-id'])
	// The log line arrives some moments after the page.
	await expect.poll(() => portal.output()).toMatch(new RegExp(`"event":"broker_failed","reference":"${reference}".*"answered":500`))
})

/** From the broker's books: PAN and account numbers, e-mail and mobile. Tokens are checked separately. */
async function listSecrets(client: string): Promise<string[]> {
	const own = (await readProfile(client, FAILING.sandbox)).match(/"[A-Z]{5}\d{4}[A-Z]"|"\+?\d{9,18}"|"[^"\s]+@[^"\s]+"/g) ?? []
	return own.map((quoted) => quoted.slice(1, -1))
}
