import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Books } from '#sandbox/db/open'
import { changeStored } from '#sandbox/modifications/stored'
import { createTestSandbox, openTestBooks } from '#sandbox/test-sandbox'

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())

it('says of a pay-out of the past to which account it went, whichever is the first one now', async () => {
	// Aarav Mehta was paid to ICICI (…3917) until 31-Mar-2023 and to HDFC (…4821) since; his profile keeps both. The first account of today
	// is made ICICI again, and history does not move.
	const ask = await createTestSandbox(books).signIn('DEMO01')
	const banksOf = async () => {
		const answer = await ask('/v1/account_profile/list_of_funds_payout_payin?type=payout')
		const { data: paid } = (await answer.json()) as { data: { date: string; bank_name: string; bank_acno: string }[] }
		const bank = ({ bank_name, bank_acno }: (typeof paid)[number]) => `${bank_name} ${bank_acno.slice(-4)}`
		const before = paid.filter(({ date }) => date <= '2023-03-31')
		const after = paid.filter(({ date }) => date > '2023-03-31')
		expect([before.length > 1, after.length > 5]).toEqual([true, true])
		return [new Set(before.map(bank)), new Set(after.map(bank))].map((names) => [...names])
	}
	const expected = [['ICICI BANK LTD 3917'], ['HDFC BANK LTD 4821']]
	expect(await banksOf()).toEqual(expected)
	const turn = (isIcici: boolean) =>
		changeStored(books.db, 'DEMO01', (stored) => ({
			...stored,
			banks: stored.banks.map((bank) => ({ ...bank, set_default: bank.bank_name.startsWith('ICICI') === isIcici })),
		}))
	await turn(true)
	try {
		expect(await banksOf()).toEqual(expected)
	} finally {
		await turn(false)
	}
})
