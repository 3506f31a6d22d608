import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { envelope } from '#contract/common'
import { ChangeRequests, ModificationLimits, NomineePan } from '#contract/modifications'
import { Profile } from '#contract/profile'
import { type Books } from '#sandbox/db/open'
import { type Fields, latestCode, readOutbox, PDF, postForm, postJson, readRefusal, readReply, sign } from '#sandbox/testing/changes'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

const at = (change: string, process: string) => `/v1/modifications/${change}?process=${process}`

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())

async function open(client: string, environment: Record<string, string> = {}) {
	const sandbox = createTestSandbox(books, environment)
	const ask = await sandbox.signIn(client)
	return {
		...sandbox,
		ask,
		form: (change: string, process: string, fields: Fields) => postForm(ask, at(change, process), fields),
		json: (change: string, process: string, body: object) => postJson(ask, at(change, process), body),
		code: () => latestCode(sandbox, client),
		profile: async () => envelope(Profile).parse(await (await ask('/v2/account-profile/personal-details')).json()).data,
		history: async () => envelope(ChangeRequests).parse(await (await ask('/v1/ours/change-requests')).json()).data,
	}
}

describe('an income', () => {
	test('is changed with a code and a proof, and the response is the declaration', async () => {
		const { ask, form, code, profile, history, ...sandbox } = await open('DEMO01')
		const change = { income: 'Above 1 Crore' }
		expect(await readReply(await form('income-modification', 'send_otp', change))).toMatchObject({ message: 'OTP sent to ******2345' })
		const otp = await code()
		const unproven = await readRefusal(await form('income-modification', 'verify_otp', { ...change, otp }))
		expect(unproven).toMatchObject({ status: 422, data: { fields: [{ name: 'file' }] } })
		const pdf = await form('income-modification', 'verify_otp', { ...change, otp, file: PDF })
		expect(pdf.headers.get('content-type')).toBe('application/pdf')
		expect(pdf.headers.get('content-disposition')).toBe('attachment; filename="DEMO01_INCOME.pdf"')
		expect((await pdf.text()).slice(0, 5)).toBe('%PDF-')
		expect((await profile()).personal_details.annual_income).toBe('Above 1 Crore')
		const [done] = await history()
		const expected = { kind: 'INCOME', was: '25 Lakh-1 Crore', becomes: 'Above 1 Crore', status: 'DONE', authorised_by: 'OTP' }
		expect(done).toMatchObject(expected)
		expect((await ask(`/v1/ours/change-form?reference=${done?.reference}`)).status).toBe(200)
		expect((await readOutbox(sandbox, 'DEMO01')).filter(({ body }) => body.includes('annual income was changed'))).toHaveLength(2)
		expect((await form('income-modification', 'verify_otp', { ...change, otp, file: PDF })).status).toBe(410)
	})

	test('is refused when it is unchanged or not one of the ranges', async () => {
		const { form } = await open('CASH01')
		const same = { status: 422, message: 'This is the income already on your account', data: { fields: [{ name: 'income' }] } }
		expect(await readRefusal(await form('income-modification', 'send_otp', { income: '10-25 Lakh' }))).toMatchObject(same)
		expect((await form('income-modification', 'send_otp', { income: '2 Crore' })).status).toBe(422)
	})
})

