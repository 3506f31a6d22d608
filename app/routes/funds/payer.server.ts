import { type z } from 'zod/v4'
import { CreatePayinRequest } from '#contract/funds'
import { type Broker } from '~/broker/client.server'
import { getPersonalDetails } from '~/broker/profile.server'

/** Returns the payer's details from the broker, never from a form. */
export async function getPayer(broker: Broker) {
	const { personal_details } = await getPersonalDetails(broker)
	const { first_name, middle_name, last_name, email, mobile } = personal_details
	const client_name = [first_name, middle_name, last_name].filter(Boolean).join(' ').slice(0, 80)
	// Brokers store +91 98765 43210 and 098765 43210 too.
	const client_mobile_no = (mobile ?? '').replace(/\D/g, '').replace(/^(91|0)(?=\d{10}$)/, '')
	return { client_name, client_email: email?.trim() ?? '', client_mobile_no }
}

const WORDS = { client_name: 'name', client_email: 'e-mail address', client_mobile_no: 'mobile number' } as const
const Payer = CreatePayinRequest.pick({ client_name: true, client_email: true, client_mobile_no: true })

/** A payment needs these details. Returns a message about those that the broker does not have as the contract requires them. */
export function findMissing(payer: z.input<typeof Payer>): string | undefined {
	const wrong = new Set(Payer.safeParse(payer).error?.issues.map(({ path }) => path[0]))
	const names = Object.entries(WORDS).flatMap(([field, word]) => (wrong.has(field) ? [word] : []))
	if (names.length === 0) return undefined
	const list = new Intl.ListFormat('en').format(names)
	return `A payment needs your ${list}, and your broker has none that can be used. Nothing has been paid. Change it in My Account, or ask your broker.`
}
