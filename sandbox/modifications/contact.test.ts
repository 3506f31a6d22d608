import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { envelope } from '#contract/common'
import { ChangeRequests } from '#contract/modifications'
import { type Books } from '#sandbox/db/open'
import { latestCode, readOutbox, postJson, readRefusal, readReply, sign } from '#sandbox/testing/changes'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

const PATH = '/v1/modifications/profile-modifications'

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())

async function open(client: string) {
	const sandbox = createTestSandbox(books)
	const ask = await sandbox.signIn(client)
	const profile = async () => {
		const { data } = await readReply(await ask('/v2/account-profile/personal-details'))
		return (data as { personal_details: Record<string, string> }).personal_details
	}
	const history = async () => envelope(ChangeRequests).parse(await (await ask('/v1/ours/change-requests')).json()).data
	return {
		...sandbox,
		ask,
		profile,
		history,
		send: (types: string, input: string) => postJson(ask, `${PATH}?types=${types}&process=send_otp`, { input }),
		/** Takes both steps and returns the e-sign response. */
		async change(types: string, input: string) {
			expect((await postJson(ask, `${PATH}?types=${types}&process=send_otp`, { input })).status).toBe(200)
			const otp = await latestCode(sandbox, client)
			const { status, data } = await readReply(await postJson(ask, `${PATH}?types=${types}&process=verify_otp`, { input, otp }))
			expect(status).toBe(200)
			return data
		},
	}
}

describe('a new mobile number', () => {
	test('is stored when it is signed and not before, and both numbers and the e-mail get a message', async () => {
		const { change, profile, history, ...sandbox } = await open('DEMO01')
		const response = await change('mobile', '9123456780')
		expect((await profile()).mobile).toBe('9820012345')
		expect((await history())[0]).toMatchObject({
			kind: 'MOBILE',
			status: 'WAITING',
			was: '******2345',
			becomes: '******6780',
			authorised_by: 'OTP_ESIGN',
		})
		await sign(sandbox, response)
		expect((await profile()).mobile).toBe('9123456780')
		const [done] = await history()
		expect(done).toMatchObject({ status: 'DONE', by: 'Aarav Rajesh Mehta', title: 'Change of mobile number' })
		expect(done?.done_at).not.toBeNull()
		const told = (await readOutbox(sandbox, 'DEMO01')).filter(({ subject }) => subject === 'Your account was changed')
		expect(told.map(({ to }) => to).toSorted()).toEqual(['9123456780', '9820012345', 'aarav.mehta@example.com'])
		expect(told[0]?.body).toContain('from ******2345 to ******6780')
	})

	test('is not stored by a cancelled or failed e-sign, and is stored by a later completed one', async () => {
		const { change, profile, history, ...sandbox } = await open('CASH01')
		const response = await change('mobile', '9123456781')
		for (const outcome of ['cancel', 'fail'] as const) {
			await sign(sandbox, response, outcome)
			expect((await profile()).mobile).toBe('9886054321')
			expect((await history())[0]).toMatchObject({ status: 'WAITING' })
		}
		await sign(sandbox, response)
		expect((await profile()).mobile).toBe('9123456781')
	})

	test('is stored once when it is signed ten times at once', async () => {
		const { change, ...sandbox } = await open('DEBT01')
		const response = await change('mobile', '9123456782')
		await Promise.all(Array.from({ length: 10 }, () => sign(sandbox, response)))
		const told = (await readOutbox(sandbox, 'DEBT01')).filter(({ subject }) => subject === 'Your account was changed')
		expect(told).toHaveLength(3)
	})

	test('is withdrawn by a later request, and lapses after a day', async () => {
		const { change, profile, history, passTime, ...sandbox } = await open('CLOS01')
		const first = await change('mobile', '9123456783')
		const second = await change('mobile', '9123456784')
		await sign(sandbox, first)
		expect((await profile()).mobile).toBe('9840076543')
		expect((await history()).map(({ status }) => status)).toEqual(['WAITING', 'WITHDRAWN'])
		passTime(86_400_001)
		await sign(sandbox, second)
		const again = await sandbox.signIn('CLOS01')
		const changes = envelope(ChangeRequests).parse(await (await again('/v1/ours/change-requests')).json()).data
		expect(changes.map(({ status }) => status)).toEqual(['LAPSED', 'WITHDRAWN'])
		expect(await (await again('/v2/account-profile/personal-details')).text()).toContain('"mobile":"9840076543"')
	})

	test('is refused when any client has it already, or when it is not a mobile number', async () => {
		const { send } = await open('NEW001')
		const taken = { status: 409, message: 'This mobile number is already registered' }
		expect(await readRefusal(await send('mobile', '7003056789'))).toMatchObject(taken)
		expect(await readRefusal(await send('mobile', '9422098765'))).toMatchObject(taken)
		for (const input of ['5123456789', '98200', 'x@example.com', '']) expect((await send('mobile', input)).status).toBe(422)
	})
})

