import { expect, test } from 'vitest'
import { atProvider, lastCode, sendCode, readText } from '#tests/support/account'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { parsePage, readTable } from '#tests/support/readers'

const opened = openPortalForFile()

test('the profile masks personal numbers, also in the HTML source', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	const { html, status } = await visitor.visit('/myaccount')
	expect(status).toBe(200)
	expect(readText(html)).toContain('••••••4321')
	expect(readText(html)).toContain('k•••@example.com')
	for (const whole of ['9886054321', 'kavita.hegde', 'CVRPH7364M', '64093177254']) expect(html).not.toContain(whole)
	const { html: bank } = await visitor.visit('/myaccount/bank')
	expect(readText(bank)).toContain('••••••7254')
	expect(bank).not.toContain('64093177254')
})

test('the profile asks once and first for the e-sign that a change awaits, and works without the list of requests', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const rows = async () => {
		const { html, status } = await visitor.visit('/myaccount?refresh=1')
		return { status, html, rows: parsePage(html).querySelectorAll('dl > div').map(readText) }
	}
	const waiting = await rows()
	expect(waiting.rows.slice(0, 2)).toEqual(['Mobile ••••••2345 Change mobile', 'E-mail a•••@example.com Change e-mail'])
	const asked = 'Change of mobile number to ••••••4321 awaits your e-sign until 23:52 today.'
	const strip = parsePage(waiting.html).querySelector('main [role=note]')
	expect(readText(strip ?? '')).toMatch(`${asked} Nothing changes until you sign it. Sign : ${asked}`)
	const buttons = parsePage(waiting.html).querySelectorAll('main .btn-primary')
	expect(buttons.map((button) => button.getAttribute('href'))).toEqual([expect.stringMatching(/^\/esign\/return\?ref=MOD-/)])
	for (const status of [404, 500]) {
		opened.breakBroker(({ url }) =>
			url.includes('/v1/ours/change-requests') ? Response.json({ status: 'error', message: 'None' }, { status }) : undefined,
		)
		const without = await rows()
		expect([without.status, without.rows[0]]).toEqual([200, 'Mobile ••••••2345 Change mobile'])
		expect(readText(without.html)).not.toContain('awaits your e-sign')
	}
	opened.breakBroker(undefined)
})

test('the profile links the DDPI when it is not signed', async () => {
	const { html } = await (await signedIn(opened, 'CASH01')).visit('/myaccount')
	expect(parsePage(html).querySelectorAll('dl a[href="/dpprocess/ddpi"]').map(readText)).toEqual(['Sign the DDPI'])
})

test('the profile reads the status of the DDPI in any case, and shows a status that it does not know', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	for (const [ddpi_status, line] of [
		['Active', 'DDPI Active'],
		['In Review', 'DDPI In review'],
		[null, 'DDPI —'],
	] as const) {
		opened.rewriteCalls('/v2/account-profile/personal-details', (json) => {
			Object.assign((json.data as { dp_details: object }).dp_details, { ddpi_status })
		})
		const { html } = await visitor.visit('/myaccount?refresh=1')
		expect(parsePage(html).querySelectorAll('dl > div').map(readText)).toContain(line)
	}
	opened.breakBroker(undefined)
})

test.for([
	['mobile', 'mobile', '+91 98765-43210', '98765 43210', 'Enter a different mobile number'],
	['mobile', 'mobile', '09876543210', '+91 9876543210', 'Enter a different mobile number'],
	['email', 'email', ' Kavya@Example.com', 'kavya@example.com', 'Enter a different e-mail address'],
] as const)('refuses the %s that the broker has already, however it is written', async ([page, field, stored, input, message]) => {
	const visitor = await signedIn(opened, 'CASH01')
	opened.rewriteCalls('/v2/account-profile/personal-details', (json) => {
		Object.assign((json.data as { personal_details: object }).personal_details, { [field]: stored })
	})
	await visitor.visit('/myaccount?refresh=1')
	const same = await visitor.post(`/myaccount/${page}`, `/myaccount/${page}`, { input })
	opened.breakBroker(undefined)
	expect([same.status, readText(await same.text())]).toEqual([400, expect.stringContaining(message)])
})

test.for([
	['CASH01', 'Name a nominee'],
	['DEMO01', 'Change nominees'],
] as const)('the profile of %s has the link %s', async ([client, label]) => {
	const { html } = await (await signedIn(opened, client)).visit('/myaccount')
	expect(parsePage(html).querySelectorAll('main p a[href="/myaccount/nominee"]').map(readText)).toEqual([label])
})