describe('a segment', () => {
	test('is active once signed, with its company code', async () => {
		const { form, code, profile, history, ...sandbox } = await open('CASH01')
		const change = { segment: 'Future & Options' }
		await form('segment-addition', 'send_otp', change)
		const otp = await code()
		const verify = (fields: Fields) => form('segment-addition', 'verify_otp', { ...change, otp, ...fields })
		expect(await readRefusal(await verify({ file: PDF }))).toMatchObject({ data: { fields: [{ name: 'file_type' }] } })
		expect(await readRefusal(await verify({ file_type: 'Form 16' }))).toMatchObject({ data: { fields: [{ name: 'file' }] } })
		const { data } = await readReply(await verify({ file_type: 'Form 16', file: PDF }))
		expect((await profile()).dp_details.activate_segment).toBe('Cash')
		await sign(sandbox, data)
		expect((await profile()).dp_details).toMatchObject({ activate_segment: 'Cash,Future & Options', company_code: 'NSE_CASH,NSE_FNO' })
		expect((await history())[0]).toMatchObject({ kind: 'SEGMENTS', was: 'Cash', becomes: 'Future & Options active', status: 'DONE' })
		expect(await readRefusal(await form('segment-addition', 'send_otp', change))).toMatchObject({
			status: 409,
			message: 'Segment is already active',
		})
	})

	test('needs no proof when it has no derivatives', async () => {
		const { form, code, profile, ...sandbox } = await open('CLOS01')
		await form('segment-addition', 'send_otp', { segment: 'SLBM' })
		const { data } = await readReply(await form('segment-addition', 'verify_otp', { segment: 'SLBM', otp: await code() }))
		await sign(sandbox, data)
		expect((await profile()).dp_details).toMatchObject({ activate_segment: 'Cash,SLBM', company_code: 'NSE_CASH' })
	})
})

const spouse = { name: 'Suresh Hegde', relation: 'Spouse', pan: 'AAAPH7364M', dob: '1984-02-09', share: 66.67, guardian: null }
const child = {
	name: 'Ira Hegde',
	relation: 'Daughter',
	pan: 'BBBPH5190H',
	dob: '2014-11-23',
	share: 33.33,
	guardian: { name: 'Suresh Hegde', relation: 'Father', pan: 'AAAPH7364M' },
}

