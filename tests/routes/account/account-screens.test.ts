import { describe, expect, test } from 'vitest'
import { atProvider, hidden, lastCode, PDF, sendCode, readText } from '#tests/support/account'
import { openPortalForFile, signedIn, type Visitor } from '#tests/support/portal'
import { firstLink, listAttributes, parsePage, readAll, readHeading, readTitle } from '#tests/support/readers'

/* Further changes of a client, without a script: bank accounts, segments, income; and the list of requests. */

const opened = openPortalForFile()

test('each page has the heading by which clients find it', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const headings = []
	for (const page of ['', '/bank', '/segments', '/nominee', '/income', '/closure', '/requests']) {
		const { html } = await visitor.visit(`/myaccount${page}`)
		headings.push([readHeading(html), readTitle(html)])
		// A note between the heading and the tabs would move the tabs.
		expect([page, readText(html)]).toEqual([page, expect.stringContaining(`${readHeading(html)} Profile Bank Segments`)])
	}
	const names = ['My Account', 'Bank accounts', 'Segments', 'Nominees', 'Income', 'Account closure', 'Requests']
	expect(headings).toEqual(names.map((name) => [name, `${name} · Khata`]))
})

describe('bank accounts', () => {
	const bank = { acc_number: '30210042118855', confirm_acc_number: '30210042118855', ifsc_code: 'icic0000004', account_type: 'Savings' }

	test('are added at once after a penny drop, and made the default', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		expect(readText((await visitor.visit('/myaccount/bank')).html)).toContain('pay ₹ 1 into the account to check the name')
		// As printed on a cheque, in groups.
		const typed = { ...bank, acc_number: '3021 0042-118 855', ifsc_code: 'icic 0-000004' }
		const sent = await visitor.post('/myaccount/bank', '/myaccount/bank', typed)
		expect(sent.headers.get('location')).toBe('/myaccount/bank/otp')
		const { html } = await visitor.visit('/myaccount/bank/otp')
		expect(readText(html)).toMatch(
			/: details · OTP · e-sign if needed Account number ••••••8855 Bank ICICI [^.]*, Savings, IFSC ICIC0000004 /,
		)
		expect(readText(html)).toContain('Name at your bank KAVITA HEGDE The same name as in your account with us')
		expect(html).not.toContain('type="file"')
		const done = await sendCode(visitor, '/myaccount/bank/otp', { otp: await lastCode('CASH01') })
		expect(done.status).toBe(303)
		const page = await visitor.visit(done.headers.get('location') ?? '')
		expect(readText(page.html)).toContain('Bank added successfully')
		expect(readText(page.html)).toContain('••••••8855')
		const form = page.html.slice(page.html.indexOf('value="make_default"'))
		const made = await visitor.post('/myaccount/bank', '/myaccount/bank', {
			intent: 'make_default',
			bank: hidden(form, 'bank'),
			idempotency_key: hidden(page.html, 'idempotency_key'),
		})
		expect(made.status).toBe(303)
		expect(readText((await visitor.visit('/myaccount/bank')).html)).toMatch(/••••••8855 [^•]* Savings Default ?: gets payouts/)
	})

	test.for([{ micr_code: null }, { bank_acno: 'SB/4104/821' }, { ifsc_code_act: 'HDFC1234' }])(
		'cannot be made the default with %j: the broker’s call would refuse it',
		async (odd) => {
			const visitor = await signedIn(opened, 'DEMO01')
			opened.rewriteCalls('/v2/account-profile/bank-details', (json) => {
				for (const account of json.data as { set_default: boolean }[]) if (!account.set_default) Object.assign(account, odd)
			})
			const { html } = await visitor.visit('/myaccount/bank?refresh=1')
			opened.breakBroker(undefined)
			expect(readText(html)).toContain('Contact support to make it the default')
			expect(readText(html)).not.toContain('Make default')
		},
	)

	test('say that the two numbers differ together with what else is wrong', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const typed = { ...bank, confirm_acc_number: '30210042118856', ifsc_code: 'HDFC123', account_type: '' }
		const said = readText(await (await visitor.post('/myaccount/bank', '/myaccount/bank', typed)).text())
		for (const message of ['The account numbers are not the same', 'Enter an IFSC in the correct format', 'Select the account type'])
			expect(said).toContain(message)
	})

	test('ask only for the MICR code when the broker does not know it, and keep everything else', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const typed = {
			...bank,
			acc_number: '40210042118811',
			confirm_acc_number: '40210042118811',
			ifsc_code: 'ZZZZ0MICR01',
			set_default: 'on',
		}
		const answer = await visitor.post('/myaccount/bank', '/myaccount/bank', typed)
		expect(answer.status).toBe(422)
		const html = await answer.text()
		expect(readText(html)).toContain('Invalid MICR code.')
		expect(html).toContain('alert-warning')
		for (const label of ['Confirm account number', 'Account type</label>']) expect(html.includes(label)).toBe(false)
		const kept = ['acc_number', 'confirm_acc_number', 'ifsc_code', 'account_type', 'set_default', 'asks_micr']
		const again = Object.fromEntries(kept.map((name) => [name, hidden(html, name)]))
		const wrong = await visitor.post('/myaccount/bank', '/myaccount/bank', { ...again, micr_code: '12' })
		expect(wrong.status).toBe(400)
		const said = readText(await wrong.text())
		expect(said.match(/MICR code must be 9 numbers|Enter the MICR code(?!;)/g)).toEqual([
			'MICR code must be 9 numbers',
			'MICR code must be 9 numbers',
		])
		for (const [micr_code, message] of [
			['', 'Enter the MICR code'],
			['000000000', 'Enter the MICR code that is on your cheque'],
		] as const) {
			const refused = await visitor.post('/myaccount/bank', '/myaccount/bank', { ...again, micr_code })
			expect([refused.status, readText(await refused.text())]).toEqual([400, expect.stringContaining(message)])
		}
		const sent = await visitor.post('/myaccount/bank', '/myaccount/bank', { ...again, micr_code: '400 229 010' })
		expect(sent.headers.get('location')).toBe('/myaccount/bank/otp')
		// It becomes the default account, so the page names the account that it replaces.
		expect(readText((await visitor.visit('/myaccount/bank/otp')).html)).toMatch(/Now [A-Z ]+ ••••••\d{4} gets payouts Account number/)
	})

	test('require a proof and the e-sign when the penny drop failed', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const typed = { ...bank, acc_number: '50210042118800', confirm_acc_number: '50210042118800' }
		await visitor.post('/myaccount/bank', '/myaccount/bank', typed)
		const { html } = await visitor.visit('/myaccount/bank/otp')
		expect(readText(html)).toContain('Proof file')
		const otp = await lastCode('CASH01')
		const without = await sendCode(visitor, '/myaccount/bank/otp', { otp })
		expect(without.status).toBe(400)
		expect(readText(await without.text())).toContain('Select a cancelled cheque')
		const done = await sendCode(visitor, '/myaccount/bank/otp', { otp }, { file: PDF, file2: PDF })
		expect(done.headers.get('location')).toBe('/esign')
		await atProvider(visitor)
		expect(readText((await visitor.visit('/myaccount/bank')).html)).toContain('••••••8800')
	})

	test('show what is wrong with the typed values', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const answer = await visitor.post('/myaccount/bank', '/myaccount/bank', {
			...bank,
			acc_number: '12',
			ifsc_code: 'HDFC1',
			account_type: '',
		})
		expect(answer.status).toBe(400)
		const said = readText(await answer.text())
		for (const words of ['between 9 and 18 digits', 'correct format, like HDFC0001234', 'Select the account type'])
			expect(said).toContain(words)
	})
})

