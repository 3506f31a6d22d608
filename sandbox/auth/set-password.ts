import { and, desc, eq } from 'drizzle-orm'
import { formatMoment } from '#contract/values/moments'
import { Refused } from '#sandbox/api/responses'
import { type Client } from '#sandbox/clients/clients'
import { type Queries } from '#sandbox/db/open'
import { clients, formerPasswords } from '#sandbox/db/schema'
import { sendMessages } from '#sandbox/messages/outbox'
import { type SandboxParts } from '#sandbox/types'
import { hashPassword, isPassword } from './password-hash'
import { revokeSessions } from './sessions'

const SHORTEST = 8
/** The number of last passwords that may not be used again, the current one included. */
const LAST = 3

/**
 * Changes a client's password in one transaction: it unlocks the account, ends all its sessions and notifies the client by SMS and
 * e-mail. Throws 422 for a password that is too short (in characters, not bytes), for one of the last three passwords, and when another
 * call changed the password in the meantime. `first` runs in the same transaction and cancels it by throwing.
 */
export async function setPassword(
	parts: SandboxParts,
	client: Client,
	password: string,
	how: 'changed' | 'reset',
	first: (tx: Queries) => Promise<void> = async () => {},
): Promise<void> {
	if ([...password].length < SHORTEST) throw new Refused(422, `New password must be ${SHORTEST} characters or more`)
	const { books, clock } = parts
	const former = await books.db
		.select({ hash: formerPasswords.password_hash })
		.from(formerPasswords)
		.where(eq(formerPasswords.client, client.code))
		.orderBy(desc(formerPasswords.id))
		.limit(LAST - 1)
	// Hashes are slow by design. They are made before the transaction, because the embedded database can have only one.
	for (const hash of [client.passwordHash, ...former.map((row) => row.hash)]) {
		if (await isPassword(password, hash)) throw new Refused(422, `New password must differ from the last ${LAST} passwords`)
	}
	const password_hash = await hashPassword(password)

	await books.db.transaction(async (tx) => {
		await first(tx)
		const changed = await tx
			.update(clients)
			.set({ password_hash, failed_logins: 0, locked_until: null })
			.where(and(eq(clients.code, client.code), eq(clients.password_hash, client.passwordHash)))
			.returning({ code: clients.code })
		if (changed.length === 0) throw new Refused(422, 'The password was changed meanwhile. Please log in again')
		await tx.insert(formerPasswords).values({ client: client.code, password_hash: client.passwordHash, replaced_at: clock.now() })
		const within = { ...parts, books: { ...books, db: tx } }
		await revokeSessions(within, client.code, `Your password was ${how}. Please log in again`)
		await sendMessages(within, notices(client, parts, how))
	})
}

function notices(client: Client, { clock, settings }: SandboxParts, how: string) {
	const now = clock.now()
	const body = `${settings.brokerName}: the password of your account ${client.code} was ${how} at ${formatMoment(now)} and every session was ended. Not you? Call us at once.`
	const { email, mobile } = client.profile.personal_details
	const subject = `Password ${how}`
	return [
		{ client: client.code, channel: 'SMS' as const, recipient: mobile, subject, body },
		{ client: client.code, channel: 'EMAIL' as const, recipient: email, subject, body },
	]
}
