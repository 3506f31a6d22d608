import { bigserial, index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** Passwords a client has had: the last of them may not come back. */
export const formerPasswords = pgTable(
	'former_passwords',
	{
		id: bigserial('id', { mode: 'number' }).primaryKey(),
		client: text('client').notNull(),
		password_hash: text('password_hash').notNull(),
		replaced_at: timestamp('replaced_at', { withTimezone: true }).notNull(),
	},
	(t) => [index('former_passwords_client').on(t.client, t.id)],
)

/** Keys that a right OTP was exchanged for: each sets one password. */
export const resetKeys = pgTable('reset_keys', {
	/** SHA-256 of the key: a copy of this table resets nobody's password. */
	key_hash: text('key_hash').primaryKey(),
	client: text('client').notNull(),
	expires_at: timestamp('expires_at', { withTimezone: true }).notNull(),
	used_at: timestamp('used_at', { withTimezone: true }),
})

/** Where a dormant client's re-KYC stands. One a client; gone when it is done. */
export const rekycLinks = pgTable('rekyc_links', {
	client: text('client').primaryKey(),
	/** What the re-KYC site is opened with; nobody else has it. */
	token: text('token').notNull().unique(),
})
