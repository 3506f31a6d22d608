import { createHash, randomBytes, randomInt } from 'node:crypto'
import { and, desc, eq, gt, isNull, sql } from 'drizzle-orm'
import { z } from 'zod/v4'
import { timeOfDay } from '#contract/values/dates'
import { Refused } from '#sandbox/api/responses'
import { maskEmail, maskMobile } from '#sandbox/clients/masks'
import { type Queries } from '#sandbox/db/open'
import { otpMistakes, otpRequests, outbox } from '#sandbox/db/schema'
import { OTP_RULES } from '#sandbox/rules/otp'
import { type SandboxSettings } from '#sandbox/settings'
import { type SandboxParts } from '#sandbox/types'

export type Recipient = { channel: 'SMS' | 'EMAIL'; address: string }

type Asked = {
	/** The client's code. For a password reset: the typed name, whether or not it exists. */
	client: string
	/** One request per client and purpose at a time: mobile, email, bank, income, segment, nominee, password. */
	purpose: string
	/** The data that the code confirms, as plain JSON. The code is valid for nothing else. */
	payload: unknown
	/** The recipients. Empty for an unknown name: such a request behaves like any other, but no code is correct. */
	recipients: readonly Recipient[]
	/** Text after "is the OTP to", such as `change your mobile number`. */
	what: string
}

/** Selects a request: by its id and purpose, or a client's latest one of a purpose, for exactly this payload. */
type Which = { requestId: string; purpose: string } | Pick<Asked, 'client' | 'purpose' | 'payload'>

/** A verified request, with the payload for which the code was sent, not the one that came with the code. */
export type VerifiedOtp = { id: string; client: string; payload: unknown }

/** Times in seconds, and the broker's sentence about where the code was sent. */
export type SentOtp = { message: string; request_id: string; expires_in: number; resend_in: number }

type Row = typeof otpRequests.$inferSelect

const Codes = z.array(z.object({ hash: z.string(), expires_at: z.number() }))
const Recipients = z.array(z.object({ channel: z.enum(['SMS', 'EMAIL']), address: z.string() }))

const EXPIRED = 'OTP has expired'
const START_AGAIN = 'Too many incorrect attempts. Start again.'

function tooMany(message: string, waitMs?: number): Refused {
	if (waitMs === undefined) return new Refused(429, message)
	const seconds = Math.max(1, Math.ceil(waitMs / 1000))
	return new Refused(429, message, { retry_after: seconds }, { 'retry-after': String(seconds) })
}

const hashCode = (id: string, code: string) => createHash('sha256').update(`${id} ${code}`).digest('hex')

/** JSON with sorted keys: the same content gives the same text. */
function canonical(value: unknown): string {
	return JSON.stringify(value, (_, each: unknown) =>
		each !== null && typeof each === 'object' && !Array.isArray(each)
			? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1)))
			: each,
	)
}

/** Handles the attempts on one account one after the other. Otherwise several at once would all be tried before the first is counted. */
const lock = (tx: Queries, client: string) => tx.execute(sql`SELECT pg_advisory_xact_lock(hashtext(${`otp ${client}`}))`)

async function requireNoPause(tx: Queries, client: string, now: Date): Promise<number> {
	const since = new Date(now.getTime() - OTP_RULES.mistakesWithinMs)
	const made = await tx
		.select({ at: otpMistakes.at })
		.from(otpMistakes)
		.where(and(eq(otpMistakes.client, client), gt(otpMistakes.at, since)))
		.orderBy(desc(otpMistakes.at))
	const pausedUntil = made.length >= OTP_RULES.mistakes ? (made[0]?.at.getTime() ?? 0) + OTP_RULES.pauseMs : 0
	const left = pausedUntil - now.getTime()
	if (left > 0) throw tooMany(`Too many OTP attempts. Please try again after ${Math.ceil(left / 60_000)} minutes`, left)
	return made.length
}

async function requireSendsLeft(tx: Queries, client: string, now: Date): Promise<void> {
	const since = new Date(now.getTime() - OTP_RULES.sendsWithinMs)
	const [sent] = await tx
		.select({ times: sql<number>`coalesce(sum(1 + ${otpRequests.resends}), 0)::float8` })
		.from(otpRequests)
		.where(and(eq(otpRequests.client, client), gt(otpRequests.created_at, since)))
	if (Number(sent?.times ?? 0) >= OTP_RULES.sends) throw tooMany('Too many requests. Please try again later', OTP_RULES.pauseMs)
}

