import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { envelope } from '#contract/common'
import { ChangeRequests, PennyDrop } from '#contract/modifications'
import { type BankAccount, BankAccounts } from '#contract/profile'
import { type Books } from '#sandbox/db/open'
import { type Fields, latestCode, readOutbox, PDF, PNG, postForm, postJson, readRefusal, readReply, sign } from '#sandbox/testing/changes'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

const PATH = '/v1/modifications/bank-addition?process='

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())

let accounts = 0
/** A new account number with the given ending. */
const account = (ending = '11') => `4400${String((accounts += 1)).padStart(6, '0')}${ending}`

async function open(client: string, environment: Record<string, string> = {}) {
	const sandbox = createTestSandbox(books, environment)
	const ask = await sandbox.signIn(client)
	return {
		...sandbox,
		ask,
		send: (fields: Fields) => postForm(ask, `${PATH}send_otp`, fields),
		verify: (fields: Fields) => postForm(ask, `${PATH}verify_otp`, fields),
		code: () => latestCode(sandbox, client),
		banks: async (): Promise<BankAccount[]> =>
			envelope(BankAccounts).parse(await (await ask('/v2/account-profile/bank-details')).json()).data,
		history: async () => envelope(ChangeRequests).parse(await (await ask('/v1/ours/change-requests')).json()).data,
	}
}

const details = (acc_number: string) => ({ acc_number, ifsc_code: 'HDFC0000214', account_type: 'Savings', set_default: 'false' })