test('the income page says the slab of now above the choice', async () => {
	const text = readText((await (await signedIn(opened, 'DEMO01')).visit('/myaccount/income')).html)
	expect(text).toMatch(/Current annual income ₹ 25 lakh to 1 crore Annual income .*₹ 10 to 25 lakh ₹ 25 lakh to 1 crore /)
})

test('the income page names an income of the broker that is none of the slabs', async () => {
	const visitor = await signedIn(opened, 'DEBT01')
	opened.rewriteCalls('/v2/account-profile/personal-details', (json) => {
		const { personal_details } = json.data as { personal_details: object }
		Object.assign(personal_details, { annual_income: '10L-25L' })
	})
	const text = readText((await visitor.visit('/myaccount/income?refresh=1')).html)
	opened.breakBroker(undefined)
	expect(text).toContain('Current annual income 10L-25L')
})

describe('segments', () => {
	test('are the same on the profile and on their own page, with commodity', async () => {
		const visitor = await signedIn(opened, 'DEMO01')
		const { html } = await visitor.visit('/myaccount')
		const profile = readText(html)
		// A name of two words does not break at the end of a line.
		const together = readAll(html, 'dd .whitespace-nowrap')
		expect(together).toEqual(expect.arrayContaining(['Future & Options,', 'Currency Derivatives,', 'Mutual fund']))
		expect(profile).toMatch(/Active segments Cash, Future & Options, Currency Derivatives, Commodity, Mutual fund Change/)
		expect(readText((await visitor.visit('/myaccount/segments')).html)).toMatch(
			/Your segments Cash Active .*Commodity Active Mutual fund Active Add a segment Step 1 of 3: details · OTP · e-sign Segments to add SLBM/,
		)
		const cash = await signedIn(opened, 'CASH01')
		expect(readText((await cash.visit('/myaccount')).html)).toContain('Active segments Cash Change')
	})

	test('show the active ones, and add a derivative segment with its proof', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const { html } = await visitor.visit('/myaccount/segments')
		expect(listAttributes(html, 'input[checked][disabled]', 'value')).toEqual(['Cash'])
		const nothing = await visitor.post('/myaccount/segments', '/myaccount/segments', {})
		expect([nothing.status, readText(await nothing.text())]).toEqual([400, expect.stringContaining('Select a segment to activate')])
		const unknown = await visitor.post('/myaccount/segments', '/myaccount/segments', { segment: 'Bogus' })
		expect(readText(await unknown.text())).toContain('Select a segment to activate')
		await visitor.post('/myaccount/segments', '/myaccount/segments', { segment: 'Future & Options' })
		expect(readText((await visitor.visit('/myaccount/segments/otp')).html)).toContain('Now Cash Segment to activate Future & Options')
		const otp = await lastCode('CASH01')
		const without = await sendCode(visitor, '/myaccount/segments/otp', { otp }, { file: PDF })
		expect(without.status).toBe(400)
		expect(readText(await without.text())).toContain('Select the type of proof')
		const done = await sendCode(visitor, '/myaccount/segments/otp', { otp, file_type: 'Salary Slip' }, { file: PDF })
		expect(done.headers.get('location')).toBe('/esign')
		await atProvider(visitor)
		expect(readText((await visitor.visit('/myaccount')).html)).toMatch(/Active segments [^.]*Future & Options/)
	})
})