/** Makes a code, sends it, and returns it as the table stores it. */
async function sendCode(
	tx: Queries,
	settings: SandboxSettings,
	{ id, client, what }: Pick<Row, 'id' | 'client' | 'what'>,
	to: readonly Recipient[],
	now: Date,
) {
	const code = settings.hasFixedOtp ? '123456' : String(randomInt(10 ** OTP_RULES.digits)).padStart(OTP_RULES.digits, '0')
	const expires_at = now.getTime() + OTP_RULES.codeMs
	const until = `${timeOfDay(new Date(expires_at)).slice(0, 5)} IST`
	const body = `${code} is the OTP to ${what}, valid until ${until}. Never tell it to anyone. ${settings.brokerName}`
	const messages = to.map(({ channel, address }) => ({ client, channel, recipient: address, subject: 'OTP', body, sent_at: now }))
	if (messages.length > 0) await tx.insert(outbox).values(messages)
	return { hash: hashCode(id, code), expires_at }
}

function describeSent(id: string, to: readonly Recipient[]): SentOtp {
	const where = to.map(({ channel, address }) => (channel === 'SMS' ? maskMobile(address) : maskEmail(address)))
	return {
		message: `OTP sent to ${where.join(' and ')}`,
		request_id: id,
		expires_in: OTP_RULES.codeMs / 1000,
		resend_in: OTP_RULES.resendAfterMs / 1000,
	}
}

/** The request, after locking its client; undefined when there is none. `isSame` is false when it was for another payload. */
async function find(tx: Queries, which: Which): Promise<{ row: Row; isSame: boolean } | undefined> {
	if ('requestId' in which) {
		const own = and(eq(otpRequests.id, which.requestId), eq(otpRequests.purpose, which.purpose))
		const [known] = await tx.select({ client: otpRequests.client }).from(otpRequests).where(own)
		if (known === undefined) return undefined
		await lock(tx, known.client)
		const [row] = await tx.select().from(otpRequests).where(own)
		return row && { row, isSame: true }
	}
	await lock(tx, which.client)
	const own = and(eq(otpRequests.client, which.client), eq(otpRequests.purpose, which.purpose))
	const [row] = await tx.select().from(otpRequests).where(own).orderBy(desc(otpRequests.created_at), desc(otpRequests.id)).limit(1)
	return row && { row, isSame: canonical(row.payload) === canonical(which.payload) }
}

/** Throws for a request that no code can complete any more. */
function requireAlive(row: Row | undefined, now: Date): asserts row is Row {
	if (row?.ended_because === 'WRONG') throw tooMany(START_AGAIN)
	if (row === undefined || row.ended_at !== null || row.created_at.getTime() + OTP_RULES.requestMs <= now.getTime()) {
		throw new Refused(410, EXPIRED)
	}
}

/** Counts a wrong code. It returns the refusal instead of throwing it, so that the transaction commits the count. */
async function countMistake(tx: Queries, { brokerName }: SandboxSettings, row: Row, mistakes: number, now: Date): Promise<Refused> {
	const wrong = row.wrong + 1
	const over = wrong >= OTP_RULES.tries ? { ended_at: now, ended_because: 'WRONG' } : {}
	await tx
		.update(otpRequests)
		.set({ wrong, ...over })
		.where(eq(otpRequests.id, row.id))
	await tx.insert(otpMistakes).values({ client: row.client, at: now })
	if (mistakes + 1 >= OTP_RULES.mistakes) {
		const minutes = OTP_RULES.pauseMs / 60_000
		const body = `${brokerName}: too many wrong OTPs were entered for ${row.client}, so codes are refused for ${minutes} minutes. Not you? Call us.`
		const notices = Recipients.parse(row.recipients).map(({ channel, address }) => ({ channel, recipient: address }))
		const notice = { client: row.client, subject: 'Too many wrong OTPs', body, sent_at: now }
		if (notices.length > 0) await tx.insert(outbox).values(notices.map((to) => ({ ...notice, ...to })))
		return tooMany(`Too many OTP attempts. Please try again after ${minutes} minutes`, OTP_RULES.pauseMs)
	}
	if (wrong >= OTP_RULES.tries) return tooMany(START_AGAIN)
	return new Refused(422, 'Invalid OTP', { attempts_left: OTP_RULES.tries - wrong })
}

/**
 * Checks a code: whether it is right for its payload, and how many mistakes the client made before. Throws when no code can be right.
 */
