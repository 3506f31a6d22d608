import { createHash, randomBytes } from 'node:crypto'
import { and, eq, isNull } from 'drizzle-orm'
import { Hono } from 'hono'
import { LRUCache } from 'lru-cache'
import { z } from 'zod/v4'
import {
	PasswordResetKey,
	PasswordResetOtp,
	PasswordResetRequest,
	PasswordResetSent,
	ResetPasswordRequest,
	UpdatePasswordRequest,
} from '#contract/passwords'
import { describeOperation } from '#sandbox/api/describe-operation'
import { sendData, parseBody, Refused } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { findClient, findClientByUsername } from '#sandbox/clients/clients'
import { resetKeys } from '#sandbox/db/schema'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { createOtpService } from './otp'
import { isPassword } from './password-hash'
import { setPassword } from './set-password'

/** Wrong current passwords that one client may send before a pause. Without this limit, an open session would allow guessing. */
const TRIES = 5
const PAUSE_MS = 900_000

/** The purpose of the codes. A request for an unknown name gets the same reply and does the same work. */
const PURPOSE = 'password'
const SENT = 'If the user exists, an OTP has been sent to the registered mobile'

/** How long the key of a correct code is valid, in milliseconds. */
const KEY_LIFE_MS = 600_000
const KEY_EXPIRED = 'Password reset key has expired'

/** Changing a known password, and resetting a forgotten one by a code to the registered mobile. */
export function passwordCalls(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	const otps = createOtpService(parts)
	const tallies = new LRUCache<string, Tally>({ max: 10_000 })
	addUpdatePassword(routes, parts, tallies)
	addRequestPasswordReset(routes, parts, otps)
	addResendPasswordResetOtp(routes, otps)
	addVerifyPasswordResetOtp(routes, parts, otps)
	addResetPassword(routes, parts)
	return routes
}

type Tally = { wrong: number; until: number }
type Tallies = LRUCache<string, Tally>

function requireTries({ clock }: SandboxParts, tallies: Tallies, code: string): void {
	const tally = tallies.get(code)
	const left = (tally?.until ?? 0) - clock.now().getTime()
	if (tally === undefined || left <= 0) return void tallies.delete(code)
	if (tally.wrong < TRIES) return
	const seconds = Math.ceil(left / 1000)
	throw new Refused(429, 'Too many attempts. Please try again later', { retry_after: seconds }, { 'retry-after': String(seconds) })
}

/** Counts a try before the password is checked; a correct password clears the count. So five tries at once count as five. */
function countTry(parts: SandboxParts, tallies: Tallies, code: string): void {
	const { clock } = parts
	requireTries(parts, tallies, code)
	tallies.set(code, { wrong: (tallies.get(code)?.wrong ?? 0) + 1, until: clock.now().getTime() + PAUSE_MS })
}

function addUpdatePassword(routes: Hono<SandboxEnv>, parts: SandboxParts, tallies: Tallies) {
	const { books } = parts
	routes.post(
		'/v1/user/update-password',
		describeOperation({
			id: 'updatePassword',
			summary: 'Change the password',
			query: Source,
			body: UpdatePasswordRequest,
			data: z.null(),
		}),
		async (c) => {
			const { old_password, new_password } = await parseBody(c, UpdatePasswordRequest)
			const client = await findClient(books, c.var.client.code)
			if (client === undefined) throw new Refused(401, 'Token has expired')
			countTry(parts, tallies, client.code)
			if (!(await isPassword(old_password, client.passwordHash))) throw new Refused(422, 'Current password is incorrect')
			tallies.delete(client.code)
			await setPassword(parts, client, new_password, 'changed')
			return sendData(c, 'Password changed successfully', null)
		},
	)
}

