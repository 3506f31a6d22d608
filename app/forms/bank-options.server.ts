import { AccountNo, Ifsc } from '#contract/modifications'
import { type BankAccount } from '#contract/profile'
import { unreadIn } from '#contract/tolerant'
import { type PartialData } from '~/http/partial-data.server'
import { maskAccount } from '~/lib/masks'
import { DASH } from '~/lib/unknown'

/** An account id that may be shown in a page; the account itself is looked up in the broker's list. */
export function formatBankId({ ifsc_code_act, bank_acno }: BankAccount, at: number): string {
	return `${at}-${ifsc_code_act}-${bank_acno.slice(-4)}`
}

/** The bank and the end of the account's number; a dash when the broker gives no name of the bank. */
export function formatBank({ bank_name, bank_acno }: Pick<BankAccount, 'bank_name' | 'bank_acno'>): string {
	return `${bank_name || DASH} ${maskAccount(bank_acno)}`
}

/** The name of the bank for a payment, which needs one of 1 to 80 characters. The IFSC begins with the bank's own letters. */
export const writeBankName = ({ bank_name, ifsc_code_act }: Pick<BankAccount, 'bank_name' | 'ifsc_code_act'>) =>
	bank_name?.slice(0, 80) || ifsc_code_act.slice(0, 4)

/** True when money can be sent to or requested from the account: its number and IFSC have the format that a payment needs. */
export const isPayable = ({ bank_acno, ifsc_code_act }: BankAccount) =>
	AccountNo.safeParse(bank_acno).success && Ifsc.safeParse(ifsc_code_act).success

/** The registered accounts to choose from, the default first. Leaves out accounts whose number or IFSC no payment accepts. */
function listBankChoices(banks: readonly BankAccount[]) {
	return banks
		.flatMap((bank, at) => (isPayable(bank) ? [{ bank, value: formatBankId(bank, at) }] : []))
		.map(({ bank, value }) => ({
			value,
			label: formatBank(bank),
			isDefault: bank.set_default === true,
		}))
		.sort((a, b) => Number(b.isDefault) - Number(a.isDefault))
		.map(({ value, label }) => ({ value, label }))
}

/** The message when there is no account to choose: no account is registered, or no payment accepts the registered ones. */
function tellNoBank(banks: readonly BankAccount[]): string {
	const isNone = banks.length === 0 && !unreadIn(banks)
	return isNone ? 'No bank account of yours is registered.' : 'No registered bank account of yours can be used here.'
}

/** What the field of a bank account shows, from what could be loaded. */
export function offerBanks({ data, failure }: PartialData<BankAccount[]>) {
	return { banks: data && listBankChoices(data), noBank: tellNoBank(data ?? []), banksFailure: failure }
}

/** The chosen account from the broker's list; undefined when it is not in the list. */
export function findChosenBank(banks: readonly BankAccount[], id: string): BankAccount | undefined {
	return banks.find((bank, at) => formatBankId(bank, at) === id && isPayable(bank))
}
