import { expect, login, test } from './portal'

/* The Content-Security-Policy works in a real browser. */

test('a script injected into a page does not run', async ({ page, complaints }) => {
	await login(page)
	const reported = page.waitForRequest((request) => new URL(request.url()).pathname === '/csp-report')
	await page.evaluate(() => {
		const script = document.createElement('script')
		script.textContent = 'window.hacked = "inline"'
		document.body.append(script)
		const box = document.createElement('div')
		box.innerHTML =
			'<img src="/nothing.png" onerror="window.hacked = \'onerror\'"><a id="trap" href="javascript:window.hacked=\'link\'">trap</a>'
		document.body.append(box)
		const foreign = document.createElement('script')
		foreign.src = 'data:text/javascript,window.hacked="data"'
		document.body.append(foreign)
	})
	await page.locator('#trap').evaluate((link: HTMLAnchorElement) => link.click())
	expect((await reported).method()).toBe('POST')
	await expect.poll(() => complaints.filter((text) => text.includes('Content Security Policy')).length).toBeGreaterThanOrEqual(4)
	expect(await page.evaluate(() => (window as { hacked?: string }).hacked)).toBeUndefined()
	await expect(page.getByRole('heading', { level: 1, name: 'Dashboard' })).toBeVisible()
	// These errors are expected; any other browser error still fails the test.
	complaints.splice(0, complaints.length, ...complaints.filter((text) => !text.includes('Content Security Policy')))
})

test('no page may be framed, and every response has the header for it', async ({ page, complaints }) => {
	await login(page)
	for (const path of ['/login', '/dashboard', '/reports/ledger', '/downloads/ledger/csv', '/nothing', '/healthz', '/favicon.svg']) {
		const { headers, status } = await page.request.get(path).then((answer) => ({ headers: answer.headers(), status: answer.status() }))
		expect(headers['content-security-policy'], `${path} ${status}`).toMatch(/default-src 'none'.*frame-ancestors 'none'/)
		expect(headers['content-security-policy']).not.toMatch(/unsafe-inline|unsafe-eval/)
		expect(headers['x-content-type-options']).toBe('nosniff')
	}
	await page.goto('/nothing')
	await page.evaluate(() => {
		const frame = document.createElement('iframe')
		frame.src = '/dashboard'
		document.body.append(frame)
	})
	await expect.poll(() => complaints.filter((text) => text.includes('Content Security Policy')).length).toBeGreaterThan(0)
	expect(page.frames().filter((frame) => frame.url().includes('/dashboard'))).toEqual([])
	complaints.length = 0
})

test('each response has a new nonce, and every script has it', async ({ page }) => {
	const nonces = new Set<string>()
	for (const path of ['/login', '/login', '/nothing', '/error404']) {
		const answer = await page.request.get(path)
		const nonce = /script-src [^;]*'nonce-([^']{22,})'/.exec(answer.headers()['content-security-policy'] ?? '')?.[1]
		const html = await answer.text()
		const scripts = html.match(/<script\b[^>]*>/g) ?? []
		expect(scripts.length).toBeGreaterThan(0)
		for (const script of scripts) expect(script).toContain(`nonce="${nonce}"`)
		nonces.add(nonce ?? '')
	}
	expect(nonces.size).toBe(4)
})
