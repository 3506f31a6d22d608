import { desc, eq } from 'drizzle-orm'
import { type Queries } from '#sandbox/db/open'
import { outbox } from '#sandbox/db/schema'
import { type SandboxParts } from '#sandbox/types'

export type Message = { client: string; channel: 'SMS' | 'EMAIL'; recipient: string; subject: string; body: string }

/** Writes messages to the outbox page instead of sending them. With a transaction they are written only if it commits. */
export async function sendMessages(
	{ books, clock }: Pick<SandboxParts, 'books' | 'clock'>,
	messages: Message[],
	queries: Queries = books.db,
): Promise<void> {
	const sent_at = clock.now()
	await queries.insert(outbox).values(messages.map((message) => ({ ...message, sent_at })))
}

/** The latest messages, newest first; only of `client` when it is given. */
export async function listMessages({ books }: SandboxParts, client?: string) {
	return await books.db
		.select()
		.from(outbox)
		.where(client === undefined ? undefined : eq(outbox.client, client))
		.orderBy(desc(outbox.id))
		.limit(200)
}
