import { and, desc, eq, inArray } from 'drizzle-orm'
import { type z } from 'zod/v4'
import { type ClosureRequest, type ClosureState, type WithdrawClosureRequest } from '#contract/closure'
import { type Day, formatDay, toIndianDay } from '#contract/values/dates'
import { Refused } from '#sandbox/api/responses'
import { type Upload } from '#sandbox/api/uploads'
import { type Client, findClient } from '#sandbox/clients/clients'
import { type Books, type Queries } from '#sandbox/db/open'
import { changeRequests, closures } from '#sandbox/db/schema'
import { type Effect, type Esign, ESIGN_LIFE_MS, openEsign, withdrawEsign } from '#sandbox/esign/esign'
import { type Message } from '#sandbox/messages/outbox'
import { readStored } from '#sandbox/modifications/stored'
import { findClosingDay, isClosed } from '#sandbox/rules/closing-day'
import { type SandboxParts } from '#sandbox/types'
import { listBlockers, listTasks, readStanding } from './tasks'

const BLOCKED = 'Account can not be closed: securities, dues or open positions are left'
const PENDING = 'A closure request is already pending'

/** Throws 409 when a signed request is in progress, 422 when a task is open. */
export async function requireClosable({ books, clock }: SandboxParts, client: Client, withTransfer: boolean): Promise<void> {
	const now = clock.now()
	const request = await findClosure(books, client.code, now)
	if (request !== null && request.status !== 'WAITING') throw new Refused(409, PENDING)
	const tasks = await listTasks(books, await readStanding(books, client, toIndianDay(now)), now)
	if (listBlockers(tasks, withTransfer).length > 0) throw new Refused(422, BLOCKED)
}

/** Checks again at the signature, because a blocking task may have appeared in the hours since the request. */
export async function checkClosure(parts: SandboxParts, { client: code, reference }: Esign): Promise<void> {
	const client = await findClient(parts.books, code)
	const [row] = await parts.books.db.select().from(closures).where(eq(closures.reference, reference))
	if (client !== undefined && row !== undefined) await requireClosable(parts, client, row.transfer_to !== null)
}

type Asked = z.output<typeof ClosureRequest> & {
	/** For a closure with transfer. */
	transfer?: { accountType: 'CDSL' | 'NSDL'; boId: string; clientMaster: Upload; signature: Upload }
}

/** Writes a request and asks for its signature. Throws 409 while another one is pending, signed or not: the client withdraws that first. */
export async function openClosure(parts: SandboxParts, client: Client, asked: Asked, heldWords: string): Promise<string> {
	const now = parts.clock.now()
	const { reason, clouser_for, transfer } = asked
	const { email, mobile } = client.profile.personal_details
	return await parts.books.db.transaction(async (tx) => {
		// Of two requests at the same time one waits here, and is then refused.
		await readStored(tx, client.code, true)
		if ((await findClosure({ ...parts.books, db: tx }, client.code, now)) !== null) throw new Refused(409, PENDING)
		const { reference, response } = await openEsign(parts, tx, {
			client: client.code,
			kind: 'CLOSURE',
			title: 'Account closure',
			lines: [
				{ label: 'Close', value: clouser_for },
				{ label: 'Reason', value: reason },
				{ label: 'Holdings', value: transfer ? `${heldWords} to ${transfer.accountType} ${transfer.boId}` : heldWords },
			],
			payload: { email, mobile },
		})
		await tx.insert(closures).values({
			reference,
			client: client.code,
			reason,
			clouser_for,
			transfer_to: transfer?.boId,
			account_type: transfer?.accountType,
			client_master: transfer?.clientMaster,
			signature: transfer?.signature,
			status: 'WAITING',
			asked_at: now,
		})
		await tx.insert(changeRequests).values({
			reference,
			client: client.code,
			kind: 'CLOSURE',
			becomes: transfer ? `${clouser_for}, with transfer to ${transfer.boId}` : clouser_for,
			authorised_by: 'ESIGN',
			status: 'WAITING',
			proofs: [],
			asked_at: now,
		})
		return response
	})
}

async function withdrawBoth(tx: Queries, client: string, reference: string, now: Date): Promise<void> {
	await withdrawEsign(tx, client, reference, now)
	await tx.update(changeRequests).set({ status: 'WITHDRAWN', done_at: now }).where(eq(changeRequests.reference, reference))
}

