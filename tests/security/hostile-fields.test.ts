import { describe, expect, test } from 'vitest'
import { hidden, PDF, sendForm } from '#tests/support/account'
import { openPortalForFile, ORIGIN, signedIn, Visitor } from '#tests/support/portal'

/* Field names that would cost the portal far more work than the sender. Each is refused before anything is built from it. */

const opened = openPortalForFile()

async function postLogin(fields: Record<string, string>) {
	const visitor = new Visitor(opened.portal)
	const { html } = await visitor.visit('/login')
	const started = performance.now()
	const answer = await visitor.postRaw('/login', { csrf: hidden(html, 'csrf'), ...fields })
	const body = await answer.text()
	return { status: answer.status, size: body.length, body, ms: performance.now() - started }
}

const REFUSED: [string, Record<string, string>][] = [
	['an index of six digits', { 'x[100000]': 'y' }],
	['an index of eight digits', { 'username[40000000]': 'y' }],
	['the highest index that there is', { 'username[4294967294]': 'y' }],
	['an index of three digits', { 'username[100]': 'y' }],
	['an index behind a dot', { 'username[0]': 'x', 'username.40000000': 'y' }],
	['20,000 levels', { [`a${'.a'.repeat(20_000)}`]: 'y' }],
	['five levels', { 'a.b.c.d.e': 'y' }],
	['101 characters', { ['a'.repeat(101)]: 'y' }],
	['no characters', { '': 'y' }],
	['the prototype', { '__proto__.polluted': 'y' }],
	['the constructor of a field', { 'username.constructor.prototype': 'y' }],
	['a method of every object', { toString: 'y' }],
	['a method of an array', { 'username[0]': 'x', 'username.map': 'y' }],
	['the length of an array', { 'username[0]': 'x', 'username.length': '400000000' }],
	['501 fields', Object.fromEntries(Array.from({ length: 501 }, (_, at) => [`x${at}`, 'y']))],
	['5,000 fields', Object.fromEntries(Array.from({ length: 5000 }, (_, at) => [`x${at}`, 'y']))],
	['a hundred arrays of a hundred items', Object.fromEntries(Array.from({ length: 100 }, (_, at) => [`x${at}[99]`, 'y']))],
	['a value of 8,193 characters', { username: 'a'.repeat(8193) }],
]

test.each(REFUSED)('refuses a form with %s', async (_, fields) => {
	const { status, size, ms, body } = await postLogin(fields)
	expect([status, body]).toEqual([400, expect.stringContaining('The form was not fully received')])
	expect(size).toBeLessThan(100_000)
	expect(ms).toBeLessThan(1000)
})

test.each([
	['two digits', { 'username[99]': 'y' }],
	['four levels', { 'a.b.c.d': 'y' }],
	['100 characters', { ['a'.repeat(100)]: 'y' }],
	['an intent', { __intent__: 'x' }],
	['an intent to pollute', { __intent__: '{"type":"update","payload":{"name":"__proto__","value":{"polluted":"y"}}}' }],
	['a state', { __state__: 'x' }],
])('reads a form with %s, and says what is missing', async (_, fields) => {
	const { status, body } = await postLogin(fields)
	expect([status, body]).toEqual([400, expect.stringContaining('Enter your client code')])
	expect('polluted' in {}).toBe(false)
})

describe('the buttons of a list', () => {
	const AT = '/myaccount/nominee'
	const insert = { type: 'insert', payload: { name: 'nominees', defaultValue: {} } }
	const cases: [string, Record<string, string>, number][] = [
		['add a row', { __intent__: JSON.stringify(insert) }, 200],
		['remove a row', { __intent__: JSON.stringify({ type: 'remove', payload: { name: 'nominees', index: 0 } }) }, 200],
		['check a field', { __intent__: JSON.stringify({ type: 'validate', payload: { name: 'nominees[0].pan' } }) }, 200],
		['are not text', { __intent__: 'x' }, 400],
		['are not null', { __intent__: 'null' }, 400],
		['do not move rows far away', { __intent__: '{"type":"reorder","payload":{"name":"nominees","from":0,"to":40000000}}' }, 400],
		['do not add far away', { __intent__: '{"type":"insert","payload":{"name":"nominees[40000000]"}}' }, 400],
		['do not add another list', { __intent__: '{"type":"insert","payload":{"name":"others"}}' }, 400],
		['do not fill the form', { __intent__: '{"type":"update","payload":{"name":"nominees[40000000]","value":"x"}}' }, 400],
		['do not pollute', { __intent__: '{"type":"insert","payload":{"name":"nominees","defaultValue":{"__proto__":{"x":"y"}}}}' }, 400],
		['do not add to what is no list', { nominees: 'x', __intent__: JSON.stringify(insert) }, 400],
		['do not add to an object', { 'nominees.a': 'x', __intent__: JSON.stringify(insert) }, 400],
		['do not split what is no list', { nominees: 'x', intent: 'split' }, 400],
		['do not count to a hundred', { 'nominees[99].name': 'x' }, 400],
	]
	test.each(cases)('%s', async (_, fields, status) => {
		const visitor = await signedIn(opened, 'CASH01')
		const answer = await visitor.post(AT, AT, fields)
		expect([answer.status, (await answer.text()).length < 200_000]).toEqual([status, true])
	})
})

