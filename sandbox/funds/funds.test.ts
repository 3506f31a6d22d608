import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Books } from '#sandbox/db/open'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())

type Ask = Awaited<ReturnType<ReturnType<typeof createTestSandbox>['signIn']>>
/** All fields that the calls below read from a response; a response has some of them. */
type Data = {
	url_data: string
	request_id: string
	ledger: number
	balance: number
	unsettled: number
	open: { request_id: string; amount: number }[]
	filtered_df: { NARRATION: string; DR_AMT: number }[]
}
type Answer = { status: number; message: string; data: Data }

const HDFC = { account_no: '50100042104821', bank_name: 'HDFC BANK LTD', bank_ifsc: 'HDFC0000060' }
const PERSON = { client_name: 'AARAV MEHTA', client_email: 'aarav.mehta@example.com', client_mobile_no: '9820012345' }
const PAYIN = { ...HDFC, ...PERSON, amount: 2500.5, segment: 'BSE', upi_id: 'aarav@examplebank' }

let keys = 0
const newKey = () => `test-key-${String((keys += 1)).padStart(12, '0')}`

async function send(ask: Ask, path: string, body?: object, key?: string): Promise<Answer> {
	const headers: Record<string, string> = key ? { 'idempotency-key': key } : {}
	const answer = await ask(path, body ? { method: 'POST', body: JSON.stringify(body), headers } : {})
	const { message, data } = (await answer.json()) as Answer
	return { status: answer.status, message, data }
}

const balance = async (ask: Ask, cocd = 'NSE_CASH') => (await send(ask, `/v2/fund/withdrawable-amount?company_code=${cocd}`)).data
const movements = async (ask: Ask, type: string) =>
	(await send(ask, `/v1/account_profile/list_of_funds_payout_payin?type=${type}`)).data as unknown as Record<string, unknown>[]

function open(environment: Record<string, string> = {}) {
	const sandbox = createTestSandbox(books, environment)
	/** Ends a payment as a person would on its page. */
	async function pay(address: string, outcome = 'pay') {
		const token = new URL(address).searchParams.get('token') ?? ''
		return await sandbox.app.request('/pay', { method: 'POST', body: new URLSearchParams({ token, outcome }) })
	}
	return { ...sandbox, pay }
}

