import { randomBytes } from 'node:crypto'
import { and, eq, gt } from 'drizzle-orm'
import { z } from 'zod/v4'
import { type Queries } from '#sandbox/db/open'
import { esigns, outbox } from '#sandbox/db/schema'
import { type Message } from '#sandbox/messages/outbox'
import { readStored } from '#sandbox/modifications/stored'
import { type SandboxParts } from '#sandbox/types'

/** How long a request waits for its signature, in milliseconds. */
export const ESIGN_LIFE_MS = 86_400_000

/** The kinds of requests that can be signed. Their effects are in effects.ts. */
export type EsignKind = 'MOBILE' | 'EMAIL' | 'BANK' | 'SEGMENTS' | 'NOMINEE' | 'CLOSURE' | 'MTF' | 'DDPI'

const Lines = z.array(z.object({ label: z.string(), value: z.string() }))
type EsignLine = z.output<typeof Lines>[number]

/** A request's current state. `payload` is the value given to `openEsign`; the effect parses it again. */
export type Esign = {
	reference: string
	token: string
	client: string
	kind: EsignKind
	title: string
	lines: EsignLine[]
	payload: unknown
	status: 'WAITING' | 'SIGNED' | 'WITHDRAWN' | 'LAPSED'
	lastOutcome: 'CANCELLED' | 'FAILED' | null
	reason: string | null
	expiresAt: Date
	endedAt: Date | null
}

/** The effect of a signature, inside its transaction: all of it or nothing. Returns the messages to send. */
export type Effect = (tx: Queries, signed: Esign, now: Date, settings: SandboxParts['settings']) => Promise<Message[]>

/** Checks the facts that must still be true at the signature. Throws the broker's refusal. Its books are the transaction that signs. */
type EsignCheck = (parts: SandboxParts, esign: Esign) => Promise<void>

/** The effect of a kind of request, and the check before it. */
export type Consequence = { apply: Effect; check?: EsignCheck }

/** The parts that a request for a signature needs. Settings have only the address, because the seed has no other settings. */
export type EsignParts = Pick<SandboxParts, 'clock'> & { settings: Pick<SandboxParts['settings'], 'url'> }

type Opened = {
	client: string
	kind: EsignKind
	/** In words, such as `Change of mobile number`; at most 80 characters. */
	title: string
	/** The text to sign. Shown at the provider and by the portal, so mask private values. */
	lines: EsignLine[]
	/** Plain JSON for the effect. */
	payload: unknown
	/** The reference of the caller's own request; made here when missing. */
	reference?: string
}

/**
 * Asks a client to sign. Pass the transaction that wrote the request. Returns the reference and the e-sign response for the portal: an
 * absolute address when the sandbox has an https one (the contract allows no other), else only the token.
 */
export async function openEsign(
	{ clock, settings }: EsignParts,
	tx: Queries,
	{ client, kind, title, lines, payload, reference }: Opened,
): Promise<{ reference: string; response: string }> {
	const token = randomBytes(32).toString('base64url')
	const opened_at = clock.now()
	const row = {
		reference: reference ?? `ES-${randomBytes(5).toString('hex').toUpperCase()}`,
		token,
		client,
		kind,
		title,
		lines,
		payload,
		status: 'WAITING',
		opened_at,
		expires_at: new Date(opened_at.getTime() + ESIGN_LIFE_MS),
	}
	await tx.insert(esigns).values(row)
	return { reference: row.reference, response: formatResponseUrl(settings.url, token) }
}

/** The e-sign response of an existing request. */
export function formatResponseUrl(url: string | undefined, token: string): string {
	return url?.startsWith('https:') ? `${url}/esign/sign?response=${token}` : token
}

function toEsign(row: typeof esigns.$inferSelect, now: Date): Esign {
	const isLapsed = row.status === 'WAITING' && row.expires_at <= now
	return {
		reference: row.reference,
		token: row.token,
		client: row.client,
		kind: row.kind as EsignKind,
		title: row.title,
		lines: Lines.parse(row.lines),
		payload: row.payload,
		status: isLapsed ? 'LAPSED' : (row.status as Esign['status']),
		lastOutcome: row.last_outcome as Esign['lastOutcome'],
		reason: row.reason,
		expiresAt: row.expires_at,
		endedAt: row.ended_at,
	}
}

/** The request with this token, or the client's request with this reference. */
export async function findEsign(
	{ books, clock }: Pick<SandboxParts, 'books' | 'clock'>,
	by: { token: string } | { reference: string; client: string },
): Promise<Esign | undefined> {
	const its = 'token' in by ? eq(esigns.token, by.token) : and(eq(esigns.reference, by.reference), eq(esigns.client, by.client))
	const [row] = await books.db.select().from(esigns).where(its)
	return row && toEsign(row, clock.now())
}

/**
 * Signs once, and only in time; further calls do nothing. The check and the effect run in the same transaction, which blocks every other
 * change of the account. When one of them throws, nothing is signed. Returns true when this call signed.
 */
export async function signEsign(parts: SandboxParts, token: string, findConsequence: (kind: EsignKind) => Consequence): Promise<boolean> {
	const { books, clock, settings } = parts
	const now = clock.now()
	return await books.db.transaction(async (tx) => {
		const [its] = await tx.select({ client: esigns.client }).from(esigns).where(eq(esigns.token, token))
		if (its === undefined) return false
		await readStored(tx, its.client, true)
		const [row] = await tx
			.update(esigns)
			.set({ status: 'SIGNED', last_outcome: null, reason: null, ended_at: now })
			.where(and(eq(esigns.token, token), eq(esigns.status, 'WAITING'), gt(esigns.expires_at, now)))
			.returning()
		if (row === undefined) return false
		const signed = toEsign(row, now)
		const { check, apply } = findConsequence(signed.kind)
		await check?.({ ...parts, books: { ...books, db: tx } }, signed)
		const messages = await apply(tx, signed, now, settings)
		if (messages.length > 0) await tx.insert(outbox).values(messages.map((message) => ({ ...message, sent_at: now })))
		return true
	})
}

/** Records a visit to the provider without a signature. The request keeps waiting. */
export async function noteOutcome({ books, clock }: SandboxParts, token: string, outcome: 'CANCELLED' | 'FAILED', reason: string | null) {
	await books.db
		.update(esigns)
		.set({ last_outcome: outcome, reason, ended_at: clock.now() })
		.where(and(eq(esigns.token, token), eq(esigns.status, 'WAITING')))
}

/** Withdraws a client's waiting request, so that nobody can sign it. */
export async function withdrawEsign(tx: Queries, client: string, reference: string, now: Date): Promise<void> {
	await tx
		.update(esigns)
		.set({ status: 'WITHDRAWN', ended_at: now })
		.where(and(eq(esigns.client, client), eq(esigns.reference, reference), eq(esigns.status, 'WAITING')))
}