function addRequestPasswordReset(routes: Hono<SandboxEnv>, { books }: SandboxParts, otps: ReturnType<typeof createOtpService>) {
	routes.post(
		'/v1/user/forgot-password',
		describeOperation({
			id: 'requestPasswordReset',
			summary: 'Forgot password: send an OTP',
			isPublic: true,
			body: PasswordResetRequest,
			data: PasswordResetSent,
		}),
		async (c) => {
			const { username } = await parseBody(c, PasswordResetRequest)
			const client = await findClientByUsername(books, username)
			const { request_id } = await otps.issue({
				client: client?.code ?? username.toUpperCase(),
				purpose: PURPOSE,
				payload: {},
				recipients: client ? [{ channel: 'SMS', address: client.profile.personal_details.mobile }] : [],
				what: 'reset your password',
			})
			return sendData(c, SENT, { request_id } satisfies z.input<typeof PasswordResetSent>)
		},
	)
}

function addResendPasswordResetOtp(routes: Hono<SandboxEnv>, otps: ReturnType<typeof createOtpService>) {
	routes.post(
		'/v1/user/forgot-password-resend',
		describeOperation({
			id: 'resendPasswordResetOtp',
			summary: 'Forgot password: resend the OTP',
			isPublic: true,
			body: PasswordResetSent,
			data: PasswordResetSent,
		}),
		async (c) => {
			const { request_id } = await parseBody(c, PasswordResetSent)
			await otps.resend({ requestId: request_id, purpose: PURPOSE })
			return sendData(c, SENT, { request_id } satisfies z.input<typeof PasswordResetSent>)
		},
	)
}

function addVerifyPasswordResetOtp(routes: Hono<SandboxEnv>, { clock }: SandboxParts, otps: ReturnType<typeof createOtpService>) {
	routes.post(
		'/v1/user/forgot-password-verify',
		describeOperation({
			id: 'verifyPasswordResetOtp',
			summary: 'Forgot password: verify the OTP',
			isPublic: true,
			body: PasswordResetOtp,
			data: PasswordResetKey,
		}),
		async (c) => {
			const { request_id, otp } = await parseBody(c, PasswordResetOtp)
			const key = randomBytes(32).toString('base64url')
			await otps.verify({ requestId: request_id, purpose: PURPOSE }, otp, async (tx, { client }) => {
				const expires_at = new Date(clock.now().getTime() + KEY_LIFE_MS)
				await tx.insert(resetKeys).values({ key_hash: hashKey(key), client, expires_at })
			})
			return sendData(c, 'OTP verified', { pwdResetToken: key } satisfies z.input<typeof PasswordResetKey>)
		},
	)
}

function addResetPassword(routes: Hono<SandboxEnv>, parts: SandboxParts) {
	const { books, clock } = parts
	routes.post(
		'/v1/user/reset-password',
		describeOperation({
			id: 'resetPassword',
			summary: 'Forgot password: set the new password',
			isPublic: true,
			body: ResetPasswordRequest,
			data: z.null(),
		}),
		async (c) => {
			const key_hash = hashKey(c.req.header('pwd-reset-token') ?? '')
			const [key] = await books.db.select().from(resetKeys).where(eq(resetKeys.key_hash, key_hash))
			const client = key && (await findClient(books, key.client))
			if (key === undefined || client === undefined) throw new Refused(401, 'Password reset key is missing or wrong')
			const { new_password } = await parseBody(c, ResetPasswordRequest)
			if (key.used_at !== null || key.expires_at <= clock.now()) throw new Refused(410, KEY_EXPIRED)
			await setPassword(parts, client, new_password, 'reset', async (tx) => {
				const unused = and(eq(resetKeys.key_hash, key_hash), isNull(resetKeys.used_at))
				const used = await tx.update(resetKeys).set({ used_at: clock.now() }).where(unused).returning({ client: resetKeys.client })
				if (used.length === 0) throw new Refused(410, KEY_EXPIRED)
			})
			return sendData(c, 'Password reset successfully. Please login', null)
		},
	)
}

function hashKey(key: string): string {
	return createHash('sha256').update(key).digest('hex')
}
