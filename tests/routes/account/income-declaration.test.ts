import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import { lastCode, PDF, sendCode } from '#tests/support/account'
import { openPortal, signedIn } from '#tests/support/portal'
import { findAttribute, readText } from '#tests/support/readers'

/* The signed declaration of an income change survives a restart of the process. These tests run without Redis. */

const INCOME = '/myaccount/income'

let opened: Awaited<ReturnType<typeof openPortal>>
afterEach(() => opened.breakBroker(undefined))

/** Changes the income. `declaration` is the broker's response. */
async function change(client: string) {
	const visitor = await signedIn(opened, client)
	await visitor.post(INCOME, INCOME, { income: 'Above 1 Crore' })
	let declaration = Promise.resolve(Buffer.alloc(0))
	opened.breakBroker(async (request) => {
		if (!request.url.includes('process=verify_otp')) return undefined
		const answer = await opened.forward(request)
		const copy = answer.clone() as Response
		declaration = copy.arrayBuffer().then((bytes) => Buffer.from(bytes))
		return answer
	})
	const done = await sendCode(visitor, `${INCOME}/otp`, { otp: await lastCode(client) }, { file: PDF })
	return { visitor, done, declaration: await declaration }
}

describe.each(['404', '501', 'html'])('a broker with only the required operations (%s)', (style) => {
	beforeAll(async () => {
		opened = await openPortal({ sandboxSettings: { SANDBOX_ONLY_REQUIRED: style } })
	}, 120_000)
	afterAll(() => opened.close())

	test('the page after the OTP holds the file itself', async () => {
		const { visitor, done, declaration } = await change('CASH01')
		expect(declaration.subarray(0, 5).toString()).toBe('%PDF-')
		expect(done.status).toBe(200)
		const html = await done.text()
		expect(readText(html)).toContain('Income updated.')
		expect(findAttribute(html, 'a[download]', 'download')).toBe('CASH01_INCOME.pdf')
		const [, base64 = ''] = findAttribute(html, 'a[download]', 'href').split('data:application/pdf;base64,')
		expect(Buffer.from(base64, 'base64').equals(declaration)).toBe(true)
		expect(readText((await visitor.visit(INCOME)).html)).toContain('Current annual income Above ₹ 1 crore')
	})

	test('says that the income is changed when the file is larger than 2 MB', async () => {
		const visitor = await signedIn(opened, 'DEBT01')
		await visitor.post(INCOME, INCOME, { income: 'Above 1 Crore' })
		opened.breakBroker(async (request) => {
			if (!request.url.includes('process=verify_otp')) return undefined
			const { headers } = await opened.forward(request)
			return new Response(Buffer.concat([Buffer.from('%PDF-1.4\n'), Buffer.alloc(2 * 1024 * 1024)]), { headers })
		})
		const done = await sendCode(visitor, `${INCOME}/otp`, { otp: await lastCode('DEBT01') }, { file: PDF })
		expect([done.status, done.headers.get('location')]).toEqual([303, `${INCOME}?done=1`])
		expect(readText((await visitor.visit(`${INCOME}?done=1`)).html)).toContain(
			'Income updated. We did not receive your signed declaration: ask your broker for it.',
		)
	})
})

describe('a broker that keeps the form of a change', () => {
	beforeAll(async () => {
		opened = await openPortal()
	}, 120_000)
	afterAll(() => opened.close())

	test('sends it again to a process that has no memory of the change', async () => {
		const { done } = await change('CASH01')
		expect([done.status, done.headers.get('location')]).toEqual([303, `${INCOME}?done=1`])
		// The memory of a process belongs to a session, so a new session has none of it, as after a restart.
		const later = await signedIn(opened, 'CASH01')
		expect(readText((await later.visit(`${INCOME}?done=1`)).html)).toContain('Income updated.')
		const file = await later.send('/downloads/income')
		expect([file.status, (await file.text()).slice(0, 5)]).toEqual([200, '%PDF-'])
	})

	test('puts the file into the page when the broker lists the change without its form', async () => {
		opened.failCalls('/v1/ours/change-form', () => new Response('', { status: 501 }))
		const visitor = await signedIn(opened, 'DEBT01')
		await visitor.post(INCOME, INCOME, { income: 'Above 1 Crore' })
		const done = await sendCode(visitor, `${INCOME}/otp`, { otp: await lastCode('DEBT01') }, { file: PDF })
		expect(done.status).toBe(200)
		expect(findAttribute(await done.text(), 'a[download]', 'href')).toMatch(/^data:application\/pdf;base64,JVBERi0/)
	})
})
