import { type EmandateRequest, type MandateChannel } from '#contract/funds'
import { BankAccountType } from '#contract/modifications'
import { type BankAccount } from '#contract/profile'
import { type Paise } from '#contract/values/money'
import { today } from '~/broker/clock.server'
import { writeBankName } from '~/forms/bank-options.server'

/**
 * Returns a mandate on a registered account as the broker expects it: debited as and when presented, from today. The amount is in paise.
 */
export function mandateDetails(bank: BankAccount, amount: Paise, channel: MandateChannel) {
	return {
		amount,
		bank_details: {
			bank_acno: bank.bank_acno,
			ifsc_code: bank.ifsc_code_act,
			bank_name: writeBankName(bank),
			account_type: BankAccountType.catch('Savings').parse(bank.account_type),
		},
		channel,
		frequency: 'As presented',
		start_date: today(),
	} satisfies Omit<EmandateRequest, 'amount'> & { amount: Paise }
}
