import { createHash, randomUUID } from 'node:crypto'
import { type Submission } from '@conform-to/react'
import { data } from '@remix-run/node'
import { LRUCache } from 'lru-cache'
import { z } from 'zod/v4'
import { type Broker, BrokerRefusal, readFailure } from '~/broker/client.server'
import { FORM_KEY } from '~/session/drafts.server'
import { createPlainCookie, isKeyedHash, keyedHash } from '~/session/sealed-cookie.server'
import { toRefusal, describeUncertainResult, refusal, createRefusalInit, replyWith } from './form.server'
import { claimWork } from './idempotency-claims.server'

/*
 * Forms that move money or securities have an idempotency key, which the portal sends to the broker as Idempotency-Key. A form's key
 * belongs to the browser, not to the page: two tabs, a reload and the back button all show the same key until its work is done, so each
 * of them repeats the same order. The key is in the form and in a cookie, so it survives a restart of the portal.
 */

const OUT_OF_DATE = 'This form is out of date. Check it and send it again.'
const USED = 'This form was already used for another request. Check that request; to make this one too, send the form again.'

const LIFE_S = 86_400

/** `name` is the form's: `withdraw`, `ipo-bid-NOVATEC`. Two forms that do different things have different names. */
function createKeyCookie(name: string) {
	// A cookie's name must be short and ASCII. A form's name may contain a broker's reference, which can be long or not ASCII; then its
	// hash is used.
	const short = /^[A-Za-z0-9-]{1,60}$/.test(name) ? name : createHash('sha256').update(name).digest('hex').slice(0, 32)
	return createPlainCookie(`${FORM_KEY}${short}`, { maxAge: LIFE_S })
}

/** The cookie holds a keyed hash of the key's owner, so another client in the same browser cannot use the key. */
function formatKeyCookie(name: string, key: string, client: string): string {
	return createKeyCookie(name).write(`${key}.${keyedHash('once-key', `${client} ${key}`)}`)
}

/**
 * For a loader: the key for `PostForm idempotencyKey`, and the Set-Cookie that keeps it. No Set-Cookie when the browser already has a key
 * of this client.
 */
export function createIdempotencyKey(
	request: Request,
	name: string,
	{ clientCode }: Broker,
	headers = new Headers(),
): { key: string; headers: Headers } {
	const [kept = '', owner = ''] = (createKeyCookie(name).read(request) ?? '').split('.')
	if (z.uuid().safeParse(kept).success && isKeyedHash('once-key', `${clientCode} ${kept}`, owner)) return { key: kept, headers }
	const key = randomUUID()
	headers.append('set-cookie', formatKeyCookie(name, key, clientCode))
	return { key, headers }
}

/**
 * Derives a new key for the broker from a form's key and its content. The same content gives the same key. It is needed after a refusal:
 * the back button shows the form with its old key, and a broker refuses a key that it has received with other content.
 */
export function deriveKey(key: string, content: readonly unknown[]): string {
	const hex = createHash('sha256')
		.update(JSON.stringify([key, ...content]))
		.digest('hex')
	// A UUID of version 8: RFC 9562 leaves the meaning of its bits to the application.
	return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}

/** How often the broker has refused the work of a key, in this process. Redis has the count for other processes. */
const refusals = new LRUCache<string, number>({ max: 5000, ttl: 3_600_000 })

/** How the work of a key ended. All who send the same form at once get the same one. */
type Outcome<Answer> =
	| { kind: 'done'; answer: Answer }
	/** The key was used for other content. */
	| { kind: 'used' }
	| { kind: 'refused'; error: BrokerRefusal }
	/** The work was sent to the broker under `key`, and neither a success nor a refusal came back. */
	| { kind: 'lost'; key: string; failure: Response }

type Order = { client: string; name: string; key: string; content: string }
type Work = { content: string; /** Missing when the reply was lost. */ outcome?: Promise<Outcome<unknown>>; size: number }

/**
 * Recent work of this process, finished or under way, so that a double click calls the broker once. Other processes get its result
 * through Redis (idempotency-claims.server); after a restart the broker recognises the key. Limited in bytes.
 */
const recentWork = new LRUCache<string, Work>({
	max: 5000,
	maxSize: 8 * 1024 * 1024,
	sizeCalculation: ({ size }) => size,
	ttl: 3_600_000,
})
/** Size of an entry without its result, roughly, in bytes. */
const ENTRY_SIZE = 500

const formatPlace = ({ client, name, key }: Order) => `${client} ${name} ${key}`

/** Does the work once: joins the same work of this process, or starts it. */
function runOnce<Answer>(order: Order, work: (key: string) => Promise<Answer>): Promise<Outcome<Answer>> {
	const { content } = order
	const place = formatPlace(order)
	const earlier = recentWork.get(place)
	if (earlier && earlier.content !== content) return Promise.resolve({ kind: 'used' })
	if (earlier?.outcome) return earlier.outcome as Promise<Outcome<Answer>>
	const outcome = runClaimed(order, work)
	recentWork.set(place, { content, outcome, size: ENTRY_SIZE })
	outcome.then(
		(ended) => rememberEnd(order, ended),
		() => recentWork.delete(place),
	)
	return outcome
}

