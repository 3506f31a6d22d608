import { type Stored } from './stored'

/** The result of paying a rupee to a bank account: the name on the account, or nothing. */
export type Drop = { name_at_bank: string | null; match: 'FULL' | 'PARTIAL' | 'NONE' }

/** The account holder's name in capitals, as banks write it. */
export function formatHolderName({ personal_details: own }: Pick<Stored, 'personal_details'>): string {
	return [own.first_name, own.middle_name, own.last_name].filter(Boolean).join(' ').toUpperCase()
}

/** Another person's name, for tests of somebody else's account. */
const STRANGER = 'SOMEBODY ELSE'

/**
 * Simulates paying one rupee to an account. Accounts that end in 00 cannot be paid. Those ending in 0097 return initials, which match
 * only partly. Those ending in 0098 belong to somebody else. All others belong to the client.
 */
export function dropPenny(account: string, holder: Pick<Stored, 'personal_details'>): Drop {
	if (account.endsWith('0098')) return { name_at_bank: STRANGER, match: 'NONE' }
	if (account.endsWith('0097')) {
		const { first_name, last_name } = holder.personal_details
		return { name_at_bank: `${first_name.slice(0, 1)} ${last_name}`.toUpperCase(), match: 'PARTIAL' }
	}
	if (account.endsWith('00')) return { name_at_bank: null, match: 'NONE' }
	return { name_at_bank: formatHolderName(holder), match: 'FULL' }
}
