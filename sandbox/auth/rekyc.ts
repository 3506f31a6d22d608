import { randomBytes } from 'node:crypto'
import { and, eq, sql } from 'drizzle-orm'
import { type z } from 'zod/v4'
import { type RekycItem } from '#contract/auth'
import { type Day, formatDay } from '#contract/values/dates'
import { type Client, findClient } from '#sandbox/clients/clients'
import { clients, rekycLinks } from '#sandbox/db/schema'
import { sendMessages } from '#sandbox/messages/outbox'
import { type SandboxParts } from '#sandbox/types'

/** The documents that the exchanges require to activate an inactive account: new proof of identity, address and income, signed. */
export const REKYC_ITEMS = ['PAN', 'ADDRESS_PROOF', 'INCOME_PROOF', 'ESIGN'] as const satisfies readonly z.input<typeof RekycItem>[]

/** The reason why the account is dormant, in a sentence. */
export function findRekycReason(lastTraded: Day | null): string {
	return lastTraded === null ? 'No trade since the account was opened' : `No trade in the last 24 months, since ${formatDay(lastTraded)}`
}

/** The token for a client's visit to the re-KYC site. It stays the same until the re-KYC is done. */
export async function openRekyc({ books }: SandboxParts, client: string): Promise<string> {
	const [link] = await books.db
		.insert(rekycLinks)
		.values({ client, token: randomBytes(32).toString('base64url') })
		// An update without a change returns the existing row.
		.onConflictDoUpdate({ target: rekycLinks.client, set: { client: sql`excluded.client` } })
		.returning({ token: rekycLinks.token })
	return link?.token ?? ''
}

/** The dormant client of a re-KYC token. */
export async function findRekyc({ books }: SandboxParts, token: string): Promise<Client | undefined> {
	const [link] = await books.db.select().from(rekycLinks).where(eq(rekycLinks.token, token))
	const client = link && (await findClient(books, link.client))
	return client?.isDormant ? client : undefined
}

/** Activates the account, once, and notifies the client. */
export async function finishRekyc(parts: SandboxParts, client: Client): Promise<void> {
	const { books, settings } = parts
	await books.db.transaction(async (tx) => {
		const woken = await tx
			.update(clients)
			.set({ is_dormant: false })
			.where(and(eq(clients.code, client.code), eq(clients.is_dormant, true)))
			.returning({ code: clients.code })
		if (woken.length === 0) return
		await tx.delete(rekycLinks).where(eq(rekycLinks.client, client.code))
		const { email, mobile } = client.profile.personal_details
		const subject = 'Account active again'
		const body = `${settings.brokerName}: re-KYC of your account ${client.code} is complete. You can trade, pay in and withdraw again.`
		await sendMessages({ ...parts, books: { ...books, db: tx } }, [
			{ client: client.code, channel: 'SMS', recipient: mobile, subject, body },
			{ client: client.code, channel: 'EMAIL', recipient: email, subject, body },
		])
	})
}
