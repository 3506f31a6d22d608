import { bigserial, index, pgTable, text, timestamp } from 'drizzle-orm/pg-core'

/** A client's former passwords. The latest of them may not be used again. */
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

/** Keys issued for a correct OTP. Each key sets one password. */
export const resetKeys = pgTable('reset_keys', {
	/** SHA-256 of the key, so that a stolen copy of this table resets no password. */
	key_hash: text('key_hash').primaryKey(),
	client: text('client').notNull(),
	expires_at: timestamp('expires_at', { withTimezone: true }).notNull(),
	used_at: timestamp('used_at', { withTimezone: true }),
})

/** A dormant client's re-KYC. One per client; deleted when done. */
export const rekycLinks = pgTable('rekyc_links', {
	client: text('client').primaryKey(),
	/** A secret that opens the re-KYC site. */
	token: text('token').notNull().unique(),
})