describe('pay-ins', () => {
	test('books a payment once, when the payment page confirms it, and shows it everywhere', async () => {
		const { signIn, pay, passTime } = open()
		const ask = await signIn('DEMO01')
		const before = await balance(ask)
		const { data } = await send(ask, '/atompay/v2/Request?payment_type=upi', PAYIN, newKey())
		expect(data.url_data).toMatch(/^http:\/\/localhost\/pay\?token=[\w-]{43}$/)
		expect((await balance(ask)).ledger).toBe(before.ledger)
		expect((await movements(ask, 'payin'))[0]).toMatchObject({ request_id: data.request_id, status: 'PENDING', amount: 2500.5 })
		const ends = await Promise.all(Array.from({ length: 20 }, () => pay(data.url_data)))
		expect(ends.every(({ headers }) => headers.get('location') === `http://127.0.0.1:3000/funds/return?ref=${data.request_id}`)).toBe(true)
		const after = await balance(ask)
		expect(Math.round((after.ledger - before.ledger) * 100)).toBe(250050)
		// It cannot be withdrawn today.
		expect(after.balance).toBe(before.balance)
		expect(Math.round((after.unsettled - before.unsettled) * 100)).toBe(250050)
		const [first] = await movements(ask, 'payin')
		expect(first).toMatchObject({ status: 'SUCCESS', mode: 'UPI', bank_acno: 'XXXXXXXXXX4821', utr: expect.stringMatching(/^\d{12}$/) })
		const ledger = await send(ask, '/v2/service/reports/ledger?from_date=2026-11-21&to_date=2026-11-21&source=connect')
		expect(ledger.data.filtered_df.filter((row) => row.NARRATION === `PAY-IN UPI UTR ${String(first?.utr)}`)).toHaveLength(1)
		passTime(3 * 86_400_000)
		expect((await balance(await signIn('DEMO01'))).balance).toBeGreaterThanOrEqual(before.balance + 2500)
	})

	test('pays a debt at once, even with money of the same day', async () => {
		const { signIn, pay } = open()
		const ask = await signIn('DEBT01')
		const { ledger } = await balance(ask)
		expect(ledger).toBeLessThan(0)
		const bank = { account_no: '917020045518823', bank_name: 'AXIS BANK LTD', bank_ifsc: 'UTIB0000642' }
		const amount = Math.ceil(-ledger) + 100
		const { data } = await send(ask, '/atompay/v2/Request?payment_type=netbanking', { ...PAYIN, ...bank, amount, upi_id: '' }, newKey())
		await pay(data.url_data)
		const after = await balance(ask)
		expect(after.balance).toBe(0)
		expect(Math.round((after.ledger - after.unsettled) * 100)).toBe(0)
		const deducted = (await send(ask, '/v2/dashboard/deducted-ledger?source=connect')).data
		expect(deducted).toContainEqual({ COCD: 'NSE_CASH', DUE_AMT: 0 })
	})

	test.each([
		['fail', 'FAILED', 'Declined by the bank'],
		['cancel', 'CANCELLED', 'Cancelled on the payment page'],
		['other', 'FAILED', 'Paid from an account that is not registered'],
	])('moves nothing when it ends by %s', async (outcome, status, remarks) => {
		const { signIn, pay } = open()
		const ask = await signIn('CASH01')
		const before = await balance(ask)
		const bank = { account_no: '64093177254', bank_name: 'STATE BANK OF INDIA', bank_ifsc: 'SBIN0003297' }
		const { data } = await send(ask, '/atompay/v2/Request?payment_type=upi', { ...PAYIN, ...bank }, newKey())
		await pay(data.url_data, outcome)
		await pay(data.url_data, 'pay')
		expect(await balance(ask)).toEqual(before)
		const found = (await movements(ask, 'payin')).find(({ request_id }) => request_id === data.request_id)
		expect(found).toMatchObject({ status, remarks, utr: null })
		const refused = (await send(ask, '/v2/fund/unauthorized-payments')).data
		expect(refused).toHaveLength(outcome === 'other' ? 1 : 0)
	})

	test('gets the result of a slow bank half an hour later, and closes a payment page that is not used', async () => {
		const { signIn, pay, passTime } = open()
		const ask = await signIn('DEMO01')
		const before = await balance(ask, 'MCX')
		const asked = { ...PAYIN, segment: 'MCX', amount: 700 }
		const waits = (await send(ask, '/atompay/v2/Request?payment_type=upi', asked, newKey())).data
		const idle = (await send(ask, '/atompay/v2/Request?payment_type=upi', asked, newKey())).data
		await pay(waits.url_data, 'wait')
		await pay(waits.url_data, 'cancel')
		passTime(29 * 60_000)
		const readStatus = async (id: string) => (await movements(ask, 'payin')).find(({ request_id }) => request_id === id)?.status
		expect([await readStatus(waits.request_id), await readStatus(idle.request_id)]).toEqual(['PENDING', 'PENDING'])
		passTime(2 * 60_000)
		expect([await readStatus(waits.request_id), await readStatus(idle.request_id)]).toEqual(['SUCCESS', 'FAILED'])
		await pay(idle.url_data)
		expect(Math.round(((await balance(ask, 'MCX')).ledger - before.ledger) * 100)).toBe(70000)
	})

	test('refuses amounts outside the limits, to the paisa, and other invalid requests', async () => {
		const { signIn } = open()
		const ask = await signIn('DEMO01')
		const upi = '/atompay/v2/Request?payment_type=upi'
		const nb = '/atompay/v2/Request?payment_type=netbanking'
		const readStatus = async (path: string, body: object) => (await send(ask, path, body, newKey())).status
		expect(await readStatus(upi, { ...PAYIN, amount: 500_000 })).toBe(200)
		expect(await send(ask, upi, { ...PAYIN, amount: 500_000.01 }, newKey())).toMatchObject({
			status: 422,
			message: 'Amount is above the UPI limit of Rs 500000',
		})
		expect(await readStatus(nb, { ...PAYIN, amount: 1_000_000 })).toBe(200)
		expect(await readStatus(nb, { ...PAYIN, amount: 1_000_000.01 })).toBe(422)
		for (const amount of [0, -1, 0.99, 1.005, '100', Number.NaN, 1e9])
			expect([amount, await readStatus(nb, { ...PAYIN, amount })]).toEqual([amount, 422])
		expect(await readStatus(upi, { ...PAYIN, upi_id: '' })).toBe(422)
		expect(await readStatus(upi, { ...PAYIN, account_no: '917020045518823' })).toBe(422)
		const cash = await signIn('CASH01')
		expect((await send(cash, nb, { ...PAYIN, segment: 'MCX' }, newKey())).status).toBe(422)
	})
})

