import { eq } from 'drizzle-orm'
import { z } from 'zod/v4'
import { type Queries } from '#sandbox/db/open'
import { clients } from '#sandbox/db/schema'

const StoredBank = z.looseObject({
	bank_acno: z.string(),
	bank_name: z.string(),
	branch: z.string(),
	ifsc_code_act: z.string(),
	micr_code: z.string(),
	account_type: z.string(),
	set_default: z.boolean(),
})
export type StoredBank = z.output<typeof StoredBank>

const StoredNominee = z.looseObject({ name: z.string(), relation: z.string(), pan: z.string(), dob: z.string(), share: z.number() })

/** The parts of the stored profile that a change may change; everything else is kept. */
const Stored = z.looseObject({
	personal_details: z.looseObject({
		first_name: z.string(),
		middle_name: z.string(),
		last_name: z.string(),
		pan: z.string(),
		email: z.string(),
		mobile: z.string(),
		annual_income: z.string(),
	}),
	dp_details: z.looseObject({ company_code: z.string(), activate_segment: z.string() }),
	nominees: z.array(StoredNominee),
	/** True when the client has declared that there are no nominees. */
	has_opted_out: z.boolean().optional(),
	banks: z.array(StoredBank),
})
export type Stored = z.output<typeof Stored>

/** The whole stored profile; `forChange` blocks other changes until the transaction ends. Throws for an unknown client. */
export async function readStored(queries: Queries, client: string, forChange = false): Promise<Stored> {
	const query = queries.select({ profile: clients.profile }).from(clients).where(eq(clients.code, client))
	const [row] = forChange ? await query.for('update') : await query
	if (row === undefined) throw new Error('A session without its client')
	return Stored.parse(row.profile)
}

/** Changes a profile in one step: `change` gets the stored value and returns the new one. */
export async function changeStored(tx: Queries, client: string, change: (stored: Stored) => Stored): Promise<void> {
	const profile = change(await readStored(tx, client, true))
	await tx.update(clients).set({ profile }).where(eq(clients.code, client))
}

/** Read and write a comma-separated list of the profile. */
export const splitList = (list: string): string[] =>
	list
		.split(',')
		.map((each) => each.trim())
		.filter(Boolean)
export const joinList = (items: readonly string[]): string => [...new Set(items)].join(',')
