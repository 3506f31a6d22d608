import { eq, sql } from 'drizzle-orm'
import { z } from 'zod/v4'
import { LedgerCocd } from '#contract/common'
import { type Books, type Queries } from '#sandbox/db/open'
import { clients } from '#sandbox/db/schema'

/** The parts of the stored profile that the calls read; the rest is passed on unchanged. */
const StoredProfile = z.looseObject({
	personal_details: z.looseObject({ client_code: z.string(), pan: z.string(), email: z.string(), mobile: z.string() }),
	dp_details: z.looseObject({ company_code: z.string() }),
	nominees: z.array(z.looseObject({ pan: z.string().nullish(), guardian: z.looseObject({ pan: z.string().nullish() }).nullish() })),
})
export type StoredProfile = z.output<typeof StoredProfile>

export type Client = {
	code: string
	name: string
	isDormant: boolean
	passwordHash: string
	failedLogins: number
	lockedUntil: Date | null
	profile: StoredProfile
}

/** Where the sandbox broker is registered. */
export const BROKERS_STATE = 'Maharashtra'

function toClient(row: typeof clients.$inferSelect): Client {
	return {
		code: row.code,
		name: row.name,
		isDormant: row.is_dormant,
		passwordHash: row.password_hash,
		failedLogins: row.failed_logins,
		lockedUntil: row.locked_until,
		profile: StoredProfile.parse(row.profile),
	}
}

/** The client with this code, or undefined. */
export async function findClient({ db }: { db: Pick<Queries, 'select'> }, code: string): Promise<Client | undefined> {
	const [row] = await db.select().from(clients).where(eq(clients.code, code))
	return row && toClient(row)
}

/** The client of a login name: a code or the registered e-mail, in any case. */
export async function findClientByUsername({ db }: Books, username: string): Promise<Client | undefined> {
	const [row] = username.includes('@')
		? await db
				.select()
				.from(clients)
				.where(sql`lower(${clients.profile}->'personal_details'->>'email') = ${username.toLowerCase()}`)
		: await db.select().from(clients).where(eq(clients.code, username.toUpperCase()))
	return row && toClient(row)
}

/** A client's ledgers: equity with any segment of NSE, commodity with MCX. */
export function listLedgers(profile: StoredProfile): LedgerCocd[] {
	const codes = profile.dp_details.company_code.split(',').map((code) => code.trim())
	return LedgerCocd.options.filter((ledger) => codes.some((code) => (ledger === 'MCX' ? code === 'MCX' : code !== '' && code !== 'MCX')))
}

/** True when the first holder is a woman. The depository then charges less. */
export function isWoman({ profile }: Client): boolean {
	return profile.personal_details.gender === 'Female'
}

const Address = z.looseObject({ state: z.string() })

/** True when the client lives in the broker's state. GST is then split into CGST and SGST. */
export function isInBrokersState({ profile }: Client): boolean {
	return Address.safeParse(profile.personal_details.address).data?.state === BROKERS_STATE
}

/** A masked PAN: `XXXXX4821K`. Responses show PANs only in this form. */
export function maskPan(pan: string): string {
	return `XXXXX${pan.slice(5)}`
}
