import { createHash } from 'node:crypto'
import { and, eq, isNull, lt } from 'drizzle-orm'
import { type Context } from 'hono'
import { createMiddleware } from 'hono/factory'
import { type Books } from '#sandbox/db/open'
import { idempotency } from '#sandbox/db/schema'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { invalidField, Refused } from './responses'

const KEPT_MS = 86_400_000
const WAIT_MS = 10_000
const POLL_MS = 50
/** No call takes this long. A call without a response by then has failed, or its process has ended. */
const DEAD_MS = 60_000

/**
 * Makes a change once per Idempotency-Key. A repeat gets the first response; a repeat with another body gets 409. A repeat during the
 * first call waits for it. A failure (5xx) changed nothing, so its key is deleted. When a call never got a response, its next repeat
 * makes it again; code that moves money then finds its row by the same key and returns that.
 */
export function enforceIdempotency({ books, clock }: Pick<SandboxParts, 'books' | 'clock'>) {
	return createMiddleware<SandboxEnv>(async (c, next) => {
		const key = c.req.header('idempotency-key')
		const { operation, client } = c.var
		if (key === undefined || !operation?.changes) return await next()
		if (!/^[A-Za-z0-9-]{16,64}$/.test(key))
			throw invalidField('Idempotency-Key', 'Idempotency-Key must be 16 to 64 letters, digits or hyphens')
		const now = clock.now()
		await books.db.delete(idempotency).where(lt(idempotency.created_at, new Date(now.getTime() - KEPT_MS)))
		const body_hash = await hashBody(c)
		const claim = { client: client.code, key, operation: operation.id, body_hash, created_at: now }
		const claimed = await books.db.insert(idempotency).values(claim).onConflictDoNothing().returning({ key: idempotency.key })
		if (claimed.length === 0 && !(await takeOver(books, claim))) return await repeatResponse(books, claim)
		// Only while this call owns the claim: a call that was given up and returns later must not undo its replacement.
		const own = and(eq(idempotency.client, client.code), eq(idempotency.key, key), eq(idempotency.created_at, now))
		await next()
		const isJson = c.res.headers.get('content-type')?.startsWith('application/json') ?? false
		if (c.res.status >= 500 || !isJson) await books.db.delete(idempotency).where(own)
		else
			await books.db
				.update(idempotency)
				.set({ status: c.res.status, answer: await c.res.clone().text() })
				.where(own)
		return undefined
	})
}

type Claim = Pick<typeof idempotency.$inferSelect, 'client' | 'key' | 'operation' | 'body_hash' | 'created_at'>

/** Claims the key of a request that never got a response. Of several callers one gets it. */
async function takeOver({ db }: Books, { client, key, operation, body_hash, created_at }: Claim): Promise<boolean> {
	const same = and(eq(idempotency.client, client), eq(idempotency.key, key), eq(idempotency.operation, operation))
	const isDead = and(isNull(idempotency.status), lt(idempotency.created_at, new Date(created_at.getTime() - DEAD_MS)))
	const taken = await db
		.update(idempotency)
		.set({ created_at })
		.where(and(same, eq(idempotency.body_hash, body_hash), isDead))
		.returning({ key: idempotency.key })
	return taken.length > 0
}

async function repeatResponse(books: Books, claim: Claim) {
	const own = and(eq(idempotency.client, claim.client), eq(idempotency.key, claim.key))
	for (let waited = 0; waited < WAIT_MS; waited += POLL_MS) {
		const [first] = await books.db.select().from(idempotency).where(own)
		if (first === undefined) break
		if (first.body_hash !== claim.body_hash || first.operation !== claim.operation) {
			throw new Refused(409, 'This form was already used for another request')
		}
		if (first.status !== null && first.answer !== null) {
			const headers = { 'content-type': 'application/json', 'idempotency-replayed': 'true' }
			return new Response(first.answer, { status: first.status, headers })
		}
		await new Promise((resolve) => setTimeout(resolve, POLL_MS))
	}
	// The result is still unknown. That is not a refusal: the client may repeat the call with the same key.
	throw new Refused(503, 'The first request with this Idempotency-Key is not finished', null, { 'retry-after': '5' })
}

/** Hashes the query and body. The same fields give the same hash; a form's random boundary has no effect. */
async function hashBody(c: Context<SandboxEnv>): Promise<string> {
	const hash = createHash('sha256').update(new URL(c.req.url).search)
	if (!c.req.header('content-type')?.startsWith('multipart/form-data')) {
		return hash.update(new Uint8Array(await c.req.arrayBuffer())).digest('hex')
	}
	for (const [name, value] of await c.req.formData()) {
		hash.update(`\0${name}\0`).update(typeof value === 'string' ? value : new Uint8Array(await value.arrayBuffer()))
	}
	return hash.digest('hex')
}
