import { desc, eq } from 'drizzle-orm'
import { outbox } from './db/schema'
import { type SandboxParts } from './env'

export type Message = { client: string; channel: 'SMS' | 'EMAIL'; recipient: string; subject: string; body: string }

/** "Sends" messages: the outbox page is where they arrive. */
export async function sendMessages({ books, clock }: SandboxParts, messages: Message[]): Promise<void> {
	const sent_at = clock.now()
	await books.db.insert(outbox).values(messages.map((message) => ({ ...message, sent_at })))
}

/** The latest messages, newest first; of one client when a code is given. */
export async function listMessages({ books }: SandboxParts, client?: string) {
	return await books.db
		.select()
		.from(outbox)
		.where(client === undefined ? undefined : eq(outbox.client, client))
		.orderBy(desc(outbox.id))
		.limit(200)
}