describe('pay-outs', () => {
	const BANK = '002401533917'
	const ask4 = (ledger_balance: number, checkbox_payout = ['NSE_CASH']) => ({
		client_code: 'DEMO01',
		checkbox_payout,
		ledger_balance,
		bank_acno: BANK,
	})
	const path = '/v1/account_profile/fund_payout'

	test('are refused one paisa above the balance, join a batch, can be cancelled, and are paid with a UTR', async () => {
		const { signIn, passTime } = open()
		const ask = await signIn('DEMO01')
		const before = await balance(ask)
		expect(before.balance).toBeGreaterThan(1000)
		const over = Math.round(before.balance * 100 + 1) / 100
		expect((await send(ask, path, ask4(over), newKey())).message).toBe(
			`Amount is above the withdrawable balance of Rs ${before.balance.toFixed(2)}`,
		)
		const first = await send(ask, path, ask4(1000), newKey())
		expect(first).toMatchObject({ status: 200, data: { status: 'PENDING', amount: 1000 } })
		expect(await send(ask, path, ask4(1), newKey())).toMatchObject({ status: 409, message: 'A payout request is already pending' })
		const { open: under } = (await send(ask, '/v1/ours/payout-timetable')).data
		// TEST_DAY is a Saturday: the banks open on Monday.
		expect(under).toMatchObject([
			{ request_id: first.data.request_id, COCD: 'NSE_CASH', can_cancel: true, cut_off: '2026-11-23T02:00:00.000Z' },
		])
		const cancel = { request_id: first.data.request_id }
		expect((await send(await signIn('CASH01'), '/v1/ours/cancel-payout', cancel, newKey())).status).toBe(404)
		expect((await send(ask, '/v1/ours/cancel-payout', cancel, newKey())).status).toBe(200)
		const whole = await send(ask, path, ask4(before.balance), newKey())
		expect(whole.status).toBe(200)
		passTime(3 * 86_400_000)
		// A session ends before three days, so the client signs in again.
		const later = await signIn('DEMO01')
		expect((await send(later, '/v1/ours/cancel-payout', { request_id: whole.data.request_id }, newKey())).status).toBe(409)
		const rows = (await movements(later, 'payout')).filter(({ request_id }) =>
			[first, whole].some(({ data }) => data.request_id === request_id),
		)
		expect(rows.map(({ status, amount }) => [status, amount])).toEqual([
			['SUCCESS', before.balance],
			['CANCELLED', 1000],
		])
		expect(rows[0]?.utr).toMatch(/^HDFCN\d{11}$/)
		// A sale of the seed has settled in the meantime.
		const { data } = await send(later, '/v2/service/reports/ledger?from_date=2026-11-22&to_date=2026-11-24&source=connect')
		const charges = data.filtered_df.reduce((sum, { NARRATION, DR_AMT }) => sum + (NARRATION.startsWith('DP CHARGES') ? DR_AMT : 0), 0)
		expect((await balance(later)).ledger).toBeCloseTo(before.ledger - before.balance - charges, 2)
	})

	test('take money from both ledgers, from the first one first', async () => {
		const { signIn } = open()
		const ask = await signIn('DEMO01')
		const [cash, mcx] = [await balance(ask), await balance(ask, 'MCX')]
		const amount = Math.round((mcx.balance + Math.min(5, cash.balance)) * 100) / 100
		const asked = await send(ask, path, ask4(amount, ['MCX', 'NSE_CASH']), newKey())
		expect(asked.status).toBe(200)
		const { open: under } = (await send(ask, '/v1/ours/payout-timetable')).data
		expect(under.reduce((sum, { amount }) => sum + Math.round(amount * 100), 0)).toBe(Math.round(amount * 100))
		await send(ask, '/v1/ours/cancel-payout', { request_id: asked.data.request_id }, newKey())
	})

	test('are made once for 20 posts with one key, and never for another client’s code', async () => {
		const { signIn } = open()
		const ask = await signIn('DEMO01')
		const key = newKey()
		const answers = await Promise.all(Array.from({ length: 20 }, () => send(ask, path, ask4(5), key)))
		expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1)
		expect(answers[0]?.status).toBe(200)
		const { open: under } = (await send(ask, '/v1/ours/payout-timetable')).data
		expect(under).toHaveLength(1)
		expect((await send(await signIn('CASH01'), path, ask4(5), newKey())).status).toBe(403)
		await send(ask, '/v1/ours/cancel-payout', { request_id: under[0]?.request_id }, newKey())
	})

	test('are accepted one at a time when different requests arrive together', async () => {
		const { signIn } = open()
		const ask = await signIn('DEMO01')
		const answers = await Promise.all(Array.from({ length: 8 }, (_, at) => send(ask, path, ask4(at + 1), newKey())))
		expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409, 409, 409, 409, 409])
		const [made] = answers.filter(({ status }) => status === 200)
		await send(ask, '/v1/ours/cancel-payout', { request_id: made?.data.request_id }, newKey())
	})

	test('are refused for a client in debit', async () => {
		const { signIn } = open()
		const ask = await signIn('NEW001')
		const body = { client_code: 'NEW001', checkbox_payout: ['NSE_CASH'], ledger_balance: 1, bank_acno: '50100611908237' }
		expect((await send(ask, path, body, newKey())).message).toBe('Amount is above the withdrawable balance of Rs 0.00')
	})
})

