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

/** True when the account can get money: its number has the format that a payment needs. A payout names no IFSC. */
export const canReceive = ({ bank_acno }: BankAccount) => AccountNo.safeParse(bank_acno).success

/** True when money can also be requested from the account: its IFSC has the format that a payment needs too. */
export const isPayable = (bank: BankAccount) => canReceive(bank) && Ifsc.safeParse(bank.ifsc_code_act).success

type Fitness = (bank: BankAccount) => boolean

/** The registered accounts to choose from, the default first. Leaves out accounts that are not fit for the payment. */
function listBankChoices(banks: readonly BankAccount[], isFit: Fitness) {
	return banks
		.flatMap((bank, at) => (isFit(bank) ? [{ bank, value: formatBankId(bank, at) }] : []))
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
	return isNone
		? 'No bank account of yours is registered.'
		: 'No registered bank account of yours can be used here: the broker states no complete account number and IFSC of it.'
}

/** What the field of a bank account shows, from what could be loaded. */
export function offerBanks({ data, failure }: PartialData<BankAccount[]>, isFit: Fitness = isPayable) {
	return { banks: data && listBankChoices(data, isFit), noBank: tellNoBank(data ?? []), banksFailure: failure }
}

/** The chosen account from the broker's list; undefined when it is not in the list. */
export function findChosenBank(banks: readonly BankAccount[], id: string, isFit: Fitness = isPayable): BankAccount | undefined {
	return banks.find((bank, at) => formatBankId(bank, at) === id && isFit(bank))
}
