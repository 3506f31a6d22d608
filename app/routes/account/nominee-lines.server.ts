import { type Profile } from '#contract/profile'
import { maskPan } from '~/lib/masks'

export type NomineeLine = { name: string; share: string; details: string }

/** Returns the name and share of each registered nominee, and what is known of the person, with the PAN masked. */
export function listNominees(nominees: Profile['nominees']): NomineeLine[] {
	return nominees.map(({ name, relation, share, pan, guardian }) => ({
		name,
		share: share === null ? '— %' : `${Number.isInteger(share) ? share : share.toFixed(2)} %`,
		details: [
			relation,
			pan && `PAN\u00A0${maskPan(pan)}`,
			guardian && `guardian ${guardian.name}${guardian.relation ? ` (${guardian.relation})` : ''}`,
		]
			.filter(Boolean)
			.join(' · '),
	}))
}