describe('nominees', () => {
	const body = (nominees: object[], more: object = {}) => ({ client_code: 'CASH01', nominee: { opt_out: false, nominees }, ...more })

	test('replace the whole list once signed, with a guardian for a minor', async () => {
		const { json, code, profile, history, ...sandbox } = await open('CASH01')
		expect((await json('nominee-addition', 'send_otp', body([spouse, child]))).status).toBe(200)
		const otp = await code()
		// The same nominees in another order are another request.
		expect(await readRefusal(await json('nominee-addition', 'verify_otp', body([child, spouse], { otp })))).toMatchObject({ status: 422 })
		const { data } = await readReply(await json('nominee-addition', 'verify_otp', body([spouse, child], { otp })))
		expect((await profile()).nominees).toEqual([])
		const pending = { status: 409, message: 'A nominee change is already pending' }
		expect(await readRefusal(await json('nominee-addition', 'send_otp', body([{ ...spouse, share: 100 }])))).toMatchObject(pending)
		await sign(sandbox, data)
		const { nominees } = await profile()
		expect(nominees.map(({ name, share, pan }) => [name, share, pan])).toEqual([
			['Suresh Hegde', 66.67, 'XXXXX7364M'],
			['Ira Hegde', 33.33, 'XXXXX5190H'],
		])
		expect(nominees[1]?.guardian).toMatchObject({ name: 'Suresh Hegde', pan: 'XXXXX7364M' })
		expect((await history())[0]).toMatchObject({ was: 'None', becomes: 'Suresh Hegde (Spouse) 66.67 %, Ira Hegde (Daughter) 33.33 %' })
		expect(await (await sandbox.app.request('/outbox?client=CASH01')).text()).toContain('the nominees were changed')
	})

	test('can be replaced by the declaration that there is none', async () => {
		const { json, code, profile, history, ...sandbox } = await open('DEMO01')
		const none = { client_code: 'DEMO01', nominee: { opt_out: true, nominees: [] } }
		await json('nominee-addition', 'send_otp', none)
		const { data } = await readReply(await json('nominee-addition', 'verify_otp', { ...none, otp: await code() }))
		await sign(sandbox, data)
		expect((await profile()).nominees).toEqual([])
		expect((await history())[0]).toMatchObject({ becomes: 'No nominee, by declaration', status: 'DONE' })
	})

	const whole = { ...spouse, share: 100 }
	const wrong: [string, object[], string][] = [
		['shares of 99.99', [{ ...spouse, share: 66.66 }, child], 'Nominee shares must sum to 100'],
		['shares of 100.01', [{ ...spouse, share: 66.68 }, child], 'Nominee shares must sum to 100'],
		['nobody, without the declaration', [], 'Add a nominee, or declare that you do not wish to nominate'],
		['a minor without a guardian', [{ ...child, share: 100, guardian: null }], "Enter the guardian's name"],
		['a grown-up with a guardian', [{ ...whole, guardian: child.guardian }], 'Only a nominee under 18 has a guardian'],
		[
			'a guardian who is the nominee',
			[{ ...child, share: 100, guardian: { ...child.guardian, name: 'IRA  hegde' } }],
			'The guardian cannot be the nominee',
		],
		['the client', [{ ...whole, name: 'Kavita Hegde' }], 'The nominee cannot be you'],
		['the client’s PAN', [{ ...whole, pan: 'CVRPH7364M' }], 'You cannot use your own PAN'],
		['a PAN ending Z', [{ ...whole, pan: 'AAAPH7364Z' }], 'We could not verify this PAN. Check it or use another identity number'],
		[
			'one person twice',
			[
				{ ...spouse, share: 50 },
				{ ...spouse, share: 50 },
			],
			'You have added this person already',
		],
		['somebody born tomorrow', [{ ...whole, dob: '2026-11-22' }], 'Date of birth must be in the past'],
		['four', [25, 25, 25, 25].map((share, index) => ({ ...spouse, share, pan: `AAAPH736${index}M` })), 'You can have up to 3 nominees'],
	]
	test.each(wrong)('are refused: %s', async (_, nominees, message) => {
		const { json } = await open('CASH01')
		expect(await readRefusal(await json('nominee-addition', 'send_otp', body(nominees)))).toMatchObject({ status: 422, message })
	})

	test('come of age on their eighteenth birthday', async () => {
		const { json } = await open('CASH01')
		const young = (dob: string) => json('nominee-addition', 'send_otp', body([{ ...whole, dob }]))
		expect((await young('2008-11-22')).status).toBe(422)
		expect((await young('2008-11-21')).status).toBe(200)
	})

	test('are limited by the setting, and belong to the client', async () => {
		const { ask, json } = await open('CASH01', { SANDBOX_MAX_NOMINEES: '1' })
		const limits = envelope(ModificationLimits).parse(await (await ask('/v1/ours/modification-limits')).json()).data
		expect(limits).toEqual({ max_nominees: 1, max_banks: 5 })
		expect(await readRefusal(await json('nominee-addition', 'send_otp', body([spouse, child])))).toMatchObject({ status: 422 })
		const theirs = { ...body([whole]), client_code: 'DEMO01' }
		expect((await json('nominee-addition', 'send_otp', theirs)).status).toBe(403)
		const both = { client_code: 'CASH01', nominee: { opt_out: true, nominees: [whole] } }
		expect((await json('nominee-addition', 'send_otp', both)).status).toBe(422)
	})
})

describe('a PAN', () => {
	test('returns the same name each time, and none when it ends in Z or is not a person’s', async () => {
		const { ask } = await open('CASH01')
		const look = async (pan: string) => envelope(NomineePan).parse(await (await ask(`/v1/user/nom-pan-verify?pan_no=${pan}`)).json()).data
		const first = await look('AAAPH7364M')
		expect(first).toMatchObject({ pan_no: 'AAAPH7364M', status: 'VALID' })
		expect(first.name).toMatch(/^[A-Z]+ HEGDE$/)
		expect(await look('AAAPH7364M')).toEqual(first)
		expect((await look('CJMPM7364L')).name).toBe('ANANYA MEHTA')
		expect(await look('AAAPH7364Z')).toMatchObject({ name: '', status: 'INVALID' })
		expect(await look('AAACH7364M')).toMatchObject({ status: 'INVALID' })
		expect((await ask('/v1/user/nom-pan-verify?pan_no=aaaph7364m')).status).toBe(422)
	})

	test('can be looked up sixty times, and not again', async () => {
		const { ask } = await open('NEW001')
		const look = () => ask('/v1/user/nom-pan-verify?pan_no=AAAPH7364M')
		for (let time = 0; time < 60; time += 1) expect((await look()).status).toBe(200)
		expect(await readRefusal(await look())).toMatchObject({ status: 429, message: 'Too many requests. Please try again later' })
	})
})
