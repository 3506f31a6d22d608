import { type NomineeChange, type NomineeInput } from '#contract/modifications'
import { type Day } from '#contract/values/dates'
import { Refused } from '#sandbox/api/responses'
import { findPanHolder } from './pan-register'
import { refuseField } from './steps'

const ADULT_YEARS = 18

/** True before the eighteenth birthday. A person born on 29 February is an adult from 1 March on. */
function isMinor(dob: Day, today: Day): boolean {
	return `${Number(dob.slice(0, 4)) + ADULT_YEARS}${dob.slice(4)}` > today
}

const samePerson = (a: string, b: string) =>
	a.trim().toLowerCase().replaceAll(/\s+/g, ' ') === b.trim().toLowerCase().replaceAll(/\s+/g, ' ')

type Holder = { name: string; pan: string }

function requireVerified(field: string, pan: string, holder: Holder): void {
	if (pan === holder.pan) throw refuseField(field, 'You cannot use your own PAN')
	if (findPanHolder(pan) === undefined) throw refuseField(field, 'We could not verify this PAN. Check it or use another identity number')
}

function checkOne(nominee: NomineeInput, at: number, holder: Holder, today: Day): void {
	const field = (name: string) => `nominees.${at}.${name}`
	const { name, pan, dob, guardian } = nominee
	if (samePerson(name, holder.name)) throw refuseField(field('name'), 'The nominee cannot be you')
	requireVerified(field('pan'), pan, holder)
	if (dob >= today) throw refuseField(field('dob'), 'Date of birth must be in the past')
	if (nominee.share <= 0) throw refuseField(field('share'), 'Enter the share')
	if (!isMinor(dob, today)) {
		if (guardian) throw refuseField(field('guardian'), 'Only a nominee under 18 has a guardian')
		return
	}
	if (!guardian) throw refuseField(field('guardian.name'), "Enter the guardian's name")
	if (samePerson(guardian.name, name) || guardian.pan === pan) {
		throw refuseField(field('guardian.name'), 'The guardian cannot be the nominee')
	}
	if (samePerson(guardian.name, holder.name)) throw refuseField(field('guardian.name'), 'The guardian cannot be you')
	requireVerified(field('guardian.pan'), guardian.pan, holder)
}

/**
 * Throws the broker's refusal for an invalid list of nominees (domain B-11): the persons, their number, the shares, and guardians of
 * minors.
 */
export function checkNominees({ opt_out, nominees }: NomineeChange, holder: Holder, today: Day, limit: number): void {
	if (opt_out && nominees.length > 0) throw refuseField('opt_out', 'Name nominees or opt out, not both')
	if (opt_out) return
	if (nominees.length === 0) throw refuseField('nominees', 'Add a nominee, or declare that you do not wish to nominate')
	if (nominees.length > limit) throw refuseField('nominees', `You can have up to ${limit} nominees`)
	for (const [at, nominee] of nominees.entries()) {
		checkOne(nominee, at, holder, today)
		if (nominees.slice(0, at).some(({ pan }) => pan === nominee.pan)) {
			throw refuseField(`nominees.${at}.pan`, 'You have added this person already')
		}
	}
	// Counted in hundredths, because 33.33 + 33.33 + 33.34 is exactly 100 only in whole numbers.
	const hundredths = nominees.reduce((sum, { share }) => sum + Math.round(share * 100), 0)
	if (hundredths !== 100_00) throw new Refused(422, 'Nominee shares must sum to 100')
}