describe('a new bank account', () => {
	test('is added at once when the penny drop confirms that it is the client’s', async () => {
		const { send, verify, code, banks, history, ...sandbox } = await open('CASH01')
		const fields = details(account())
		expect(await readReply(await send(fields))).toMatchObject({
			message: 'OTP sent to ******4321',
			data: { is_penny: true, expires_in: 600 },
		})
		const added = await readReply(await verify({ ...fields, otp: await code() }))
		expect(added).toEqual({
			status: 200,
			message: 'Bank added successfully',
			data: { esign: false, is_penny: true, esign_response: null },
		})
		const now = await banks()
		expect(now.at(-1)).toMatchObject({
			bank_acno: fields.acc_number,
			bank_name: 'HDFC BANK LTD',
			branch: 'BALLYGUNGE',
			micr_code: '700240007',
		})
		expect(now.filter(({ set_default }) => set_default)).toHaveLength(1)
		expect((await history())[0]).toMatchObject({ kind: 'BANK', status: 'DONE', authorised_by: 'OTP' })
		expect((await history())[0]?.becomes).toMatch(/^HDFC BANK LTD X+\d{4}, HDFC0000214$/)
		const told = (await readOutbox(sandbox, 'CASH01')).filter(({ subject }) => subject === 'Your account was changed')
		expect(told.map(({ to }) => to).toSorted()).toEqual(['9886054321', 'kavita.hegde@example.com'])
	})

	test('becomes the only default account when requested', async () => {
		const { send, verify, code, banks } = await open('CASH01')
		const fields = { ...details(account()), set_default: 'true' }
		await send(fields)
		await verify({ ...fields, otp: await code() })
		expect((await banks()).filter(({ set_default }) => set_default).map(({ bank_acno }) => bank_acno)).toEqual([fields.acc_number])
	})

	test('needs a proof and the e-sign when the penny drop fails: an account ending in 00', async () => {
		const { ask, send, verify, code, banks, history, ...sandbox } = await open('DEMO01')
		const fields = details(account('00'))
		expect(await readReply(await send(fields))).toMatchObject({ data: { is_penny: false } })
		const drop = envelope(PennyDrop).parse(await (await ask('/v1/ours/penny-drop')).json()).data
		expect(drop).toMatchObject({ match: 'NONE', name_at_bank: null, name_here: 'AARAV RAJESH MEHTA', branch: 'BALLYGUNGE' })
		const otp = await code()
		// A request that claims a successful penny drop is not believed.
		const unproven = await readRefusal(await verify({ ...fields, otp, is_penny: 'true' }))
		expect(unproven).toMatchObject({ status: 422, data: { fields: [{ name: 'file' }] } })
		const signing = await readReply(await verify({ ...fields, otp, file: PDF, file2: PNG }))
		expect(signing).toMatchObject({ message: 'Proceed to e-sign', data: { esign: true, is_penny: false } })
		expect(await banks()).toHaveLength(2)
		await sign(sandbox, (signing.data as { esign_response: string }).esign_response)
		expect((await banks()).at(-1)?.bank_acno).toBe(fields.acc_number)
		expect((await history())[0]).toMatchObject({ status: 'DONE', authorised_by: 'OTP_ESIGN' })
	})

	test('shows the name at the bank when it is close to the client’s, and is refused when it is another person’s', async () => {
		const { ask, send } = await open('DEBT01')
		expect(await readReply(await send(details(account('0097'))))).toMatchObject({ data: { is_penny: false } })
		const drop = envelope(PennyDrop).parse(await (await ask('/v1/ours/penny-drop')).json()).data
		expect(drop).toMatchObject({ match: 'PARTIAL', name_at_bank: 'I SHAIKH' })
		const refusal = { status: 422, message: 'The account must be in your own name', data: { fields: [{ name: 'acc_number' }] } }
		expect(await readRefusal(await send(details(account('0098'))))).toMatchObject(refusal)
	})

	test('is refused with Invalid MICR code. until the MICR code is sent, also together with the OTP', async () => {
		const { send, verify, code, banks } = await open('DEBT01')
		const fields = { ...details(account()), ifsc_code: 'ZZZZ0MICR01' }
		expect(await readRefusal(await send(fields))).toMatchObject({ status: 400, message: 'Invalid MICR code.' })
		expect(await readRefusal(await send({ ...fields, micr_code: '12' }))).toMatchObject({ status: 422 })
		expect((await send({ ...fields, micr_code: '400999001' })).status).toBe(200)
		const otp = await code()
		expect(await readRefusal(await verify({ ...fields, otp }))).toMatchObject({ status: 400, message: 'Invalid MICR code.' })
		expect((await verify({ ...fields, otp, micr_code: '400999001' })).status).toBe(200)
		expect((await banks()).at(-1)).toMatchObject({ ifsc_code_act: 'ZZZZ0MICR01', micr_code: '400999001' })
	})

	test('must be the account that the code was sent for', async () => {
		const { send, verify, code } = await open('CLOS01')
		const fields = details(account())
		await send(fields)
		const otp = await code()
		for (const other of [{ acc_number: account() }, { ifsc_code: 'HDFC0000060' }, { set_default: 'true' }, { account_type: 'Current' }]) {
			expect(await readRefusal(await verify({ ...fields, ...other, otp }))).toMatchObject({ status: 422, message: 'Invalid OTP' })
		}
		expect((await verify({ ...fields, otp })).status).toBe(200)
	})

	test('is refused when it is registered already, has an unknown IFSC, or exceeds the limit', async () => {
		const { send } = await open('DEMO01', { SANDBOX_MAX_BANKS: '3' })
		const registered = { ...details('50100042104821'), ifsc_code: 'HDFC0000060' }
		expect(await readRefusal(await send(registered))).toMatchObject({ status: 409, message: 'This bank account is already registered' })
		const full = 'You can have up to 3 banks. Contact support to remove one.'
		expect(await readRefusal(await send(details(account())))).toMatchObject({ status: 422, message: full })
		const { send: sendMore } = await open('NEW001')
		const nowhere = { ...details(account()), ifsc_code: 'QQQQ0000001' }
		expect(await readRefusal(await sendMore(nowhere))).toMatchObject({ status: 400, message: 'Invalid IFSC code.' })
		expect(await readRefusal(await sendMore({ ...nowhere, ifsc_code: 'HDFC1234567' }))).toMatchObject({ status: 422 })
	})

	test('is refused at the e-sign when another account has reached the limit first', async () => {
		const { length } = await (await open('CLOS01')).banks()
		const { send, verify, code, banks, history, ...sandbox } = await open('CLOS01', { SANDBOX_MAX_BANKS: String(length + 1) })
		const responses: string[] = []
		for (const ending of ['00', '00']) {
			const fields = details(account(ending))
			await send(fields)
			const { data } = await readReply(await verify({ ...fields, otp: await code(), file: PDF }))
			responses.push((data as { esign_response: string }).esign_response)
		}
		expect(await sign(sandbox, responses[0])).toContain('status=signed')
		expect(await sign(sandbox, responses[1])).toContain('status=failed')
		expect(await banks()).toHaveLength(length + 1)
		expect((await history()).map(({ kind, status }) => `${kind} ${status}`).slice(0, 2)).toEqual(['BANK WAITING', 'BANK DONE'])
	})

	test('is added once when the code is sent twenty times at once', async () => {
		const { send, verify, code, banks } = await open('NEW001')
		const fields = details(account())
		await send(fields)
		const otp = await code()
		const statuses = await Promise.all(Array.from({ length: 20 }, () => verify({ ...fields, otp }).then(({ status }) => status)))
		expect(statuses.filter((status) => status === 200)).toHaveLength(1)
		expect((await banks()).filter(({ bank_acno }) => bank_acno === fields.acc_number)).toHaveLength(1)
	})
})

