import { AccountNo, Ifsc } from '#contract/modifications'
import { type BankAccount } from '#contract/profile'
import { unreadIn } from '#contract/tolerant'
import { maskAccount } from '~/lib/masks'

/** An account by what of it may stand in a page; which one it is, is looked up in the broker's own list. */
export function bankId({ ifsc_code_act, bank_acno }: BankAccount, at: number): string {
	return `${at}-${ifsc_code_act}-${bank_acno.slice(-4)}`
}

/** True for an account that money can be sent to or asked from: its number and IFSC are as a payment needs them. */
const isPayable = ({ bank_acno, ifsc_code_act }: BankAccount) =>
	AccountNo.safeParse(bank_acno).success && Ifsc.safeParse(ifsc_code_act).success

/** Registered accounts to choose from, the default first. One that is written in a way that no payment takes is not offered. */
export function bankChoices(banks: readonly BankAccount[]) {
	return banks
		.flatMap((bank, at) => (isPayable(bank) ? [{ bank, value: bankId(bank, at) }] : []))
		.map(({ bank, value }) => ({
			value,
			label: `${bank.bank_name} ${maskAccount(bank.bank_acno)}`,
			isDefault: bank.set_default,
		}))
		.sort((a, b) => Number(b.isDefault) - Number(a.isDefault))
		.map(({ value, label }) => ({ value, label }))
}

/** What a form says that has no account to choose: none is registered, or none of those is one that a payment takes. */
export function tellNoBank(banks: readonly BankAccount[]): string {
	const isNone = banks.length === 0 && !unreadIn(banks)
	return isNone ? 'No bank account of yours is registered.' : 'No registered bank account of yours can be used here.'
}

/** The account of the broker's list that was chosen; undefined for any other. */
export function chosenBank(banks: readonly BankAccount[], id: string): BankAccount | undefined {
	return banks.find((bank, at) => bankId(bank, at) === id && isPayable(bank))
}
