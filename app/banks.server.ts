import { type BankAccount } from '~/broker/contract/profile'
import { maskAccount } from '~/lib/masks'

/** An account by what of it may stand in a page; which one it is, is looked up in the broker's own list. */
export function bankId({ ifsc_code_act, bank_acno }: BankAccount, at: number): string {
	return `${at}-${ifsc_code_act}-${bank_acno.slice(-4)}`
}

/** Registered accounts to choose from, the default first. */
export function bankChoices(banks: readonly BankAccount[]) {
	return banks
		.map((bank, at) => ({
			value: bankId(bank, at),
			label: `${bank.bank_name} ${maskAccount(bank.bank_acno)}`,
			isDefault: bank.set_default,
		}))
		.sort((a, b) => Number(b.isDefault) - Number(a.isDefault))
		.map(({ value, label }) => ({ value, label }))
}

/** The account of the broker's list that was chosen; undefined for any other. */
export function chosenBank(banks: readonly BankAccount[], id: string): BankAccount | undefined {
	return banks.find((bank, at) => bankId(bank, at) === id)
}
