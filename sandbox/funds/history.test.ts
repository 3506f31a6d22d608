import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Books } from '#sandbox/db/open'
import { changeStored } from '#sandbox/modifications/stored'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())

test('shows the account that a past pay-out went to, even when another account is the first now', async () => {
	// Aarav Mehta was paid to ICICI (…3917) until 31-Mar-2023 and to HDFC (…4821) since then; his profile keeps both. The test makes
	// ICICI the default again, and the history does not change.
	const ask = await createTestSandbox(books).signIn('DEMO01')
	const listBanks = async () => {
		const answer = await ask('/v1/account_profile/list_of_funds_payout_payin?type=payout')
		const { data: paid } = (await answer.json()) as { data: { date: string; bank_name: string; bank_acno: string }[] }
		const bank = ({ bank_name, bank_acno }: (typeof paid)[number]) => `${bank_name} ${bank_acno.slice(-4)}`
		const before = paid.filter(({ date }) => date <= '2023-03-31')
		const after = paid.filter(({ date }) => date > '2023-03-31')
		expect([before.length > 1, after.length > 5]).toEqual([true, true])
		return [new Set(before.map(bank)), new Set(after.map(bank))].map((names) => [...names])
	}
	const expected = [['ICICI BANK LTD 3917'], ['HDFC BANK LTD 4821']]
	expect(await listBanks()).toEqual(expected)
	const turn = (isIcici: boolean) =>
		changeStored(books.db, 'DEMO01', (stored) => ({
			...stored,
			banks: stored.banks.map((bank) => ({ ...bank, set_default: bank.bank_name.startsWith('ICICI') === isIcici })),
		}))
	await turn(true)
	try {
		expect(await listBanks()).toEqual(expected)
	} finally {
		await turn(false)
	}
})

test('declines UPI payments above five lakh in one day, and accepts payments of the next day', async () => {
	const sandbox = createTestSandbox(books)
	const bank = { account_no: '64093177254', bank_name: 'STATE BANK OF INDIA', bank_ifsc: 'SBIN0003297' }
	const person = { client_name: 'KAVITA HEGDE', client_email: 'kavita.hegde@example.com', client_mobile_no: '9886054321' }
	let keys = 0
	const pay = async (amount: number, mode: 'upi' | 'netbanking' = 'upi') => {
		const ask = await sandbox.signIn('CASH01')
		const body = JSON.stringify({ ...bank, ...person, amount, segment: 'BSE', upi_id: 'kavita@examplebank' })
		const headers = { 'idempotency-key': `upi-limit-${String((keys += 1)).padStart(12, '0')}` }
		const answer = await ask(`/atompay/v2/Request?payment_type=${mode}`, { method: 'POST', body, headers })
		const { data } = (await answer.json()) as { data: { url_data: string; request_id: string } }
		const token = new URL(data.url_data).searchParams.get('token') ?? ''
		await sandbox.app.request('/pay', { method: 'POST', body: new URLSearchParams({ token, outcome: 'pay' }) })
		const listed = (await (await ask('/v1/account_profile/list_of_funds_payout_payin?type=payin')).json()) as {
			data: { request_id: string; status: string; remarks: string }[]
		}
		const row = listed.data.find(({ request_id }) => request_id === data.request_id)
		return [row?.status, row?.remarks]
	}
	// 3,00,000.00 and 2,00,000.00 reach the limit of five lakh. One more rupee is refused by UPI, but not by net banking, and not a day
	// later.
	const paid = ['SUCCESS', '']
	expect([await pay(3_00_000), await pay(2_00_000)]).toEqual([paid, paid])
	expect(await pay(1)).toEqual(['FAILED', 'Above what UPI carries in a day'])
	expect(await pay(1, 'netbanking')).toEqual(paid)
	sandbox.passTime(24 * 3_600_000)
	expect(await pay(5_00_000)).toEqual(paid)
})