describe('income', () => {
	test('changes with a proof, and the declaration downloads', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const same = await visitor.post('/myaccount/income', '/myaccount/income', { income: '10-25 Lakh' })
		expect(same.status).toBe(422)
		expect(readText(await same.text())).toContain('This is the income already on your account')
		await visitor.post('/myaccount/income', '/myaccount/income', { income: '25 Lakh-1 Crore' })
		const done = await sendCode(visitor, '/myaccount/income/otp', { otp: await lastCode('CASH01') }, { file: PDF })
		expect(done.status).toBe(303)
		const { html } = await visitor.visit(done.headers.get('location') ?? '')
		expect(readText(html)).toContain('Income updated.')
		expect(html).toContain('url=/downloads/income')
		expect(readText(html)).toContain('Current annual income ₹ 25 lakh to 1 crore')
		const file = await visitor.send('/downloads/income')
		expect(file.headers.get('content-disposition')).toContain('CASH01_INCOME.pdf')
		expect((await file.text()).slice(0, 5)).toBe('%PDF-')
		const other = await signedIn(opened, 'DEBT01')
		expect((await other.send('/downloads/income')).status).toBe(303)
		// A browser that made no change gets no message.
		expect(readText((await other.visit('/myaccount/income?done=1')).html)).not.toContain('Income updated.')
	})
})

