import { describe, expect, test } from 'vitest'
import { atProvider, lastCode, sendCode, readText } from '#tests/support/account'
import { openPortalForFile, signedIn } from '#tests/support/portal'
import { listAttributes, parsePage, readAll, readTitle } from '#tests/support/readers'

/* Nominees without a script: added and removed rows, shares, guardians, PANs, and none at all. */

const opened = openPortalForFile()

const AT = '/myaccount/nominee'
const ADULT = { name: 'Anand Hegde', relation: 'Brother', pan: 'AAAPH7364M', dob: '1984-02-09', share: '100' }
const CHILD = { name: 'Ira Hegde', relation: 'Daughter', pan: 'BBBPH5190H', dob: '2020-11-23', share: '100' }

function createFields(...rows: Record<string, string>[]): Record<string, string> {
	return Object.fromEntries(rows.flatMap((row, at) => Object.entries(row).map(([name, value]) => [`nominees[${at}].${name}`, value])))
}

async function post(fields: Record<string, string>, code = 'CASH01') {
	const visitor = await signedIn(opened, code)
	return await visitor.post(AT, AT, fields)
}

/** The fields that the button with this name sends. */
function readButton(html: string, words: string): Record<string, string> {
	const button = parsePage(html)
		.querySelectorAll('button')
		.find((each) => readText(each).startsWith(words))
	return { [button?.getAttribute('name') ?? '']: button?.getAttribute('value') ?? '' }
}

test('the page says above the list how many nominees there are and what their shares add up to', async () => {
	const { html } = await (await signedIn(opened, 'DEMO01')).visit(AT)
	expect(readText(html)).toMatch(/2 nominees · Together 100 % Your nominees Ananya Mehta/)
	const without = await (await signedIn(opened, 'CASH01')).visit(AT)
	expect(readText(without.html)).toContain('You have no nominee yet. Say below who receives your shares and money after your death.')
	const above = 'The nominees above are then removed.'
	expect([html, without.html].map((page) => readText(page).includes(above))).toEqual([true, false])
})

test('the page offers as many as the broker allows, and three when it does not say', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	const shows = async () => /Up to \d+ nominees/.exec(readText((await visitor.visit(AT)).html))?.[0]
	const limits = (data: object | null, status: number) =>
		opened.failCalls('/v1/ours/modification-limits', () =>
			Response.json({ status: data ? 'success' : 'error', message: '', data }, { status }),
		)
	limits({ max_nominees: 7, max_banks: 5 }, 200)
	expect(await shows()).toBe('Up to 7 nominees')
	for (const status of [500, 404]) {
		limits(null, status)
		expect([status, await shows()]).toEqual([status, 'Up to 3 nominees'])
	}
})

describe('rows', () => {
	const listRows = (html: string) => readAll(html, 'legend').filter((words) => words.startsWith('Nominee '))

	test('are added and removed by buttons, up to the limit, and keep what was typed', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		let { html } = await visitor.visit(AT)
		expect(listRows(html)).toHaveLength(1)
		// The only row cannot be removed.
		expect(readText(html)).not.toContain('Remove nominee')
		for (const rows of [2, 3]) {
			const given = createFields(...[ADULT, CHILD].slice(0, rows - 1))
			const answer = await visitor.post(AT, AT, { ...given, ...readButton(html, 'Add nominee') })
			expect(answer.status).toBe(200)
			html = await answer.text()
			expect(listRows(html)).toHaveLength(rows)
			expect(html).toContain('value="Anand Hegde"')
			expect(html.includes('There is a problem')).toBe(false)
		}
		expect(readText(html)).not.toContain('Add nominee')
		const removed = await visitor.post(AT, AT, { ...createFields(ADULT, CHILD, { name: '' }), ...readButton(html, 'Remove nominee 2') })
		html = await removed.text()
		expect(listRows(html)).toHaveLength(2)
		expect(html).not.toContain('value="Ira Hegde"')
		expect(html).toContain('value="Anand Hegde"')
	})

	test('are split into shares of exactly 100 %', async () => {
		const html = await (await post({ ...createFields(ADULT, CHILD, ADULT), intent: 'split' })).text()
		expect(listAttributes(html, '[name^="nominees["][name$="].share"]', 'value')).toEqual(['33.34', '33.33', '33.33'])
		const halves = await (await post({ ...createFields(ADULT, CHILD), intent: 'split' })).text()
		expect(listAttributes(halves, '[name^="nominees["][name$="].share"]', 'value')).toEqual(['50', '50'])
	})

	test('refuse to look up what is no PAN', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const { html } = await visitor.visit(AT)
		const answer = await visitor.post(AT, AT, { ...createFields({ pan: 'ABC' }), ...readButton(html, 'Check PAN') })
		const said = await answer.text()
		expect([answer.status, readTitle(said)]).toEqual([400, expect.stringMatching(/^Error: Nominee/)])
		expect(readText(said)).toMatch(/There is a problem .*Enter a PAN in the correct format/)
	})

	test('show the name of a PAN on request', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const { html } = await visitor.visit(AT)
		const answer = await visitor.post(AT, AT, { ...createFields({ pan: 'aaaph 7364-m' }), ...readButton(html, 'Check PAN') })
		expect(answer.status).toBe(200)
		const said = await answer.text()
		expect(readText(said)).toMatch(/This PAN is registered to [A-Z]+ [A-Z]+\. Is this your nominee\?/)
		// Each PAN has its own button, the guardian's PAN too.
		const beside = parsePage(said)
			.querySelectorAll('button')
			.filter((button) => readText(button).startsWith('Check PAN'))
			.map((button) => [readText(button), button.parentNode?.querySelector('input')?.getAttribute('name')])
		expect(beside).toEqual([
			['Check PAN of nominee 1', 'nominees[0].pan'],
			['Check PAN of the guardian of nominee 1', 'nominees[0].guardian.pan'],
		])
	})
})