const OWN_NAMES = ['csrf', 'idempotency_key']

test.each(['x[100000]', '__intent__', 'a.b.c.d.e'])('refuses a form with files for %s, before or after the files', async (name) => {
	const visitor = await signedIn(opened, 'CLOS01')
	const answers = { reason: 'Moving to another broker', close: 'Trading and Demat', holdings: 'transfer' }
	await visitor.post('/myaccount/closure', '/myaccount/closure', answers)
	const { html } = await visitor.visit('/myaccount/closure/transfer')
	const own = OWN_NAMES.map((each) => `name="${each}"\r\n\r\n${hidden(html, each)}`)
	const bad = `name="${name}"\r\n\r\ny`
	const file = 'name="client_master"; filename="a.pdf"\r\nContent-Type: application/pdf\r\n\r\n%PDF-1.4\n1 0 obj <<>> endobj'
	const since = opened.asked.length
	for (const parts of [
		[...own, bad, file],
		[...own, file, bad],
	]) {
		const body = [...parts.map((part) => `--b\r\nContent-Disposition: form-data; ${part}\r\n`), '--b--\r\n'].join('')
		const headers = { 'content-type': 'multipart/form-data; boundary=b', 'content-length': String(body.length), origin: ORIGIN }
		const answer = await visitor.send('/myaccount/closure/transfer', { method: 'POST', body, headers })
		expect(answer.status).toBe(400)
		await answer.text()
	}
	expect(opened.asked.slice(since).filter(({ method }) => method === 'POST')).toEqual([])
})

const DIGITS = '918273'
const MEGABYTE = DIGITS.repeat(175_000)

/** The OTP step of a change, and the fields of its page. */
async function openStep(page: string, change: Record<string, string>) {
	const visitor = await signedIn(opened, 'CASH01')
	expect((await visitor.post(page, page, change)).headers.get('location')).toBe(`${page}/otp`)
	const { html } = await visitor.visit(`${page}/otp`)
	return { visitor, own: Object.fromEntries([...OWN_NAMES, 'step'].map((name) => [name, hidden(html, name)])) }
}

const codesSent = () => opened.asked.filter(({ url }) => url.includes('verify_otp'))

test('refuses an OTP that is a list or far too long without a call, and never shows it again', async () => {
	const { visitor, own } = await openStep('/myaccount/mobile', { input: '98765 00032' })
	for (const [typed, status] of [
		[`otp=${DIGITS}&otp=${DIGITS}`, 400],
		[`otp%5B%5D=${DIGITS}`, 400],
		[`otp%5B0%5D=${DIGITS}`, 400],
		[`otp%5B0%5D=${DIGITS}&otp%5B1%5D=${DIGITS}`, 400],
		[`otp.code=${DIGITS}`, 400],
		[`otp=${DIGITS.repeat(1300)}`, 400],
		[`otp=${DIGITS.repeat(15_000)}`, 400],
		// Larger than a whole form may be: it does not reach the page.
		[`otp=${MEGABYTE}`, 413],
	] as const) {
		const body = `${new URLSearchParams(own).toString()}&${typed}`
		const headers = { 'content-type': 'application/x-www-form-urlencoded', 'content-length': String(body.length), origin: ORIGIN }
		const answer = await visitor.send('/myaccount/mobile/otp', { method: 'POST', body, headers })
		expect([typed.slice(0, 40), answer.status]).toEqual([typed.slice(0, 40), status])
		expect(await answer.text()).not.toContain(DIGITS)
	}
	expect(codesSent()).toEqual([])
	expect(opened.lines.filter((line) => line.includes(DIGITS))).toEqual([])
})

test('refuses an OTP of a megabyte in a form with files, which may be larger', async () => {
	const { visitor, own } = await openStep('/myaccount/income', { income: '25 Lakh-1 Crore' })
	for (const otp of [MEGABYTE, DIGITS.repeat(1300)]) {
		const answer = await sendForm(visitor, '/myaccount/income/otp', { ...own, otp }, { file: PDF })
		expect(answer.status).toBe(400)
		expect(await answer.text()).not.toContain(DIGITS)
	}
	expect(codesSent()).toEqual([])
})
