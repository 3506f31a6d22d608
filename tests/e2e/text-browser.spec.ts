import { execFileSync } from 'node:child_process'
import { expect, PORTAL, test } from './portal'
import { readCsrf, TextBrowser } from './text-browser'

/* The portal without scripts, styles and pictures: in w3m. */

const dump = (browser: TextBrowser, path: string, ...options: string[]) =>
	execFileSync('w3m', ['-header', `Cookie: ${browser.cookieHeader()}`, '-cols', '400', ...options, '-dump', PORTAL + path], {
		encoding: 'utf8',
		env: { ...process.env, HOME: '/nonexistent', LANG: 'C.UTF-8' },
	})

test('w3m shows the ledger’s rows, its proof and the links', async () => {
	const browser = new TextBrowser(PORTAL)
	expect((await browser.login('DEMO01')).status).toBe(303)
	const text = dump(browser, '/reports/ledger?year=2025-2026', '-o', 'display_link_number=1')
	expect(text).toMatch(/^\s*Ledger\s*$/m)
	// Number, day (a link for a bill), voucher, type: each row is one readable line.
	expect(text).toMatch(/\b1\s+01\/04\/2025\s+\S+\s+Opening\s+.*Opening balance.*[\d,]+\.\d\d [CD]r/)
	expect(text.match(/^\s*\W*\d+\s+(\[\d+\])?\d\d\/\d\d\/\d{4}\s+\S+\s+(Bill|Receipt|Payment|Journal|Opening)/gm)?.length).toBe(100)
	expect(text).toMatch(/Opening \+ credits − debits = closing, as the broker states it/)
	for (const link of ['Dashboard', 'Next', 'PDF', 'Excel', 'CSV', 'Debit', 'Skip to main content'])
		expect(text, link).toMatch(new RegExp(`\\[\\d+\\]\\s*${link}`))
})

test('w3m shows the dashboard’s figures, and a login form that can be filled in', async () => {
	const browser = new TextBrowser(PORTAL)
	const form = dump(browser, '/login')
	for (const label of ['Client code', 'Password']) expect(form).toMatch(new RegExp(`${label} *\\[ +\\]`))
	expect(form).toMatch(/SEBI registration INZ000000000 \(sandbox\)\s+Member codes NSE/)
	expect(form.match(/^\s*Login\s*$/gm), 'the heading and the button').toHaveLength(2)
	expect(await (await fetch(`${PORTAL}/login`)).text()).toContain('href="mailto:grievances@sandbox.example"')
	await browser.login('DEMO01')
	const text = dump(browser, '/dashboard')
	for (const card of ['Ledger', 'Deducted ledger', 'Total holding'])
		expect(text).toMatch(new RegExp(`${card}\\s+(?:Total\\s+)?₹ [\\d,]+\\.\\d\\d`))
	expect(text).not.toMatch(/undefined|NaN|\[object/)
})

test('words do not run together in w3m', async () => {
	const browser = new TextBrowser(PORTAL)
	await browser.login('DEMO01')
	const pages = ['/dashboard', '/funds', '/funds/withdraw', '/dpprocess', '/myaccount/nominee', '/myaccount/bank', '/myaccount/segments']
	for (const path of [...pages, '/reports/ledger?year=2025-2026']) {
		const text = dump(browser, path)
		expect(text.match(/\S*[a-z)\d][A-Z][a-z]{2,}\S*/g) ?? [], path).toEqual([])
		expect(text.match(/\S+\[[ *]\]|\[[ *]\]\S+/g) ?? [], `${path}: a box and its words`).toEqual([])
	}
})

test('a client without Origin and Sec-Fetch headers can log in only with the form’s token', async () => {
	const browser = new TextBrowser(PORTAL)
	const { text } = await browser.send('/login')
	const wrong = await browser.send('/login', { username: 'NEW001', password: 'Demo@1234', csrf: 'made-up' })
	expect(wrong.status).toBe(403)
	const none = await browser.send('/login', { username: 'NEW001', password: 'Demo@1234' })
	expect(none.status).toBe(403)
	expect((await browser.send('/dashboard')).status).toBe(302)

	const right = await browser.send('/login', { username: 'NEW001', password: 'Demo@1234', csrf: readCsrf(text) })
	expect([right.status, right.location]).toEqual([303, '/dashboard'])
	const page = await browser.send('/dashboard')
	expect(page.status).toBe(200)
	const out = await browser.send('/logout', { csrf: readCsrf(page.text) })
	expect(out.location).toBe('/login')
	expect((await browser.send('/dashboard')).location).toContain('/login')
})

test('refuses the token of another browser', async () => {
	const [mine, theirs] = [new TextBrowser(PORTAL), new TextBrowser(PORTAL)]
	await mine.send('/login')
	const csrf = readCsrf((await theirs.send('/login')).text)
	expect((await mine.send('/login', { username: 'NEW001', password: 'Demo@1234', csrf })).status).toBe(403)
})
