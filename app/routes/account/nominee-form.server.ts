import { parseWithZod } from '@conform-to/zod/v4'
import { LRUCache } from 'lru-cache'
import { z } from 'zod/v4'
import { type NomineeInput, Relation } from '#contract/modifications'
import { type Profile } from '#contract/profile'
import { unreadIn } from '#contract/tolerant'
import { type Day } from '#contract/values/dates'
import { parseDay } from '#contract/values/typed-day'
import { type Broker, BrokerRefusal } from '~/broker/client.server'
import { today } from '~/broker/clock.server'
import { verifyNomineePan } from '~/broker/modifications.server'
import { joinGroups } from '~/lib/typed-code'
import { createCodeSchema } from '~/forms/typed-fields.server'
import { mayAskAboutPan } from '~/session/rate-limits.server'
import { findAdultDay, writeShare } from './nominee-lines.server'

/* Checks nominees as typed (domain B-11): the person, the share, and a guardian for a minor. The broker checks everything else. */

/** The fourth letter of a person's PAN is P. */
const PERSON_PAN = /^[A-Z]{3}P[A-Z][0-9]{4}[A-Z]$/

/** True before the eighteenth birthday. */
export function isMinor(dob: Day): boolean {
	return findAdultDay(dob) > today()
}

const NameTyped = (missing: string) =>
	z
		.string(missing)
		.trim()
		.max(80, 'Use 80 characters or fewer')
		.regex(/^[\p{L}\p{M} .'’-]{2,}$/u, 'Use letters, spaces, full stops, apostrophes and hyphens')

const PanTyped = createCodeSchema('Enter the PAN')
	.transform((typed) => typed.toUpperCase())
	.pipe(z.string('Enter the PAN').regex(PERSON_PAN, 'Enter a PAN in the correct format, like ABCPS1234K'))

const RelationTyped = z.enum(Relation.options, 'Select the relation')

const DayTyped = z.string('Enter the date of birth').transform((typed, { addIssue }) => {
	const day = parseDay(typed)
	if (!day) addIssue('Date of birth must be a real date, like 31/03/1988')
	else if (day >= today()) addIssue('Date of birth must be in the past')
	else if (day < '1900-01-01') addIssue('Date of birth must be after 1900')
	return day ?? z.NEVER
})

/** In hundredths of a per cent: only in whole numbers is 33.33 + 33.33 + 33.34 exactly 100. */
const ShareTyped = z
	.string('Enter the share')
	.transform((typed) => typed.replace(/[%\s]/g, ''))
	.pipe(
		z.string('Enter the share').regex(/^\d{1,3}(\.\d{1,2})?$/, {
			error: 'Enter the share as a number with at most two decimals, like 33.34',
			abort: true,
		}),
	)
	.transform((text) => Math.round(Number(text) * 100))
	.pipe(z.number().min(1, 'Enter the share').max(100_00, 'A share is at most 100'))

const Guardian = z.object({ name: NameTyped('Enter the guardian’s name'), relation: RelationTyped, pan: PanTyped })

const NomineeTyped = z
	.object({
		name: NameTyped('Enter the nominee’s full name'),
		relation: RelationTyped,
		pan: PanTyped,
		dob: DayTyped,
		share: ShareTyped,
		guardian: z.object({ name: z.string().optional(), relation: z.string().optional(), pan: z.string().optional() }).optional(),
	})
	.transform(({ guardian, share, ...nominee }, { issues }): NomineeInput => {
		const whole = { ...nominee, share: share / 100 }
		if (!isMinor(nominee.dob)) return whole
		const given = Guardian.safeParse(guardian ?? {})
		const wrong = (path: string, message: string) => issues.push({ code: 'custom', input: undefined, path: ['guardian', path], message })
		for (const { path, message } of given.error?.issues ?? []) wrong(String(path[0]), message)
		if (!given.success) return whole
		if (given.data.pan === nominee.pan || given.data.name.toLowerCase() === nominee.name.toLowerCase())
			wrong('name', 'The guardian cannot be the nominee')
		return { ...whole, guardian: given.data }
	})

/**
 * Returns the schema of the form: a list whose shares sum to 100 %, or the declaration that there are no nominees, which overrides the
 * list.
 */
export function readTypedNominees(form: FormData, limit: number) {
	if (form.get('opt_out') === 'on') return z.object({}).transform(() => ({ opt_out: true, nominees: [] as NomineeInput[] }))
	return z
		.object({ nominees: z.array(NomineeTyped).max(limit, `You can have up to ${limit} nominees`).default([]) })
		.transform(({ nominees }, { issues }) => {
			const wrong = (path: (string | number)[], message: string) => issues.push({ code: 'custom', input: undefined, path, message })
			if (nominees.length === 0) wrong([], 'Add a nominee, or declare that you do not wish to nominate')
			nominees.forEach(({ pan }, at) => {
				if (nominees.slice(0, at).some((other) => other.pan === pan)) wrong(['nominees', at, 'pan'], 'You have added this person already')
			})
			const hundredths = nominees.reduce((sum, { share }) => sum + Math.round(share * 100), 0)
			if (nominees.length > 0 && hundredths !== 100_00)
				wrong(['nominees', 0, 'share'], `Shares must add up to 100%. They add up to ${(hundredths / 100).toFixed(2)}%.`)
			return { opt_out: false, nominees }
		})
}

export const NOT_VERIFIED = 'We could not verify this PAN. Check it, or name somebody else'

/** Recent PAN results per client, kept for 15 minutes. Every added or removed row shows all of them again. */
const toldLately = new LRUCache<string, string>({ max: 5000, ttl: 900_000 })

/**
 * Returns the registered names of these PANs; '' for one that is not registered. `unchecked` are PANs that could not be looked up, or
 * that are beyond the limit of a client, because the register is not a directory. The broker checks every PAN again when the change is
 * requested.
 */
export async function listPanNames(broker: Broker, pans: readonly string[]) {
	const asked = [...new Set(pans)].filter((pan) => PERSON_PAN.test(pan))
	const found = await Promise.all(asked.map(async (pan) => [pan, await findPanName(broker, pan)] as const))
	const registered = Object.fromEntries(found.filter((each): each is [string, string] => each[1] !== undefined))
	return { registered, unchecked: asked.filter((pan) => registered[pan] === undefined) }
}

async function findPanName(broker: Broker, pan: string): Promise<string | undefined> {
	const place = `${broker.clientCode} ${pan}`
	const told = toldLately.get(place)
	if (told !== undefined) return told
	if (!(await mayAskAboutPan(broker.clientCode))) return undefined
	try {
		const { name, status } = await verifyNomineePan(broker, pan)
		const registered = status === 'VALID' ? name : ''
		toldLately.set(place, registered)
		return registered
	} catch (error) {
		if (error instanceof BrokerRefusal || (error instanceof Response && error.status >= 404)) return undefined
		throw error
	}
}

const PanRow = z.object({ pan: z.string().optional(), guardian: z.object({ pan: z.string().optional() }).optional() })
const PansTyped = z.object({ nominees: z.array(PanRow.optional()).optional() })

/** Returns the PANs of the nominees and guardians in a form, as typed, up to the maximum number of rows. */
export function listPans(form: FormData, limit: number): string[] {
	// A post that adds or removes a row is not a submission, but has the payload.
	const typed = PansTyped.safeParse(parseWithZod(form, { schema: PansTyped }).payload).data
	const rows = (typed?.nominees ?? []).slice(0, limit)
	return rows.flatMap((row) => [row?.pan ?? '', row?.guardian?.pan ?? '']).map((pan) => joinGroups(pan).toUpperCase())
}

/** Returns equal shares in per cent, which sum exactly to 100. The first gets the remainder. */
export function splitEqually(count: number): string[] {
	const each = Math.floor(100_00 / count)
	return Array.from({ length: count }, (_, at) => writeShare((at === 0 ? 100_00 - each * (count - 1) : each) / 100))
}

/**
 * Returns the profile when every registered nominee could be read; otherwise throws a 502. The form replaces the whole list, so it must
 * not start with only a part of it.
 */
export function requireWholeNominees(profile: Profile): Profile {
	const unread = unreadIn(profile.nominees)
	if (!unread) return profile
	throw Response.json({ message: 'Not all of what is registered could be read.', reference: unread.reference }, { status: 502 })
}
