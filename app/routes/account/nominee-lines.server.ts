import { type Profile } from '#contract/profile'
import { type Day, formatDay } from '#contract/values/dates'
import { today } from '~/broker/clock.server'
import { maskPan } from '~/lib/masks'

export type NomineeLine = { name: string; share: string; details: string }

/** Returns the name and share of each registered nominee, and what is known of the person, with the PAN masked. */
export function listNominees(nominees: Profile['nominees']): NomineeLine[] {
	return nominees.map(({ name, relation, share, pan, dob, guardian }) => ({
		name,
		share: share === null ? '— %' : formatShare(share),
		details: [
			relation,
			dob && formatAge(dob),
			pan && `PAN\u00A0${maskPan(pan)}`,
			guardian && `Guardian ${guardian.name}${guardian.relation ? ` (${guardian.relation})` : ''}`,
		]
			.filter(Boolean)
			.join(' · '),
	}))
}

/** Returns the sum of the shares. Undefined when one is unknown. */
export function sumShares(nominees: Profile['nominees']): string | undefined {
	const hundredths = nominees.map(({ share }) => (share === null ? Number.NaN : Math.round(share * 100)))
	const total = hundredths.reduce((sum, each) => sum + each, 0) / 100
	return Number.isNaN(total) ? undefined : formatShare(total)
}

const ADULT_YEARS = 18

/** Returns the eighteenth birthday, until which a guardian acts. Eighteen years after a leap day there is none, so it is the next day. */
export const findAdultDay = (dob: Day): Day => `${Number(dob.slice(0, 4)) + ADULT_YEARS}${dob.slice(4).replace('-02-29', '-03-01')}`

function formatAge(dob: Day): string {
	const adultOn = findAdultDay(dob)
	return adultOn > today() ? `Minor until ${formatDay(adultOn)}` : `Born ${formatDay(dob)}`
}

/** `60` or `33.34`. */
export const writeShare = (share: number) => (Number.isInteger(share) ? String(share) : share.toFixed(2))

const formatShare = (share: number) => `${writeShare(share)} %`