describe('the register of PANs', () => {
	const lookups = (from: number) => opened.asked.slice(from).filter(({ url }) => url.includes('pan')).length
	/** A person's PAN, each one different. */
	const createPan = (at: number) => `QQ${String.fromCharCode(65 + (at % 26))}PQ${String(1000 + at)}Z`

	test('is called only for nominees and their guardians, up to the limit, and once for each', async () => {
		const visitor = await signedIn(opened, 'CASH01')
		const { html } = await visitor.visit(AT)
		const invented = Object.fromEntries(Array.from({ length: 20 }, (_, at) => [`x${at}.pan`, createPan(at)]))
		const rows = Array.from({ length: 5 }, (_, at) => ({ pan: createPan(100 + at), 'guardian.pan': createPan(200 + at) }))
		const fields = { ...createFields(...rows), ...invented, ...readButton(html, 'Add nominee') }
		const from = opened.asked.length
		await visitor.post(AT, AT, fields)
		expect(lookups(from)).toBe(6)
		await visitor.post(AT, AT, fields)
		expect(lookups(from)).toBe(6)
	})

	test('stops answering a client after sixty PANs in a quarter of an hour', async () => {
		const visitor = await signedIn(opened, 'DEBT01')
		const { html } = await visitor.visit(AT)
		const from = opened.asked.length
		for (let at = 0; at < 66; at += 3) {
			const rows = [0, 1, 2].map((row) => ({ pan: createPan(300 + at + row) }))
			await visitor.post(AT, AT, { ...createFields(...rows), ...readButton(html, 'Add nominee') })
		}
		expect(lookups(from)).toBe(60)
	})
})

describe('invalid values', () => {
	test.each([
		['no name', { ...ADULT, name: '' }, 'Enter the nominee’s full name'],
		['no relation', { ...ADULT, relation: '' }, 'Select the relation'],
		['a firm’s PAN', { ...ADULT, pan: 'AAACH7364M' }, 'correct format, like ABCPS1234K'],
		['a day that does not exist', { ...ADULT, dob: '1984-02-30' }, 'Date of birth must be a real date'],
		['a future day', { ...ADULT, dob: '2999-01-01' }, 'Date of birth must be in the past'],
		['three decimals', { ...ADULT, share: '33.333' }, 'at most two decimals'],
		['shares below 100 %', { ...ADULT, share: '99.99' }, 'Shares must add up to 100%. They add up to 99.99%.'],
		['a minor without a guardian', CHILD, 'Enter the guardian’s name'],
		[
			'a minor as his own guardian',
			{ ...CHILD, 'guardian.name': CHILD.name, 'guardian.relation': 'Father', 'guardian.pan': 'AAAPH7364M' },
			'The guardian cannot be the nominee',
		],
	])('%s', async (_, row, words) => {
		const answer = await post(createFields(row))
		expect(answer.status).toBe(400)
		const html = await answer.text()
		expect(html.includes('<title>Error: Nominees')).toBe(true)
		expect(readText(html)).toContain(words)
	})

	test('the same person twice, nobody, and a PAN that is not registered', async () => {
		const half = { ...ADULT, share: '50.00' }
		expect(readText(await (await post(createFields(half, half))).text())).toContain('You have added this person already')
		expect(readText(await (await post({})).text())).toContain('Add a nominee, or declare that you do not wish to nominate')
		const unknown = await post(createFields({ ...ADULT, pan: 'AAAPH7364Z' }))
		expect(unknown.status).toBe(422)
		expect(readText(await unknown.text())).toContain('We could not verify this PAN')
	})

	test.for(['abc', '50,5', '५०', '-5', '1e5', '33.333'])('the share %s has one message, and is kept', async (share) => {
		const html = await (await post(createFields({ ...ADULT, share }))).text()
		const messages = parsePage(html).querySelectorAll('[id$="share-error"]').map(readText)
		expect(messages).toEqual([expect.stringMatching(/Enter the share as a number with at most two decimals, like 33\.34$/)])
		expect(readText(html)).not.toContain('NaN')
		expect(parsePage(html).querySelector('[name="nominees[0].share"]')?.getAttribute('value')).toBe(share)
	})

	test('are shown at their field when the broker refuses them', async () => {
		const answer = await post(createFields({ ...ADULT, name: 'Kavita Hegde' }))
		expect(answer.status).toBe(422)
		const html = await answer.text()
		expect(readText(html)).toContain('The nominee cannot be you')
		expect(listAttributes(html, 'a', 'href')).toContain('#nominees-nominees[0].name')
	})
})

