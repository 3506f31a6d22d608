import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { type Books } from '#sandbox/db/open'
import { latestCode, sign } from '#sandbox/testing/changes'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'
import { standInForBroker } from '#tests/support/test-wire'
import { BrokerRefusal, connectBroker } from '~/broker/client.server'
import * as ask from '~/broker/modifications.server'
import { getBankDetails, getPersonalDetails } from '~/broker/profile.server'

/* The portal's calls against the sandbox: each reads what the other writes. */

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(async () => {
	vi.unstubAllGlobals()
	await books.close()
})

async function connect(clientCode: string) {
	const sandbox = createTestSandbox(books)
	const { token } = await sandbox.signIn(clientCode)
	standInForBroker((request) => sandbox.app.fetch(request))
	const url = 'http://broker.test'
	const wire = { baseUrls: { broker: url, ekyc: 'http://ekyc.test', edis: url, ipo: url, payment: url }, timeoutMs: 0, tell: () => {} }
	const onExpired = async () => new Response(null, { status: 302 })
	const broker = connectBroker(wire, { token, clientCode, sessionId: clientCode, requestId: randomUUID(), onExpired })
	return { broker, sandbox, code: () => latestCode(sandbox, clientCode) }
}

async function* proof() {
	yield Buffer.from('%PDF-1.7\n')
	yield Buffer.from('%%EOF')
}
const file = (name = 'file') => ({ name, filename: `${name}.pdf`, type: 'application/pdf', body: proof() })
const fresh = { hardRefresh: true }

test('mobile and e-mail: the reply says where the code went, and verifying it returns an e-sign response', async () => {
	const { broker, sandbox, code } = await connect('DEMO01')
	const sent = await ask.sendProfileOtp(broker, 'mobile', '9123456780', 'send_otp')
	expect(sent).toMatchObject({ message: 'OTP sent to ******6780', expires_in: 600, resend_in: 30 })
	const early = await ask.sendProfileOtp(broker, 'mobile', '9123456780', 'resend_otp').catch((thrown: unknown) => thrown)
	expect(early).toBeInstanceOf(BrokerRefusal)
	expect(early).toMatchObject({ status: 429, envelope: { data: { retry_after: 30 } } })
	const verify = { otp: await code(), idempotencyKey: 'a-key-of-the-form-01' } as const
	const response = await ask.verifyProfileOtp(broker, 'mobile', '9123456780', verify)
	expect(await ask.verifyProfileOtp(broker, 'mobile', '9123456780', verify)).toBe(response)
	await sign(sandbox, response)
	expect((await getPersonalDetails(broker, fresh)).personal_details.mobile).toBe('9123456780')
	expect((await ask.listChangeRequests(broker))[0]).toMatchObject({ kind: 'MOBILE', status: 'DONE', becomes: '******6780' })
})

test('a bank account: the MICR refusal, the penny drop, two streamed proofs, the default', async () => {
	const { broker, sandbox, code } = await connect('CASH01')
	const bank = { acc_number: '44001234560100', ifsc_code: 'ZZZZ0MICR01', account_type: 'Savings', set_default: false } as const
	const refused = await ask.sendBankOtp(broker, bank, 'send_otp').catch((thrown: unknown) => thrown)
	expect(refused).toMatchObject({ status: 400, message: 'Invalid MICR code.' })
	const whole = { ...bank, micr_code: '400999001' }
	expect(await ask.sendBankOtp(broker, whole, 'send_otp')).toMatchObject({ is_penny: false, message: 'OTP sent to ******4321' })
	expect(await ask.getPennyDrop(broker)).toMatchObject({ match: 'NONE' })
	const files = [file(), file('file2')]
	const { esign, esign_response } = await ask.verifyBankOtp(broker, whole, { otp: await code(), files })
	expect(esign).toBe(true)
	await sign(sandbox, esign_response)
	const added = (await getBankDetails(broker)).at(-1)
	expect(added).toMatchObject({ bank_acno: bank.acc_number, micr_code: '400999001', set_default: false })
	const chosen = { acc_no: bank.acc_number, bank_name: 'SANDBOX BANK', micr_code: '400999001', ifsc_code: bank.ifsc_code }
	await ask.changeDefaultBank(broker, chosen, randomUUID())
	expect((await getBankDetails(broker)).at(-1)?.set_default).toBe(true)
})

test('income: the declaration streams, and its form can be downloaded again', async () => {
	const { broker, code } = await connect('DEBT01')
	await ask.sendIncomeOtp(broker, '1-5 Lakh', 'send_otp')
	const pdf = await ask.verifyIncomeOtp(broker, '1-5 Lakh', { otp: await code(), files: [file()] })
	expect((await new Response(pdf).text()).slice(0, 5)).toBe('%PDF-')
	const [done] = await ask.listChangeRequests(broker)
	expect(done).toMatchObject({ kind: 'INCOME', becomes: '1-5 Lakh' })
	expect((await new Response(await ask.downloadChangeForm(broker, done?.reference ?? '')).text()).slice(0, 5)).toBe('%PDF-')
})

test('a segment and nominees: proof, PAN on the e-KYC host, and a withdrawn request', async () => {
	const { broker, sandbox, code } = await connect('CLOS01')
	await ask.sendSegmentOtp(broker, 'Future & Options', 'send_otp')
	const proven = { otp: await code(), file_type: 'Form 16', files: [file()] } as const
	await sign(sandbox, await ask.verifySegmentOtp(broker, 'Future & Options', proven))
	expect((await getPersonalDetails(broker, fresh)).dp_details.activate_segment).toBe('Cash,Future & Options')

	expect(await ask.verifyNomineePan(broker, 'AAAPH7364M')).toMatchObject({ status: 'VALID' })
	expect(await ask.getModificationLimits(broker)).toEqual({ max_nominees: 3, max_banks: 5 })
	const none = { opt_out: true, nominees: [] }
	await ask.sendNomineesOtp(broker, none, 'send_otp')
	await ask.verifyNomineesOtp(broker, none, { otp: await code() })
	const [waiting] = await ask.listChangeRequests(broker)
	expect(waiting).toMatchObject({ kind: 'NOMINEE', status: 'WAITING', becomes: 'No nominee, by declaration' })
	await ask.withdrawChange(broker, waiting?.reference ?? '', randomUUID())
	expect((await ask.listChangeRequests(broker))[0]).toMatchObject({ status: 'WITHDRAWN' })
	expect((await getPersonalDetails(broker, fresh)).nominees).toHaveLength(1)
})

test('only optional parts are missing at a broker without the optional calls', async () => {
	const { broker } = await connect('NEW001')
	standInForBroker(() => Response.json({ status: 'error', message: 'No such call', data: null }, { status: 404 }))
	expect(await ask.listChangeRequests(broker)).toEqual([])
	expect(await ask.getPennyDrop(broker)).toBeUndefined()
})
