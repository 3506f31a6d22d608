import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { and, eq, gt, isNull, lt, sql } from 'drizzle-orm'
import { createMiddleware } from 'hono/factory'
import { Refused, invalidField } from '#sandbox/api/responses'
import { requireChangeable } from '#sandbox/closure/requests'
import { type Books } from '#sandbox/db/open'
import { clients, sessions } from '#sandbox/db/schema'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'

const TOKEN_EXPIRED = 'Token has expired'
const SESSION_MS = 12 * 3_600_000

function hashToken(token: string): string {
	return createHash('sha256').update(token).digest('hex')
}

/** The scope of a session: all calls of its client, or one report. */
type SessionScope = 'CLIENT' | 'REPORT'

/** Opens a session and returns its token. The token is not stored; the table has only its hash. */
export async function openSession(
	{ books, clock }: SandboxParts,
	client: string,
	scope: SessionScope = 'CLIENT',
): Promise<{ token: string; sessionId: string }> {
	const token = randomBytes(32).toString('base64url')
	const sessionId = randomUUID()
	const now = clock.now()
	await books.db.delete(sessions).where(lt(sessions.expires_at, new Date(now.getTime() - 86_400_000)))
	await books.db.insert(sessions).values({
		token_hash: hashToken(token),
		session_id: sessionId,
		client,
		scope,
		expires_at: new Date(now.getTime() + SESSION_MS),
	})
	return { token, sessionId }
}

/** Revokes one session. From now on a call with its token gets the message `because`. */
export async function revokeSession({ books, clock }: SandboxParts, tokenHash: string, because = TOKEN_EXPIRED): Promise<void> {
	await books.db.update(sessions).set({ revoked_at: clock.now(), revoked_because: because }).where(eq(sessions.token_hash, tokenHash))
}

/** Revokes every session of a client and returns their number. */
export async function revokeSessions({ books, clock }: SandboxParts, client: string, because = TOKEN_EXPIRED): Promise<number> {
	const ended = await books.db
		.update(sessions)
		.set({ revoked_at: clock.now(), revoked_because: because })
		.where(and(eq(sessions.client, client), isNull(sessions.revoked_at)))
		.returning({ hash: sessions.token_hash })
	return ended.length
}

/** Codes of the clients who are signed in now. */
export async function listSignedIn({ books, clock }: Pick<SandboxParts, 'books' | 'clock'>): Promise<string[]> {
	const open = and(isNull(sessions.revoked_at), gt(sessions.expires_at, clock.now()))
	const rows = await books.db.selectDistinct({ client: sessions.client }).from(sessions).where(open).orderBy(sessions.client)
	return rows.map(({ client }) => client)
}

/** Every call needs its session, so this query is prepared. */
const prepareSession = ({ db }: Books) =>
	db
		.select({ session: sessions, name: clients.name, isDormant: clients.is_dormant })
		.from(sessions)
		.innerJoin(clients, eq(clients.code, sessions.client))
		.where(eq(sessions.token_hash, sql.placeholder('hash')))
		.prepare('session')

async function findSession(prepared: ReturnType<typeof prepareSession>, token: string, now: Date) {
	const [found] = await prepared.execute({ hash: hashToken(token) })
	if (found === undefined || found.session.expires_at <= now) throw new Refused(401, TOKEN_EXPIRED)
	if (found.session.revoked_at !== null) throw new Refused(401, found.session.revoked_because ?? TOKEN_EXPIRED)
	return found
}

/** Accepts only a token of the client that the call names. A call needs a token unless its description says otherwise. */
export function requireToken({ books, clock }: SandboxParts) {
	const prepared = prepareSession(books)
	return createMiddleware<SandboxEnv>(async (c, next) => {
		const { operation } = c.var
		if (operation?.isPublic) return await next()
		const token = c.req.header('auth-token') ?? c.req.header('authToken')
		if (!token) throw new Refused(401, 'Authentication token is missing')
		const { session, name, isDormant } = await findSession(prepared, token, clock.now())
		const named = c.req.header('client-code')
		if (!named) throw invalidField('client-code', 'client-code header is required')
		const alsoNamed = c.req.query('client_code')
		if (named !== session.client || (alsoNamed !== undefined && alsoNamed !== session.client)) {
			throw new Refused(403, 'Client code does not match the session')
		}
		if (session.scope !== 'CLIENT' && !operation?.isOpenToLinks) throw new Refused(403, 'This link opens its report only')
		if (isDormant && !operation?.isOpenToDormant) throw new Refused(403, 'Account is dormant. Please complete re-KYC')
		if (operation?.changes && !operation.isOpenToClosing) await requireChangeable(books, session.client, clock.now())
		c.set('client', { code: session.client, name, isDormant, tokenHash: session.token_hash })
		return await next()
	})
}
