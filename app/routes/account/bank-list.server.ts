import { type BankAccount } from '#contract/profile'
import { formatBankId, isPayable } from '~/forms/bank-options.server'
import { maskAccount } from '~/lib/masks'
import { DASH } from '~/lib/unknown'
import { text } from '~/reports/columns.server'
import { orderSmallTable } from '~/reports/report.server'
import { type Bank } from './bank-table'

const from = 'tablet' as const

/** In the order of the cells of BankTable. */
const columns = [
	text<Bank>('account', 'Account', ({ account }) => account),
	text<Bank>('bank', 'Bank', ({ bank }) => bank),
	{ ...text<Bank>('branch', 'Branch', ({ branch }) => (branch === DASH ? '' : branch)), from },
	{ ...text<Bank>('ifsc', 'IFSC', ({ ifsc }) => ifsc), from },
	{ ...text<Bank>('micr', 'MICR', ({ micr }) => (micr === DASH ? '' : micr)), from },
	{ ...text<Bank>('type', 'Type', ({ type }) => type), from },
	text<Bank>('default', 'Default', ({ isDefault }) => (isDefault ? 'Default' : 'Other')),
]

/** Returns the client's bank accounts in the order that the address asks for, and the columns of their table. */
export function listBanks(accounts: readonly BankAccount[], url: URL) {
	const banks = accounts.map((account, at) => ({
		id: formatBankId(account, at),
		account: maskAccount(account.bank_acno),
		bank: account.bank_name,
		branch: account.branch ?? DASH,
		ifsc: account.ifsc_code_act,
		micr: account.micr_code ?? DASH,
		type: account.account_type,
		isDefault: account.set_default,
		canBeDefault: Boolean(account.micr_code) && isPayable(account),
	}))
	const { rows, link } = orderSmallTable(columns, banks, { url, name: 'banks' })
	return {
		banks: rows,
		columns: columns.map((column) => ({ label: column.label, from: 'from' in column ? column.from : undefined, ...link(column) })),
	}
}