describe('a new e-mail', () => {
	test('works for login once stored, and the old one does not', async () => {
		const { change, profile, logIn, ...sandbox } = await open('NEW001')
		await sign(sandbox, await change('email', 'rohan.new@example.com'))
		expect((await profile()).email).toBe('rohan.new@example.com')
		expect((await logIn('Rohan.New@example.com')).status).toBe(200)
		expect((await logIn('rohan.das@example.com')).status).toBe(401)
		const told = (await readOutbox(sandbox, 'NEW001')).filter(({ subject }) => subject === 'Your account was changed')
		expect(told.map(({ to }) => to)).toEqual(expect.arrayContaining(['rohan.das@example.com', 'rohan.new@example.com', '7003056789']))
	})

	test('is refused when another client has it, in upper or lower case', async () => {
		const { send } = await open('DEBT01')
		const taken = { status: 409, message: 'This e-mail is already registered' }
		expect(await readRefusal(await send('email', 'IMRAN.shaikh@example.com'))).toMatchObject(taken)
		expect(await readRefusal(await send('email', 'Kavita.Hegde@example.com'))).toMatchObject(taken)
		expect((await send('email', '9123456789')).status).toBe(422)
	})
})

describe('the list of changes', () => {
	test('belongs to the client, and has a form for each completed change', async () => {
		const { ask, history, signIn } = await open('NEW001')
		const [done] = await history()
		const form = await ask(`/v1/ours/change-form?reference=${done?.reference}`)
		expect(form.headers.get('content-disposition')).toBe('attachment; filename="NEW001_EMAIL.pdf"')
		expect((await form.text()).slice(0, 5)).toBe('%PDF-')
		const other = await signIn('DEMO01')
		expect((await other(`/v1/ours/change-form?reference=${done?.reference}`)).status).toBe(404)
		expect((await ask('/v1/ours/change-form?reference=MOD-00000000')).status).toBe(404)
		const theirs = await readReply(await other('/v1/ours/change-requests'))
		expect(JSON.stringify(theirs.data)).not.toContain(done?.reference)
	})

	test('withdraws a waiting change once, for its own client only', async () => {
		const { ask, change, history, signIn, ...sandbox } = await open('CASH01')
		const response = await change('email', 'kavita.new@example.com')
		const reference = (await history())[0]?.reference
		const withdraw = (by: typeof ask) => postJson(by, '/v1/ours/change-withdrawal', { reference })
		expect((await withdraw(await signIn('DEMO01'))).status).toBe(409)
		expect((await ask(`/v1/ours/change-form?reference=${reference}`)).status).toBe(404)
		expect((await withdraw(ask)).status).toBe(200)
		expect((await withdraw(ask)).status).toBe(409)
		await sign({ ...sandbox }, response)
		expect((await history())[0]).toMatchObject({ reference, status: 'WITHDRAWN' })
	})

	test('masks every number and e-mail address', async () => {
		const { ask } = await open('DEMO01')
		const text = await (await ask('/v1/ours/change-requests')).text()
		expect(text).not.toMatch(/9123456780|9820012345|aarav\.mehta@/)
	})
})
