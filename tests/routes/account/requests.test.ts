import { expect, test } from 'vitest'
import { addDays } from '#contract/values/dates'
import { readText } from '#tests/support/account'
import { BROKERS_DAY } from '#tests/support/brokers-day'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { firstLink, hidden, parsePage, readAll, readCsv, readHeading, readKeys, readTable } from '#tests/support/readers'

const opened = openPortalForFile()

test('the file of the requests has days and times in India', async () => {
	const client = await signedIn(opened, 'DEMO01')
	const [head = [], ...rows] = readCsv(await (await client.send('/downloads/requests/csv')).text())
	const asked = rows.map((row) => row[head.indexOf('Asked on')])
	const today = BROKERS_DAY
	expect(asked.slice(0, 3)).toEqual([`${addDays(today, -1)} 23:52`, `${addDays(today, -12)} 21:02`, `${addDays(today, -33)} 18:20`])
})

test('the requests of the demonstration client are in each state', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const { html } = await visitor.visit('/myaccount/requests')
	const { head, rows } = readTable(html, 'Requests')
	expect(head).toEqual(['Request', 'Status', 'Asked on', 'Before', 'New', 'Authorised by'])
	const onLaptop = parsePage(html).querySelectorAll('thead .from-laptop')
	expect(onLaptop.map((each) => readText(each))).toEqual(['Before', 'Authorised by'])
	const states = rows.map(([request, status, asked, was, becomes, by]) => [
		request?.replace(/( New: .*)? MOD-[0-9A-F]{8} · \d\d:\d\d on \d\d\/\d\d\/\d{4}$/, ''),
		status?.replace(/ (until 23:52 today |\d\d:\d\d on \d\d\/\d\d\/\d{4} ?)/, ': ').replace(/(Sign|Form|Ask again).*/, '$1'),
		/^(\d\d:\d\d) on \d\d\/\d\d\/\d{4}$/.exec(asked ?? '')?.[1],
		was,
		becomes,
		by,
	])
	expect(states).toEqual([
		['Change of mobile number', 'Awaiting your e-sign: Sign', '23:52', '••••••2345', '••••••4321', 'OTP, e-sign pending'],
		['Change of e-mail', 'Not signed in time Ask again', '21:02', 'a•••@example.com', 'a•••@example.org', 'OTP, not signed'],
		['Change of mobile number', 'Withdrawn: ', '18:20', '••••••2345', '••••••5512', 'OTP, not signed'],
		['Change of default bank account', 'Done: Form', '10:05', 'ICICI BANK LTD ••••••3917', 'HDFC BANK LTD ••••••4821', 'Login, no OTP'],
	])
	// Each kind of state has a sign, so colour is not needed. The two states without effect have the same sign.
	const signs = parsePage(html).querySelectorAll('tbody td:nth-child(2) path')
	const [waits, lapsed, withdrawn, done] = signs.map((path) => path.getAttribute('d'))
	expect(withdrawn).toBe(lapsed)
	expect(new Set([waits, lapsed, done]).size).toBe(3)
	// The waiting request can be opened and signed.
	const sign = await visitor.visit(firstLink(html, '/esign/return?ref='))
	expect([sign.status, readHeading(sign.html), readText(sign.html)]).toEqual([
		200,
		'Sign the request',
		expect.stringContaining('Change of mobile number'),
	])
})

test('requests that wait are named above the form, which works without the list', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const { html } = await visitor.visit('/myaccount/mobile')
	expect(readText(html)).toMatch(
		/Current mobile number ••••••2345 New mobile number ••••••4321 Awaits your e-sign until 23:52 today\. Sign .* Change to another number This replaces the request above\./,
	)
	// To sign is the main action, so the form for another number is folded until something in it is wrong.
	const findFold = (page: string) => parsePage(page).querySelector('details:has(form [name="input"])')
	expect(readText(parsePage(html).querySelector('main .btn-primary') ?? '')).toMatch(/^Sign : Awaits your e-sign/)
	expect(findFold(html)?.hasAttribute('open')).toBe(false)
	expect(readText(findFold(html)?.querySelector('summary') ?? '')).toBe('Change to another number This replaces the request above.')
	const wrong = await visitor.post('/myaccount/mobile', '/myaccount/mobile', { input: '12' })
	expect(findFold(await wrong.text())?.hasAttribute('open')).toBe(true)
	const sign = await visitor.visit(firstLink(html, '/esign/return?ref='))
	expect(readText(sign.html)).toContain('Change of mobile number')
	for (const status of [404, 500]) {
		opened.breakBroker(({ url }) =>
			url.includes('/v1/ours/change-requests') ? Response.json({ status: 'error', message: 'None' }, { status }) : undefined,
		)
		const without = await visitor.visit('/myaccount/mobile')
		expect([without.status, readText(without.html)]).toEqual([
			200,
			expect.stringMatching(/Step 1 of 3: details · OTP · e-sign Current mobile number ••••••2345 New mobile/),
		])
	}
	// The page of the list itself leads on to the profile.
	const failed = await visitor.visit('/myaccount/requests')
	expect([failed.status, readText(failed.html)]).toEqual([
		502,
		expect.stringMatching(/Your requests could not be loaded\. .* Try again .* See your profile /),
	])
	opened.breakBroker(undefined)
})

// The last test, because it ends the request.
test('a request ends only after a question, which needs no script', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const question = firstLink((await visitor.visit('/myaccount')).html, '/myaccount/requests?withdraw=')
	const list = (await visitor.visit('/myaccount/requests')).html
	expect(firstLink(list, '/myaccount/requests?withdraw=')).toBe(question)
	expect(readAll(list, 'button').filter((label) => label.includes('Withdraw'))).toEqual([])
	const asked = (await visitor.visit(question)).html
	expect(readText(parsePage(asked).querySelector('#withdraw') ?? '')).toMatch(
		/^Withdraw this request\? Change of mobile number to ••••••4321, reference MOD-\w+\. Nothing changes, and you can ask for it again\. Withdraw the request Keep it$/,
	)
	// A request that does not wait is not offered.
	const over = /MOD-\w+(?= · 21:02)/.exec(readText(list))?.[0] ?? ''
	expect(over).toMatch(/^MOD-/)
	expect((await visitor.visit(`/myaccount/requests?withdraw=${over}`)).html).not.toContain('Withdraw this request?')
	const sent = await visitor.postRaw(question, { ...readKeys(asked), reference: hidden(asked, 'reference') })
	expect(sent.status).toBe(303)
	expect(readText((await visitor.visit('/myaccount/requests')).html)).toContain('Your request is withdrawn. Nothing has changed.')
	expect((await visitor.visit('/myaccount')).html).not.toContain('?withdraw=')
})