describe('a proof', () => {
	test('is checked before the code: size, type and password', async () => {
		const { ask, send, verify, code } = await open('CLOS01')
		const fields = details(account('00'))
		await send(fields)
		const otp = await code()
		const filed = (content: string | Uint8Array, name = 'file.pdf') =>
			verify({ ...fields, otp, file: new File([content as BlobPart], name) })
		expect(await readRefusal(await filed('<html></html>'))).toMatchObject({
			status: 415,
			message: 'Only PDF, JPG and PNG files are allowed',
		})
		expect(await readRefusal(await filed(''))).toMatchObject({ status: 422 })
		expect(await readRefusal(await filed('%PDF-1.7 /Encrypt 5 0 R'))).toMatchObject({
			status: 422,
			message: 'The file is password protected',
		})
		const large = Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(5_242_880)])
		expect(await readRefusal(await filed(large))).toMatchObject({ status: 413, message: 'File is larger than 5 MB' })
		const huge = Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(12_000_000)])
		expect((await filed(huge)).status).toBe(413)
		const torn = { method: 'POST', body: '--x\r\n', headers: { 'content-type': 'multipart/form-data; boundary=x' } }
		expect((await ask(`${PATH}verify_otp`, torn)).status).toBe(415)
		expect((await filed('%PDF-1.7')).status).toBe(200)
	})
})

describe('the default bank account', () => {
	const choice = ({ bank_acno, bank_name, micr_code, ifsc_code_act }: BankAccount) => ({
		acc_no: bank_acno,
		bank_name,
		micr_code: micr_code ?? '',
		ifsc_code: ifsc_code_act,
	})
	const PATH = '/v1/modifications/default-bank-change'

	test('changes in one step, once, and is recorded', async () => {
		const { ask, banks, history } = await open('DEMO01')
		const countChanges = async () => (await history()).filter(({ kind }) => kind === 'DEFAULT_BANK').length
		const before = await countChanges()
		const next = (await banks()).find(({ set_default }) => !set_default)
		if (next === undefined) throw new Error('DEMO01 has but one')
		for (let time = 0; time < 2; time += 1) {
			expect(await readReply(await postJson(ask, PATH, choice(next)))).toEqual({
				status: 200,
				message: 'Default bank changed successfully',
				data: null,
			})
		}
		expect((await banks()).filter(({ set_default }) => set_default)).toEqual([{ ...next, set_default: true }])
		expect(await countChanges()).toBe(before + 1)
	})

	test('must be one of the client’s own', async () => {
		const { ask } = await open('NEW001')
		const theirs = { acc_no: '50100042104821', bank_name: 'HDFC BANK LTD', micr_code: '400240015', ifsc_code: 'HDFC0000060' }
		expect(await readRefusal(await postJson(ask, PATH, theirs))).toMatchObject({ status: 404, message: 'Bank account is not registered' })
	})
})
