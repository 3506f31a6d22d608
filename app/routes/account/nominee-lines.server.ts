import { type Profile } from '#contract/profile'
import { maskPan } from '~/lib/masks'

/** Returns a line for each registered nominee: the name, then what is known of the person, with the PAN masked. */
export function listNominees(nominees: Profile['nominees']) {
	return nominees.map(({ name, relation, share, pan, guardian }) => ({
		label: name,
		value: [
			relation,
			share === null ? '— %' : `${share.toFixed(2)} %`,
			pan && `PAN\u00A0${maskPan(pan)}`,
			guardian && `guardian ${guardian.name}${guardian.relation ? ` (${guardian.relation})` : ''}`,
		]
			.filter(Boolean)
			.join(', '),
	}))
}
