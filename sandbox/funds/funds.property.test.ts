import * as fc from 'fast-check'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Books } from '#sandbox/db/open'
import { runs } from '#sandbox/testing/runs'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())

const BANK = { account_no: '64093177254', bank_name: 'STATE BANK OF INDIA', bank_ifsc: 'SBIN0003297' }
const PERSON = { client_name: 'A B', client_email: 'a@example.com', client_mobile_no: '9820012345', upi_id: 'ab@examplebank' }

type Step =
	| { kind: 'payin'; paise: number; outcome: string }
	/** A part of the withdrawable amount, in per cent. More than a hundred is refused. */
	| { kind: 'payout'; percent: number }
	| { kind: 'cancel' }
	| { kind: 'pass'; hours: number }

const step: fc.Arbitrary<Step> = fc.oneof(
	fc.record({
		kind: fc.constant('payin' as const),
		// So small that the limit of five lakh a day by UPI is never reached, even by the longest run of 160 steps.
		paise: fc.integer({ min: 100, max: 3_000_00 }),
		outcome: fc.constantFrom('pay', 'pay', 'wait', 'fail', 'cancel', 'other'),
	}),
	fc.record({ kind: fc.constant('payout' as const), percent: fc.integer({ min: 1, max: 130 }) }),
	fc.constant({ kind: 'cancel' as const }),
	fc.record({ kind: fc.constant('pass' as const), hours: fc.integer({ min: 1, max: 60 }) }),
)

type Data = Record<string, number> & { url_data: string; request_id: string; open: { request_id: string; amount: number }[] }
type Row = { request_id: string; status: string; amount: number }
const toWholePaise = (rupees: number | undefined) => Math.round((rupees ?? 0) * 100)

test('keeps the ledger equal to the money in less the money out, for any requests in any order', async () => {
	const { app, signIn, passTime } = createTestSandbox(books)
	let keys = 0
	let ask = await signIn('CASH01')
	const get = async (path: string) => ((await (await ask(path)).json()) as { data: unknown }).data
	const post = async (path: string, body: object) => {
		const headers = { 'idempotency-key': `property-${String((keys += 1)).padStart(12, '0')}` }
		const answer = await ask(path, { method: 'POST', body: JSON.stringify(body), headers })
		return { status: answer.status, data: ((await answer.json()) as { data: Data }).data }
	}
	const amounts = async () => (await get('/v2/fund/withdrawable-amount?company_code=NSE_CASH')) as Data
	const timetable = async () => (await get('/v1/ours/payout-timetable')) as Data
	const readRows = async (type: string) => (await get(`/v1/account_profile/list_of_funds_payout_payin?type=${type}`)) as Row[]
	const booked = (rows: Row[]) => rows.reduce((sum, { status, amount }) => sum + (status === 'SUCCESS' ? toWholePaise(amount) : 0), 0)

	async function take(each: Step) {
		const before = await amounts()
		if (each.kind === 'payin') {
			const body = { ...BANK, ...PERSON, amount: each.paise / 100, segment: 'BSE' }
			const { data } = await post('/atompay/v2/Request?payment_type=upi', body)
			const form = new URLSearchParams({ token: new URL(data.url_data).searchParams.get('token') ?? '', outcome: each.outcome })
			// The gateway reports the result twice, as real gateways do.
			for (const _ of [1, 2]) await app.request('/pay', { method: 'POST', body: form })
			expect(toWholePaise((await amounts()).ledger) - toWholePaise(before.ledger)).toBe(each.outcome === 'pay' ? each.paise : 0)
		}
		if (each.kind === 'payout') {
			const isOpen = (await timetable()).open.length > 0
			const paise = Math.max(100, Math.round((toWholePaise(before.balance) * each.percent) / 100))
			const body = { client_code: 'CASH01', checkbox_payout: ['NSE_CASH'], ledger_balance: paise / 100, bank_acno: BANK.account_no }
			const { status } = await post('/v1/account_profile/fund_payout', body)
			expect(status).toBe(isOpen ? 409 : paise > toWholePaise(before.balance) ? 422 : 200)
			const { open } = await timetable()
			// The whole amount or nothing is accepted.
			if (status === 200) expect(open.map(({ amount }) => toWholePaise(amount))).toEqual([paise])
			else expect(open.length > 0).toBe(isOpen)
		}
		if (each.kind === 'cancel') {
			const [open] = (await timetable()).open
			if (open) await post('/v1/ours/cancel-payout', { request_id: open.request_id })
		}
		if (each.kind === 'pass') {
			passTime(each.hours * 3_600_000)
			ask = await signIn('CASH01')
		}
		const { ledger = 0, unsettled = 0, margin_used = 0, payouts_under_way = 0, balance = 0 } = await amounts()
		expect(toWholePaise(balance)).toBe(
			Math.max(0, toWholePaise(ledger) - toWholePaise(unsettled) - toWholePaise(margin_used) - toWholePaise(payouts_under_way)),
		)
		// The client borrows nothing, so no interest accrues. The payouts under way are the amounts requested, limited to the money
		// there is.
		const asked = (await timetable()).open.reduce((sum, { amount }) => sum + toWholePaise(amount), 0)
		expect(toWholePaise(payouts_under_way)).toBe(
			Math.min(asked, Math.max(0, toWholePaise(ledger) - toWholePaise(unsettled) - toWholePaise(margin_used))),
		)
	}

	const sides = async () => toWholePaise((await amounts()).ledger) - booked(await readRows('payin')) + booked(await readRows('payout'))
	await fc.assert(
		fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 8 }), async (steps) => {
			const begun = await sides()
			for (const each of steps) await take(each)
			expect(await sides()).toBe(begun)
		}),
		// All runs share one book, so a failed run cannot be repeated with smaller steps.
		{ numRuns: runs(4, 20), endOnFailure: true },
	)
})
