import { type Stored } from './stored'

/** The result of paying a rupee to a bank account: the name on the account, or nothing. */
export type Drop = { name_at_bank: string | null; match: 'FULL' | 'PARTIAL' | 'NONE' }

/** The holder as banks write names. */
export function formatHolderName({ personal_details: own }: Pick<Stored, 'personal_details'>): string {
	return [own.first_name, own.middle_name, own.last_name].filter(Boolean).join(' ').toUpperCase()
}

/** A stranger's name, to test somebody else's account. */
const STRANGER = 'SOMEBODY ELSE'

/**
 * Pays a rupee to an account. Accounts ending in 00 cannot be paid; those ending in 0097 return initials, which is not quite the client's
 * name; those ending in 0098 are somebody else's; all others are the client's own.
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
