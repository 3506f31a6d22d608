import { createHash } from 'node:crypto'
import { createMiddleware } from 'hono/factory'
import { type SandboxEnv } from '#sandbox/types'

const KEPT = 1000

/** Headers whose values tests need. Of other headers the log has only the names. */
const SHOWN = new Set([
	'auth-token',
	'authtoken',
	'client-code',
	'idempotency-key',
	'hard-refresh',
	'content-type',
	'content-length',
	'accept',
	'user-agent',
])

export type LoggedRequest = {
	time: string
	method: string
	path: string
	/** The operation's id; null for an unknown one. */
	operation: string | null
	query: Record<string, string>
	headers: Record<string, string>
	header_names: string[]
	/** Null until the response is sent. */
	status: number | null
	took_ms: number | null
	/** True when the caller disconnected before it had the whole response. */
	aborted: boolean
}

const SECRET_HEADERS = new Set(['auth-token', 'authtoken', 'pwd-reset-token'])
const SECRET_FIELD = /token|session|password|otp/i

/** The first 16 digits of a token's SHA-256. Tests that have the token can recognise it; nobody can read the token from it. */
const fingerprint = (secret: string) => `sha256:${createHash('sha256').update(secret).digest('hex').slice(0, 16)}`

const hideSecrets = (values: Record<string, string>, isSecret: (name: string) => boolean) =>
	Object.fromEntries(Object.entries(values).map(([name, value]) => [name, isSecret(name) ? fingerprint(value) : value]))

/** Records the last requests to the broker's API, for tests and people. Fingerprints replace tokens and codes. */
export function createRequestLog() {
	const entries: LoggedRequest[] = []

	const middleware = createMiddleware<SandboxEnv>(async (c, next) => {
		const started = performance.now()
		const names = [...c.req.raw.headers.keys()]
		const entry: LoggedRequest = {
			time: new Date().toISOString(),
			method: c.req.method,
			path: c.req.path,
			operation: c.var.operation?.id ?? null,
			query: hideSecrets(c.req.query(), (name) => SECRET_FIELD.test(name)),
			headers: hideSecrets(Object.fromEntries([...c.req.raw.headers].filter(([name]) => SHOWN.has(name))), (name) =>
				SECRET_HEADERS.has(name),
			),
			header_names: names,
			status: null,
			took_ms: null,
			aborted: false,
		}
		entries.push(entry)
		if (entries.length > KEPT) entries.shift()
		c.req.raw.signal.addEventListener('abort', () => (entry.aborted = true), { once: true })
		await next()
		entry.status = c.res.status
		entry.took_ms = Math.round((performance.now() - started) * 10) / 10
	})

	return {
		middleware,
		/** Oldest first. */
		list: (): readonly LoggedRequest[] => entries,
		clear: (): void => void entries.splice(0),
	}
}
export type RequestLog = ReturnType<typeof createRequestLog>