test('the profile page shows an error and keeps the menu when the broker fails', async () => {
	const visitor = await signedIn(opened, 'NEW001')
	opened.breakBroker((request) =>
		request.url.includes('personal-details') ? Response.json({ status: 'error', message: 'no' }, { status: 500 }) : undefined,
	)
	const { status, html } = await visitor.visit('/myaccount?refresh=1')
	expect(status).toBe(502)
	expect(html).toContain('aria-label="My Account"')
})

test('a new e-mail is shown in full at the OTP and the e-sign, and differs from the old one in the requests', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	await visitor.post('/myaccount/email', '/myaccount/email', { input: 'kavya.hegde@example.com' })
	const otp = readText((await visitor.visit('/myaccount/email/otp')).html)
	expect(otp).toContain('New e-mail kavya.hegde@example.com')
	expect(otp).toContain('OTP sent to k•••@example.com, your new e-mail address. It is valid')
	await sendCode(visitor, '/myaccount/email/otp', { otp: await lastCode('CASH01') })
	const { html } = await visitor.visit('/esign')
	expect(readText(html)).toContain(
		'Change of e-mail Step 3 of 3: details · OTP · e-sign Current e-mail k•••@example.com New e-mail kavya.hegde@example.com',
	)
	const menu = parsePage(html).querySelectorAll('#menu [aria-current]')
	expect(menu.map((entry) => readText(entry))).toEqual(['My Account'])
	const signed = await atProvider(visitor)
	expect(readText(signed.html)).toContain('The request Old e-mail kavi•••@example.com New e-mail kavy•••@example.com')
	expect(readText(signed.html)).toContain('We now make this change, and send your old address a message.')
	expect(parsePage(signed.html).querySelectorAll('main a[href="/myaccount"]').map(readText)).toEqual(['Back to Profile'])
	// The old one is kavita.hegde@example.com. A narrow screen hides the other columns, and shows the new one below the name.
	const [row = []] = readTable((await visitor.visit('/myaccount/requests')).html, 'Requests').rows
	expect(row[0]).toMatch(/^Change of e-mail New: kavy••• ?@example.com MOD-/)
	expect(row.slice(3, 5)).toEqual(['kavi•••@example.com', 'kavy•••@example.com'])
})

test('a new mobile number is shown in full at the OTP and the e-sign, and masked in the requests', async () => {
	const visitor = await signedIn(opened, 'DEBT01')
	await visitor.post('/myaccount/mobile', '/myaccount/mobile', { input: '+91 98765-43211' })
	const otp = readText((await visitor.visit('/myaccount/mobile/otp')).html)
	expect(otp).toMatch(/Current mobile number ••••••\d{4} New mobile number 98765 43211 OTP sent to ••••••3211, your new mobile number\. /)
	await sendCode(visitor, '/myaccount/mobile/otp', { otp: await lastCode('DEBT01') })
	expect(readText((await visitor.visit('/esign')).html)).toContain('New mobile number 98765 43211')
	const { html } = await visitor.visit('/myaccount/requests')
	expect(html).toContain('••••••3211')
	expect(html.replaceAll(/\s/g, '')).not.toContain('9876543211')
	expect(opened.lines.join('\n')).not.toContain('9876543211')
})

test('the OTP step shows the new value alone when the broker does not say what is registered', async () => {
	const visitor = await signedIn(opened, 'DEBT01')
	opened.breakBroker((request) =>
		request.url.includes('personal-details') ? Response.json({ status: 'error', message: 'no' }, { status: 500 }) : undefined,
	)
	const sent = await visitor.post('/myaccount/income', '/myaccount/income', { income: '5-10 Lakh' })
	expect([sent.status, sent.headers.get('location')]).toEqual([303, '/myaccount/income/otp'])
	opened.breakBroker(undefined)
	expect(readText((await visitor.visit('/myaccount/income/otp')).html)).toContain('details · OTP New annual income ₹ 5 to 10 lakh OTP sent')
})

test('the step shows the words of a broker that sends the code elsewhere', async () => {
	const visitor = await signedIn(opened, 'CLOS01')
	opened.rewriteCalls('/v1/modifications/profile-modifications', (json) => void Object.assign(json, { message: 'OTP sent to ******0000' }))
	await visitor.post('/myaccount/mobile', '/myaccount/mobile', { input: '9876543219' })
	const { html } = await visitor.visit('/myaccount/mobile/otp')
	opened.breakBroker(undefined)
	expect(readText(html)).toContain('OTP sent to ••••••0000.')
})