/** The registered addresses at the time of the request. */
type Contacts = { email: string; mobile: string }

function messagesTo(client: string, { email, mobile }: Contacts, subject: string, body: string): Message[] {
	return [
		{ client, channel: 'SMS', recipient: mobile, subject, body },
		{ client, channel: 'EMAIL', recipient: email, subject, body },
	]
}

/** The effect of the signature: the account is being closed. */
export const applyClosure: Effect = async (tx, { client, reference, payload }, now) => {
	await tx.update(closures).set({ status: 'CLOSING', signed_at: now }).where(eq(closures.reference, reference))
	await tx.update(changeRequests).set({ status: 'SIGNED', done_at: now }).where(eq(changeRequests.reference, reference))
	const closesOn = formatDay(findClosingDay(now))
	const body = `You signed request ${reference} to close account ${client}. It closes by ${closesOn}. Until then you can withdraw under My Account, Closure.`
	return messagesTo(client, payload as Contacts, 'Account closure signed', body)
}

/** The request that can still be changed, or was processed; null when there is none or its signature has lapsed. */
export async function findClosure({ db }: Books, client: string, now: Date): Promise<z.input<typeof ClosureState> | null> {
	const [row] = await db
		.select()
		.from(closures)
		.where(and(eq(closures.client, client), inArray(closures.status, ['WAITING', 'CLOSING'])))
		.orderBy(desc(closures.asked_at))
		.limit(1)
	if (row === undefined) return null
	if (row.status === 'WAITING' && row.asked_at.getTime() + ESIGN_LIFE_MS <= now.getTime()) return null
	const closesOn = row.signed_at && findClosingDay(row.signed_at)
	return {
		reference: row.reference,
		status: row.signed_at === null ? 'WAITING' : isClosed(row.signed_at, now) ? 'CLOSED' : 'CLOSING',
		reason: row.reason,
		clouser_for: row.clouser_for as z.input<typeof ClosureState>['clouser_for'],
		transfer_to: row.transfer_to && `${row.account_type} ${row.transfer_to}`,
		asked_at: row.asked_at.toISOString(),
		signed_at: row.signed_at?.toISOString() ?? null,
		closes_on: closesOn,
	}
}

const BEING_CLOSED = 'Account is being closed. Withdraw the closure request first'

/**
 * The day on which an account ended; null while it is open. After a closure of only the demat account the trading account is still open.
 */
async function findEnd(books: Books, client: string, now: Date): Promise<Day | null> {
	const request = await findClosure(books, client, now)
	return request?.status === 'CLOSED' && request.clouser_for !== 'Demat' ? request.closes_on : null
}

/** Throws 403 for a closed account: nobody can log in to it. */
export async function requireLiving(books: Books, client: string, now: Date): Promise<void> {
	const end = await findEnd(books, client, now)
	if (end !== null) throw new Refused(403, `Account closed on ${formatDay(end)}`)
}

/** Throws 403 when an account is closed or being closed. The facts checked before the signature must not change after it. */
export async function requireChangeable(books: Books, client: string, now: Date): Promise<void> {
	await requireLiving(books, client, now)
	if ((await findClosure(books, client, now))?.status === 'CLOSING') throw new Refused(403, BEING_CLOSED)
}

type Withdrawal = z.output<typeof WithdrawClosureRequest>

/** Withdraws a request that is not processed yet, and has the status given. Returns false when there was none. */
export async function withdrawClosure({ books, clock }: SandboxParts, client: Client, { reference, status }: Withdrawal): Promise<boolean> {
	const now = clock.now()
	return await books.db.transaction(async (tx) => {
		// A signature takes the same lock. Without it, a signature at the same time would close the account of a withdrawn request.
		await readStored(tx, client.code, true)
		const request = await findClosure({ ...books, db: tx }, client.code, now)
		if (request === null || request.reference !== reference || request.status === 'CLOSED') return false
		if (status && request.status !== status) return false
		await tx.update(closures).set({ status: 'WITHDRAWN', withdrawn_at: now }).where(eq(closures.reference, reference))
		await withdrawBoth(tx, client.code, reference, now)
		return true
	})
}
