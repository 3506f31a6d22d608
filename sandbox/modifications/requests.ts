import { createHash, randomBytes } from 'node:crypto'
import { and, desc, eq, gt } from 'drizzle-orm'
import { type z } from 'zod/v4'
import { type ChangeRequest } from '#contract/modifications'
import { type Upload } from '#sandbox/api/uploads'
import { type Queries } from '#sandbox/db/open'
import { changeRequests } from '#sandbox/db/schema'
import { type EsignKind, type EsignParts, ESIGN_LIFE_MS, openEsign, withdrawEsign } from '#sandbox/esign/esign'
import { isClosed } from '#sandbox/rules/closing-day'
import { type SandboxParts } from '#sandbox/types'

const TITLES: Record<string, string> = {
	MOBILE: 'Change of mobile number',
	EMAIL: 'Change of e-mail',
	BANK: 'New bank account',
	DEFAULT_BANK: 'Change of default bank account',
	INCOME: 'Change of annual income',
	SEGMENTS: 'New segment',
	NOMINEE: 'Change of nominees',
	PASSWORD: 'Change of password',
	REKYC: 'Re-KYC',
	CLOSURE: 'Account closure',
	MTF: 'Margin trading facility',
}

export const nameChange = (kind: string): string => TITLES[kind] ?? kind

export type ChangeRow = typeof changeRequests.$inferSelect

type Change = {
	client: string
	kind: string
	/** Masked, because somebody nearby may read the history too. */
	was: string | null
	becomes: string | null
	authorised_by: 'LOGIN' | 'OTP' | 'OTP_ESIGN' | 'ESIGN'
	proofs?: readonly Upload[]
}

async function record(tx: Queries, change: Change, status: 'WAITING' | 'DONE', now: Date): Promise<string> {
	const reference = `MOD-${randomBytes(4).toString('hex').toUpperCase()}`
	const proofs = (change.proofs ?? []).map(({ name, type, size, base64 }) => ({
		name,
		type,
		size,
		sha256: createHash('sha256').update(Buffer.from(base64, 'base64')).digest('hex'),
	}))
	const done_at = status === 'DONE' ? now : null
	await tx.insert(changeRequests).values({ ...change, reference, proofs, status, asked_at: now, done_at })
	return reference
}

/** Stores a change that was just made, and returns its reference. */
export async function recordDone(tx: Queries, change: Change, now: Date): Promise<string> {
	return await record(tx, change, 'DONE', now)
}

/**
 * Stores a change that takes effect when signed, asks for the signature, and returns the e-sign response. `payload` is the data for the
 * effect of this kind. Withdraws an earlier unsigned request of the same kind.
 */
export async function recordForEsign(
	parts: EsignParts,
	tx: Queries,
	change: Omit<Change, 'authorised_by'> & { kind: EsignKind },
	payload: unknown,
): Promise<string> {
	const now = parts.clock.now()
	const { client, kind, was, becomes } = change
	// A second account or segment is a separate request; a second number replaces the first.
	const isReplaced = kind === 'BANK' || kind === 'SEGMENTS' ? eq(changeRequests.becomes, becomes ?? '') : undefined
	const earlier = and(eq(changeRequests.client, client), eq(changeRequests.kind, kind), eq(changeRequests.status, 'WAITING'), isReplaced)
	for (const { reference } of await tx.select({ reference: changeRequests.reference }).from(changeRequests).where(earlier)) {
		await withdraw(tx, client, reference, now)
	}
	const reference = await record(tx, { ...change, authorised_by: 'OTP_ESIGN' }, 'WAITING', now)
	const lines = [
		{ label: 'Now', value: (was ?? 'None').slice(0, 200) },
		{ label: 'New', value: (becomes ?? 'None').slice(0, 200) },
	]
	const { response } = await openEsign(parts, tx, { client, kind, title: nameChange(kind), lines, payload, reference })
	return response
}

async function withdraw(tx: Queries, client: string, reference: string, now: Date): Promise<void> {
	await withdrawEsign(tx, client, reference, now)
	await tx.update(changeRequests).set({ status: 'WITHDRAWN', done_at: now }).where(eq(changeRequests.reference, reference))
}

/** Records that a change was signed and made. Its effect calls this. */
export async function finishChange(tx: Queries, reference: string, now: Date): Promise<void> {
	await tx.update(changeRequests).set({ status: 'DONE', done_at: now }).where(eq(changeRequests.reference, reference))
}

const isLapsed = (row: ChangeRow, now: Date) => row.status === 'WAITING' && row.asked_at.getTime() + ESIGN_LIFE_MS <= now.getTime()

/** True when a change of this kind waits for the client's signature. */
export async function isWaiting(queries: Queries, client: string, kind: EsignKind, now: Date): Promise<boolean> {
	const since = new Date(now.getTime() - ESIGN_LIFE_MS)
	const its = and(eq(changeRequests.client, client), eq(changeRequests.kind, kind), eq(changeRequests.status, 'WAITING'))
	const [waiting] = await queries
		.select({ reference: changeRequests.reference })
		.from(changeRequests)
		.where(and(its, gt(changeRequests.asked_at, since)))
		.limit(1)
	return waiting !== undefined
}

/** Withdraws a waiting change. Returns false when there was none. A closure is withdrawn on its own page. */
export async function withdrawChange(
	{ books, clock }: Pick<SandboxParts, 'books' | 'clock'>,
	client: string,
	reference: string,
): Promise<boolean> {
	const now = clock.now()
	return await books.db.transaction(async (tx) => {
		const its = and(eq(changeRequests.client, client), eq(changeRequests.reference, reference), eq(changeRequests.status, 'WAITING'))
		const [row] = await tx.select().from(changeRequests).where(its).for('update')
		if (row === undefined || row.kind === 'CLOSURE' || isLapsed(row, now)) return false
		await withdraw(tx, client, reference, now)
		return true
	})
}

/** A client's changes, latest first; only the one with `reference` when it is given. */
export async function listChanges({ books }: Pick<SandboxParts, 'books'>, client: string, reference?: string): Promise<ChangeRow[]> {
	return await books.db
		.select()
		.from(changeRequests)
		.where(and(eq(changeRequests.client, client), reference === undefined ? undefined : eq(changeRequests.reference, reference)))
		.orderBy(desc(changeRequests.asked_at), desc(changeRequests.reference))
		.limit(500)
}

export function findStatus(row: ChangeRow, now: Date): z.input<typeof ChangeRequest>['status'] {
	if (isLapsed(row, now)) return 'LAPSED'
	if (row.status === 'SIGNED' && row.done_at && isClosed(row.done_at, now)) return 'DONE'
	return row.status as z.input<typeof ChangeRequest>['status']
}

/** A change in the format of the client's list. */
export function toChangeRequest(row: ChangeRow, by: string, now: Date): z.input<typeof ChangeRequest> {
	const isSigned = row.authorised_by === 'ESIGN' || row.authorised_by === 'OTP_ESIGN'
	return {
		reference: row.reference,
		kind: row.kind,
		title: nameChange(row.kind),
		by,
		was: row.was,
		becomes: row.becomes,
		authorised_by: row.authorised_by as z.input<typeof ChangeRequest>['authorised_by'],
		status: findStatus(row, now),
		asked_at: row.asked_at.toISOString(),
		done_at: row.done_at?.toISOString() ?? null,
		expires_at: isSigned ? new Date(row.asked_at.getTime() + ESIGN_LIFE_MS).toISOString() : null,
	}
}