test('nominees, one of them a minor, are e-signed and shown', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	const child = { ...CHILD, share: '33.33', 'guardian.name': 'Anand Hegde', 'guardian.relation': 'Father', 'guardian.pan': 'AAAPH7364M' }
	const third = { name: "Shanta D'Souza", relation: 'Sister', pan: 'CCCPD1234K', dob: '1990-05-01', share: '33.33' }
	const sent = await visitor.post(AT, AT, createFields({ ...ADULT, share: '33.34' }, child, third))
	expect(sent.headers.get('location')).toBe(`${AT}/otp`)
	const { html } = await visitor.visit(`${AT}/otp`)
	expect(readText(html)).toMatch(
		/Ira Hegde, Daughter, 33\.33 %; born 23\/11\/2020; PAN BB•••••90H registered to [A-Z ]+; guardian Anand Hegde/,
	)
	expect(html).not.toContain('BBBPH5190H')
	const done = await sendCode(visitor, `${AT}/otp`, { otp: await lastCode('CASH01') })
	expect(done.headers.get('location')).toBe('/esign')
	await atProvider(visitor)
	expect(readText((await visitor.visit('/myaccount')).html)).toContain('Ira Hegde')
	// The next form has these values, except for the PANs.
	const again = (await visitor.visit(AT)).html
	expect(again).toContain('value="Ira Hegde"')
	expect(readAll(again, 'section li').map((words) => words.replaceAll('\u00A0', ' '))).toEqual([
		'Anand Hegde Brother · Born 09/02/1984 · PAN •••••7364M 33.34 %',
		'Ira Hegde Daughter · Minor until 23/11/2038 · PAN •••••5190H · Guardian Anand Hegde (Father) 33.33 %',
		"Shanta D'Souza Sister · Born 01/05/1990 · PAN •••••1234K 33.33 %",
	])
	// The stored masked PAN is below each field, the guardian's too.
	expect(readText(again).match(/Stored now: •+\w+/g)).toEqual(['7364M', '5190H', '7364M', '1234K'].map((end) => `Stored now: •••••${end}`))
})

test('the client may declare that there is no nominee, which replaces the list', async () => {
	const visitor = await signedIn(opened, 'DEBT01')
	await visitor.post(AT, AT, { ...createFields({ name: 'half', share: 'x' }), opt_out: 'on' })
	expect(readText((await visitor.visit(`${AT}/otp`)).html)).toContain('I do not wish to nominate')
	const done = await sendCode(visitor, `${AT}/otp`, { otp: await lastCode('DEBT01') })
	expect(done.headers.get('location')).toBe('/esign')
	await atProvider(visitor)
	expect(readText((await visitor.visit('/myaccount/requests')).html)).toContain('No nominee, by declaration')
})

test('the fields are in sight, also below the nominees of a client who has some', async () => {
	const visitor = await signedIn(opened, 'DEMO01')
	const { html } = await visitor.visit(AT)
	const text = readText(html)
	expect(text).toMatch(/Your nominees .* Change nominees Step 1 of 3: .* Name .* Share %/)
	const folded = parsePage(html)
		.querySelectorAll('details:not([open]) :is(input, select)')
		.map((field) => field.getAttribute('name') ?? '')
	// Only the guardian of an adult is behind a fold.
	expect(folded.filter((name) => !name.includes('.guardian.'))).toEqual([])
	expect(folded).not.toEqual([])
})

const GUARDED = { 'guardian.name': 'Anand Hegde', 'guardian.relation': 'Brother', 'guardian.pan': 'AAAPH7364M' }

test('the back button of the OTP page finds the nominees as they were typed', async () => {
	const visitor = await signedIn(opened, 'CASH01')
	const sent = await visitor.post(AT, AT, createFields({ ...ADULT, share: '60' }, { ...CHILD, share: '40', ...GUARDED }))
	expect(sent.status).toBe(303)
	const { html } = await visitor.visit(AT)
	for (const value of ['Anand Hegde', 'AAAPH7364M', '09/02/1984', '60', 'Ira Hegde', 'BBBPH5190H', '23/11/2020', '40'])
		expect(html).toContain(`value="${value}"`)
})
