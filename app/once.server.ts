import { randomUUID } from 'node:crypto'
import { type Submission } from '@conform-to/react'
import { data } from '@remix-run/node'
import { parse, serialize } from 'hono/utils/cookie'
import { LRUCache } from 'lru-cache'
import { z } from 'zod/v4'
import { type Broker, BrokerRefusal } from '~/broker/client.server'
import { refusal } from '~/forms.server'
import { cookieName, cookieOptions } from '~/seal.server'

/*
 * Money and securities move once. Every form that moves them carries a key, which becomes the broker's Idempotency-Key. The key of a form is
 * the browser's, not the page's: two tabs, a reload and the back button all show the same one until it has done its work, so whichever of
 * them is sent, and however often, it is the same order. It lives in the form and in a cookie, so a restart of the portal changes nothing.
 */

/** In words for the client, after a post whose answer got lost. */
const LOST = 'The broker did not answer, so this may already have been done. Trying again cannot do it twice.'
const OUT_OF_DATE = 'This form is out of date. Check it and send it again.'
const USED = 'Something else has already been asked for with this form. See whether that was it; to ask for this too, send it again.'

const LIFE_S = 86_400

/** `form` names the form: `withdraw`, `ipo-bid-NOVATEC`. Two forms that do different things have different names. */
function cookieOf(form: string): string {
	return cookieName(`once-${form.replace(/[^A-Za-z0-9-]/g, '_').slice(0, 60)}`)
}

function keeping(form: string, key: string): string {
	return serialize(cookieOf(form), key, { ...cookieOptions, maxAge: LIFE_S })
}

/** For a loader: the key for `PostForm idempotencyKey`, and the Set-Cookie that keeps it (none when the browser has it already). */
export function onceKey(request: Request, form: string, headers = new Headers()): { key: string; headers: Headers } {
	const kept = z.uuid().safeParse(parse(request.headers.get('cookie') ?? '')[cookieOf(form)])
	if (kept.success) return { key: kept.data, headers }
	const key = randomUUID()
	headers.append('set-cookie', keeping(form, key))
	return { key, headers }
}

/**
 * What was done lately by this process, or is being done: a double click asks the broker once. Beyond it, in another process or after a
 * restart, the broker knows the key.
 */
const doneLately = new LRUCache<string, { content: string; /** None when it got lost. */ answer?: Promise<unknown> }>({
	max: 5000,
	ttl: 3_600_000,
})

type Done<Answer> = { answer: Answer; headers: Headers }
type Again = { again: ReturnType<typeof showAgain> }

function showAgain<Value>(submission: Submission<Value>, key: string, status: number, error: BrokerRefusal | string, headers: Headers) {
	const result = typeof error === 'string' ? submission.reply({ formErrors: [error] }) : refusal(submission, error)
	return data({ key, result }, { status, headers })
}

/**
 * Does what a form asks for, once for its key. `work` gets the key for the broker's call. Answers what the broker answered, with headers that
 * the redirect must carry (the next form is another order); or `again`, to be returned from the action: the form with its message,
 * and `key` for its `PostForm`, `sent?.key ?? key`: a new one after a refusal, which did nothing; the same after an answer that got
 * lost. A 401 and what is no answer of the broker's are thrown on.
 */
export async function once<Value, Answer>(
	broker: Broker,
	form: string,
	fields: FormData,
	submission: Submission<Value>,
	work: (idempotencyKey: string) => Promise<Answer>,
): Promise<Done<Answer> | Again> {
	const next = randomUUID()
	const headers = new Headers({ 'set-cookie': keeping(form, next) })
	const key = z.uuid().safeParse(fields.get('idempotency_key')).data
	if (!key) return { again: showAgain(submission, next, 400, OUT_OF_DATE, headers) }
	const place = `${broker.clientCode} ${form} ${key}`
	const content = JSON.stringify([...fields].filter(([, value]) => typeof value === 'string').sort())
	const earlier = doneLately.get(place)
	if (earlier && earlier.content !== content) return { again: showAgain(submission, next, 409, USED, headers) }
	try {
		if (earlier?.answer) return { answer: (await earlier.answer) as Answer, headers }
		const answer = work(key)
		doneLately.set(place, { content, answer })
		return { answer: await answer, headers }
	} catch (error) {
		doneLately.delete(place)
		if (error instanceof BrokerRefusal) {
			const status = error.status === 409 || error.status === 429 ? error.status : 422
			return { again: showAgain(submission, next, status, error, headers) }
		}
		if (!(error instanceof Response) || error.status < 500) throw error
		// It may have been done: another wish needs another key.
		doneLately.set(place, { content })
		return { again: showAgain(submission, key, error.status, LOST, new Headers({ 'set-cookie': keeping(form, key) })) }
	}
}
