import { type Broker } from '~/broker/client.server'
import { getPersonalDetails } from '~/broker/profile.server'
import { joinName } from '~/lib/join-name'
import { trimMobile } from '~/lib/mobile-number'

/** Returns the payer's details from the broker, never from a form. */
export async function getPayer(broker: Broker) {
	const { personal_details } = await getPersonalDetails(broker)
	const { email, mobile } = personal_details
	const client_name = joinName(personal_details).slice(0, 80)
	return { client_name, client_email: email?.trim() ?? '', client_mobile_no: trimMobile(mobile ?? '') }
}

const WORDS = { client_name: 'name', client_email: 'e-mail address', client_mobile_no: 'mobile number' } as const

/**
 * A payment needs these details. Returns a message about those that the broker does not have. A number abroad or a rare e-mail address
 * goes back to the broker as it is: it is the broker's own.
 */
export function findMissing(payer: Record<keyof typeof WORDS, string>): string | undefined {
	const names = (Object.keys(WORDS) as (keyof typeof WORDS)[]).flatMap((field) => (payer[field] === '' ? [WORDS[field]] : []))
	if (names.length === 0) return undefined
	return `A payment needs your ${new Intl.ListFormat('en').format(names)}, which your broker does not have. Nothing has been paid. See My Account, or ask your broker.`
}