/** After a refusal nothing was done, so the key is free. After a lost reply it belongs to this content, and so does the key sent. */
function rememberEnd(order: Order, ended: Outcome<unknown>): void {
	const { content } = order
	const place = formatPlace(order)
	const running = recentWork.peek(place)
	if (ended.kind === 'done') {
		const size = ENTRY_SIZE + 2 * (JSON.stringify(ended.answer) ?? '').length
		if (running) recentWork.set(place, { ...running, size }, { noUpdateTTL: true })
		return
	}
	recentWork.delete(place)
	if (ended.kind === 'lost')
		for (const key of [order.key, ended.key]) recentWork.set(formatPlace({ ...order, key }), { content, size: ENTRY_SIZE })
}

/** Does the work in this process, unless another process does it or has done it. Throws what is not a reply of the broker, and a 401. */
async function runClaimed<Answer>(order: Order, work: (key: string) => Promise<Answer>): Promise<Outcome<Answer>> {
	const { key, content } = order
	const place = formatPlace(order)
	const claimed = await claimWork(place, content)
	if ('isOther' in claimed) return { kind: 'used' }
	if ('answer' in claimed) return { kind: 'done', answer: claimed.answer as Answer }
	const { claim } = claimed
	const refused = Math.max(claimed.refused, refusals.get(place) ?? 0)
	const sent = refused > 0 ? deriveKey(key, [content, refused]) : key
	try {
		const answer = await work(sent)
		await claim.keep(answer)
		return { kind: 'done', answer }
	} catch (thrown) {
		if (isLost(thrown)) {
			await claim.release()
			return { kind: 'lost', key: sent, failure: thrown }
		}
		if (isRefused(thrown)) refusals.set(place, (refusals.get(place) ?? 0) + 1)
		await claim.forget(isRefused(thrown))
		const error = await toRefusal(thrown)
		if (error instanceof BrokerRefusal) return { kind: 'refused', error }
		throw error
	}
}

function isLost(error: unknown): error is Response {
	return error instanceof Response && error.status >= 500
}

/** The broker refused and did nothing. A 409 does not count: it may mean that the key has already done other work. */
function isRefused(error: unknown): boolean {
	return error instanceof BrokerRefusal && error.status !== 409
}

/** The content of a form as a SHA-256 of its known fields. `asked` has the values that a page adds because they are not in its form. */
function hashContent<Value>(submission: Submission<Value>, form: FormData): string {
	const known = submission.status === 'success' ? submission.value : undefined
	return createHash('sha256')
		.update(JSON.stringify([known, form.get('asked')]))
		.digest('base64url')
}

/** A copy: V8 keeps the whole body in memory while any part cut out of it is in use. */
function readKey(form: FormData): string | undefined {
	const sent = z.uuid().safeParse(form.get('idempotency_key')).data
	return sent && Buffer.from(sent).toString()
}

type Done<Answer> = { answer: Answer; headers: Headers }
/** `status` is that of the broker's refusal; missing after a lost reply. */
export type Refused = { again: ReturnType<typeof replyAgain>; status?: number }

function replyAgain<Value>(submission: Submission<Value>, key: string, status: number, error: BrokerRefusal | string, headers: Headers) {
	const result = typeof error === 'string' ? replyWith(submission, { formErrors: [error] }) : refusal(submission, error)
	return data({ key, result }, { status, headers })
}

/**
 * Does the work of a form once per key. `work` gets the key for the broker's call. Returns the broker's result, with headers for the
 * redirect (they give the next form a new key); or `again`, which the action returns: the form with its message, and the `key` that
 * readIdempotencyKey reads: a new key after a refusal, which did nothing; after a lost reply the key that was sent to the broker. Throws
 * a 401 and everything that is not a reply of the broker.
 */
export async function runIdempotent<Value, Answer>(
	{ broker, name, form, submission }: { broker: Broker; name: string; form: FormData; submission: Submission<Value> },
	work: (idempotencyKey: string) => Promise<Answer>,
): Promise<Done<Answer> | Refused> {
	const client = broker.clientCode
	const next = randomUUID()
	const headers = new Headers({ 'set-cookie': formatKeyCookie(name, next, client) })
	const key = readKey(form)
	if (!key) return { again: replyAgain(submission, next, 400, OUT_OF_DATE, headers) }
	const outcome = await runOnce({ client, name, key, content: hashContent(submission, form) }, work)
	switch (outcome.kind) {
		case 'done':
			return { answer: outcome.answer, headers }
		case 'used':
			return { again: replyAgain(submission, next, 422, USED, headers) }
		case 'refused': {
			const { error } = outcome
			const { status, headers: more = {} } = createRefusalInit(error)
			for (const [header, value] of Object.entries(more)) headers.set(header, value)
			return { again: replyAgain(submission, next, status, error, headers), status: error.status }
		}
		case 'lost': {
			// It may have been done, so another request needs another key. The form gets the key that the broker has: a repeat then needs no
			// count of refusals, which ends with the process or after an hour.
			headers.set('set-cookie', formatKeyCookie(name, outcome.key, client))
			const message = describeUncertainResult(await readFailure(outcome.failure))
			return { again: replyAgain(submission, outcome.key, outcome.failure.status, message, headers) }
		}
	}
}