async function checkCode(tx: Queries, which: Which, otp: string, now: Date): Promise<{ row: Row; mistakes: number; isRight: boolean }> {
	const found = await find(tx, which)
	const row = found?.row
	requireAlive(row, now)
	const mistakes = await requireNoPause(tx, row.client, now)
	const alive = Codes.parse(row.codes).filter(({ expires_at }) => expires_at > now.getTime())
	if (alive.length === 0) throw new Refused(410, EXPIRED)
	const isTheirs = Recipients.parse(row.recipients).length > 0 && alive.some(({ hash }) => hash === hashCode(row.id, otp))
	return { row, mistakes, isRight: isTheirs && found?.isSame === true }
}

/**
 * Issues codes, sends them again and checks them, by OTP_RULES. Refusals: 422 `Invalid OTP` with `attempts_left`; 410 for a request that
 * has ended or was for something else; 429 when too often (with `retry_after` in seconds when waiting helps).
 */
export function createOtpService({ books, clock, settings }: SandboxParts) {
	return {
		/** Sends a first code. It ends an unfinished request of the same client and purpose. */
		async issue({ client, purpose, payload, recipients, what }: Asked): Promise<SentOtp> {
			const now = clock.now()
			return await books.db.transaction(async (tx) => {
				await lock(tx, client)
				await requireNoPause(tx, client, now)
				await requireSendsLeft(tx, client, now)
				const earlier = and(eq(otpRequests.client, client), eq(otpRequests.purpose, purpose), isNull(otpRequests.ended_at))
				await tx.update(otpRequests).set({ ended_at: now, ended_because: 'REPLACED' }).where(earlier)
				const id = `RQ-${randomBytes(8).toString('hex').toUpperCase()}`
				const code = await sendCode(tx, settings, { id, client, what }, recipients, now)
				const times = { created_at: now, sent_at: now }
				await tx.insert(otpRequests).values({ id, client, purpose, what, payload, recipients: [...recipients], codes: [code], ...times })
				return describeSent(id, recipients)
			})
		},

		/** Sends another code for the same request; earlier codes stay valid until they expire. */
		async resend(which: Which): Promise<SentOtp> {
			const now = clock.now()
			return await books.db.transaction(async (tx) => {
				const found = await find(tx, which)
				const row = found?.isSame ? found.row : undefined
				requireAlive(row, now)
				await requireNoPause(tx, row.client, now)
				const wait = row.sent_at.getTime() + OTP_RULES.resendAfterMs - now.getTime()
				if (wait > 0) throw tooMany(`You can ask for a new OTP in ${Math.ceil(wait / 1000)} seconds`, wait)
				if (row.resends >= OTP_RULES.resends) throw tooMany('No more OTPs can be sent for this request. Start again.')
				await requireSendsLeft(tx, row.client, now)
				const recipients = Recipients.parse(row.recipients)
				const codes = [...Codes.parse(row.codes), await sendCode(tx, settings, row, recipients, now)]
				await tx
					.update(otpRequests)
					.set({ codes, resends: row.resends + 1, sent_at: now })
					.where(eq(otpRequests.id, row.id))
				return describeSent(row.id, recipients)
			})
		},

		/** The payload of a client's latest unfinished request of a purpose; undefined when there is none. */
		async findPayload(client: string, purpose: string): Promise<unknown> {
			const since = new Date(clock.now().getTime() - OTP_RULES.requestMs)
			const alive = and(isNull(otpRequests.ended_at), gt(otpRequests.created_at, since))
			const [row] = await books.db
				.select({ payload: otpRequests.payload })
				.from(otpRequests)
				.where(and(eq(otpRequests.client, client), eq(otpRequests.purpose, purpose), alive))
			return row?.payload
		},

		/**
		 * Accepts a code once and runs its effect in the same transaction; when `effect` throws, the code stays valid. A correct code
		 * for another payload is a wrong code. Use only `tx` in `effect`, because the embedded database has one connection.
		 */
		async verify<Result>(which: Which, otp: string, effect: (tx: Queries, verified: VerifiedOtp) => Promise<Result>): Promise<Result> {
			const now = clock.now()
			const outcome = await books.db.transaction(async (tx) => {
				const { row, mistakes, isRight } = await checkCode(tx, which, otp, now)
				if (!isRight) return { refused: await countMistake(tx, settings, row, mistakes, now) }
				await tx.update(otpRequests).set({ ended_at: now, ended_because: 'USED' }).where(eq(otpRequests.id, row.id))
				return { result: await effect(tx, { id: row.id, client: row.client, payload: row.payload }) }
			})
			if ('refused' in outcome) throw outcome.refused
			return outcome.result
		},
	}
}