describe('mandates', () => {
	const details = { bank_acno: '50100042104821', ifsc_code: 'HDFC0000060', bank_name: 'HDFC BANK LTD', account_type: 'Savings' }
	const asked = { amount: '5000.00', bank_details: details, channel: 'netbanking' }
	const online = '/v1/account_profile/e_mandate/online'

	test('are confirmed at the bank, get a number by the next working day, and can be cancelled', async () => {
		const { app, signIn, passTime } = open()
		let ask = await signIn('DEMO01')
		const key = newKey()
		const [first, again] = await Promise.all([send(ask, online, asked, key), send(ask, online, asked, key)])
		expect(again).toEqual(first)
		const token = new URL(first.data.url_data).searchParams.get('token') ?? ''
		const list = async () => (await send(ask, '/v1/ours/mandates')).data as unknown as Record<string, unknown>[]
		expect(await list()).toMatchObject([{ status: 'STARTED', amount: 5000 }, { status: 'ACTIVE' }])
		await app.request('/mandate', { method: 'POST', body: new URLSearchParams({ token, outcome: 'confirm' }) })
		expect((await list())[0]).toMatchObject({ status: 'AT_BANK', umrn: null })
		passTime(3 * 86_400_000)
		ask = await signIn('DEMO01')
		const [mandate] = await list()
		expect(mandate).toMatchObject({ status: 'ACTIVE', umrn: expect.stringMatching(/^HDFC7\d{15}$/) })
		const cancel = { reference: mandate?.reference }
		expect((await send(await signIn('CASH01'), '/v1/ours/cancel-mandate', cancel, newKey())).status).toBe(404)
		expect((await send(ask, '/v1/ours/cancel-mandate', cancel, newKey())).status).toBe(200)
		expect((await list())[0]).toMatchObject({ status: 'CANCELLED' })
	})

	test('accept amounts as text with two decimals, within the limits', async () => {
		const { signIn } = open()
		const ask = await signIn('DEMO01')
		const readStatus = async (changes: object) => (await send(ask, online, { ...asked, ...changes }, newKey())).status
		for (const amount of ['5000', '5000.0', '05000.00', '99.99', '1000000.01', 5000, '-1.00', '1e5', '１００.00'])
			expect([amount, await readStatus({ amount })]).toEqual([amount, 422])
		expect(await readStatus({ amount: '100.00' })).toBe(200)
		expect(await readStatus({ amount: '100000.01', channel: 'aadhaar' })).toBe(422)
		expect(await readStatus({ bank_details: { ...details, bank_acno: '64093177254' } })).toBe(422)
		const physical = await ask('/v1/account_profile/e_mandate/physical', { method: 'POST', body: JSON.stringify(asked) })
		expect([physical.status, physical.headers.get('content-type')]).toEqual([200, 'application/pdf'])
		expect(Buffer.from(await physical.arrayBuffer()).toString('latin1', 0, 5)).toBe('%PDF-')
	})
})

test('lists money received and paid, newest first, and payments from strangers', async () => {
	const { signIn } = open()
	const ask = await signIn('CASH01')
	const paidIn = await movements(ask, 'payin')
	expect(paidIn.length).toBeGreaterThan(3)
	const dates = paidIn.map(({ date }) => String(date))
	expect(dates).toEqual([...dates].sort().reverse())
	expect(paidIn.at(-1)).toMatchObject({ status: 'SUCCESS', segment: 'BSE', utr: expect.stringMatching(/^[A-Z0-9]{10,22}$/) })
	expect((await send(await signIn('DEMO01'), '/v2/fund/unauthorized-payments')).data).toMatchObject([
		{ status: 'ON_HOLD', amount: 2500 },
		{ status: 'REFUNDED', amount: 10000 },
	])
	expect((await send(await signIn('NEW001'), '/v2/fund/unauthorized-payments')).data).toEqual([])
})