test('income is changed even when the declaration breaks off, and the broker returns the file again', async () => {
	const visitor = await signedIn(opened, 'DEBT01')
	await visitor.post('/myaccount/income', '/myaccount/income', { income: '25 Lakh-1 Crore' })
	let isBroken = false
	opened.breakBroker((request) => {
		if (!request.url.includes('verify_otp') || isBroken) return undefined
		isBroken = true
		return fetch(request).then((whole) => {
			const broken = new ReadableStream({
				pull: (controller) => controller.error(new Error('connection lost')),
				start: (controller) => controller.enqueue(new TextEncoder().encode('%PDF-1.4')),
			})
			return new Response(broken, whole)
		})
	})
	const done = await sendCode(visitor, '/myaccount/income/otp', { otp: await lastCode('DEBT01') }, { file: PDF })
	expect([done.status, done.headers.get('location')]).toEqual([303, '/myaccount/income?done=1'])
	expect(readText((await visitor.visit('/myaccount/income?done=1')).html)).toContain('Income updated.')
	const file = await visitor.send('/downloads/income')
	expect((await file.text()).slice(0, 5)).toBe('%PDF-')
})

/** Withdraws like a browser that shows this row. A page without the row has no key, so the key comes from the cookie. */
async function withdraw(visitor: Visitor, reference: string) {
	const { html } = await visitor.visit('/myaccount/requests')
	const idempotency_key = visitor.cookies.get('__Host-once-withdraw-change')?.split('.')[0] ?? ''
	return await visitor.postRaw('/myaccount/requests', { csrf: hidden(html, 'csrf'), reference, idempotency_key })
}

describe('requests', () => {
	test('show what changed, when and how, and belong to one client', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const { html } = await visitor.visit('/myaccount/requests')
		const said = readText(html)
		for (const words of ['Change of annual income', 'OTP and e-sign', 'Done', 'Change of default bank account'])
			expect(said).toContain(words)
		const file = firstLink(html, '/downloads/change/')
		expect((await (await visitor.send(file)).text()).slice(0, 5)).toBe('%PDF-')
		const other = await signedIn(opened, 'DEBT01')
		expect((await other.send(file)).status).toBe(303)
		const reference = /MOD-[0-9A-F]+/.exec(said)?.[0] ?? ''
		const stolen = await withdraw(other, reference)
		expect(stolen.status).toBe(422)
		expect((await other.visit('/myaccount/requests')).html).not.toContain(reference)
	})

	test('are withdrawn while they wait', async () => {
		const visitor = await signedIn(opened, 'DEBT01')
		await visitor.post('/myaccount/email', '/myaccount/email', { input: 'other.debt@example.com' })
		await sendCode(visitor, '/myaccount/email/otp', { otp: await lastCode('DEBT01') })
		const { html } = await visitor.visit('/myaccount/requests')
		expect(readText(html)).toContain('Awaiting your e-sign')
		// The form of this change says so too, and no other form.
		const readForm = async (page: string) => readText((await visitor.visit(page)).html)
		expect(await readForm('/myaccount/email')).toMatch(
			/New e-mail o•••@example\.com Awaits your e-sign until [^.]*\. Sign .* Change to another address This replaces the request above\./,
		)
		expect(await readForm('/myaccount/mobile')).not.toContain('awaits your e-sign')
		const reference = /MOD-[0-9A-F]+/.exec(html)?.[0] ?? ''
		const answer = await withdraw(visitor, reference)
		expect(answer.status).toBe(303)
		expect(readText((await visitor.visit('/myaccount/requests')).html)).toContain('Withdrawn')
		expect(await readForm('/myaccount/email')).not.toContain('Awaits your e-sign')
	})
})

test('requests leave no secret in the logs', () => {
	const logs = opened.lines.join('\n')
	for (const secret of ['30210042118855', 'Demo@1234', 'my salary']) expect(logs).not.toContain(secret)
	expect(logs).toContain('/myaccount/bank/otp')
})

test('the form for a bank account is folded for a client who has one, and opens with what is wrong in it', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const isOpen = (html: string) => parsePage(html).querySelector('details:has(form [name="ifsc_code"])')?.hasAttribute('open')
	expect(isOpen((await visitor.visit('/myaccount/bank')).html)).toBe(false)
	const sent = await visitor.post('/myaccount/bank', '/myaccount/bank', { acc_number: '12' })
	expect(isOpen(await sent.text())).toBe(true)
})
