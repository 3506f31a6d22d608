import { formatMoment } from '#contract/values/moments'
import { type Recipient } from '#sandbox/auth/otp'
import { type Message } from '#sandbox/messages/outbox'
import { type Stored } from './stored'

/** The registered mobile and e-mail. */
export function listContacts({ personal_details }: Pick<Stored, 'personal_details'>): Recipient[] {
	return [
		{ channel: 'SMS', address: personal_details.mobile },
		{ channel: 'EMAIL', address: personal_details.email },
	]
}

/** One notice of a change (`the mobile number was changed`) for each address, the old one as well as the new one. */
export function changeNotices(client: string, what: string, to: readonly Recipient[], now: Date): Message[] {
	const body = `Account ${client}: ${what} at ${formatMoment(now)}. Not you? Call us at once.`
	const each = new Map(to.map((recipient) => [`${recipient.channel} ${recipient.address}`, recipient]))
	return [...each.values()].map(({ channel, address }) => ({
		client,
		channel,
		recipient: address,
		subject: 'Your account was changed',
		body,
	}))
}
