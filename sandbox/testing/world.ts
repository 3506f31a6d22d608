import { type z } from 'zod/v4'
import { createSandbox } from '#sandbox/app'
import { type Books } from '#sandbox/db/open'
import { PASSWORD } from '#sandbox/db/seed/personas'
import { readStored, type StoredBank } from '#sandbox/modifications/stored'
import { readSettings } from '#sandbox/settings'
import { parseWhole, type Whole } from './reader'

/** Clients who take steps. The books have other clients, who do nothing. */
export const ACTORS = ['DEMO01', 'CASH01', 'DEBT01', 'CLOS01'] as const
export type Actor = (typeof ACTORS)[number]

/**
 * Monday morning: markets, banks and bids are open. It is not the machine's time, so that a seed makes the same sequence on every day.
 */
const START = new Date('2026-11-23T10:30:00+05:30').getTime()
const DAY_MS = 86_400_000

type Sent = { who: Actor; path: string; body: string; key: string; at: number; status: number; text: string }
/** A form outside the API: of a bank, the depository, an e-sign provider or a UPI app. */
export type Page = { path: string; fields: Record<string, string> }

/**
 * Clients of a sandbox whose clock stands still until it is moved. Throws for replies that no client may ever get: a 5xx, and two
 * different replies for one key.
 */
export async function createWorld(books: Books) {
	let ahead = 0
	const clock = { now: () => new Date(START + ahead) }
	const app = createSandbox({ books, clock, settings: readSettings({ LOG_LEVEL: 'silent', PUBLIC_URL: 'https://portal.test' }) })
	const banks = new Map<Actor, StoredBank>()
	for (const who of ACTORS) {
		const [bank] = (await readStored(books.db, who)).banks
		if (bank) banks.set(who, bank)
	}
	const sent: Sent[] = []
	const { request, read, send } = createCalls(app)

	return {
		clock,
		banks,
		read,
		/** Posts with a new key, and sends the same request `times` times at once. Returns the data of a success. */
		async post(who: Actor, path: string, body: object, times = 1): Promise<unknown> {
			const asked = { who, path, body: JSON.stringify(body), key: `a-key-of-the-model-${String(sent.length).padStart(6, '0')}` }
			const place = sent.push({ ...asked, at: clock.now().getTime(), status: 0, text: '' }) - 1
			const answers = await Promise.all(Array.from({ length: times }, () => send(asked)))
			requireSame(path, answers)
			const [first = { status: 0, text: '' }] = answers
			sent[place] = { ...asked, at: clock.now().getTime(), ...first }
			return first.status === 200 ? (JSON.parse(first.text) as { data: unknown }).data : undefined
		},
		/** Posts a request that changes nothing by itself, such as one for a code, and has no key. */
		async ask(who: Actor, path: string, body: object): Promise<void> {
			const answer = await request(who, path, { method: 'POST', body: JSON.stringify(body) })
			if (answer.status >= 500) throw new Error(`${who} ${path}: ${answer.status} ${await answer.text()}`)
		},
		/** Sends an earlier request again, with its key. */
		async repeat(pick: number): Promise<void> {
			const earlier = choose(sent, pick)
			if (!earlier) return
			const again = await send(earlier)
			// The response is cached for a day. After that the stored row has the key, and the totals show whether it was made twice.
			if (clock.now().getTime() - earlier.at < DAY_MS && earlier.status > 0) requireSame(earlier.path, [earlier, again])
		},
		/** Presses a button of a page, `times` times at once. */
		async press({ path, fields }: Page, outcome: string, times = 1): Promise<void> {
			const press = () => app.request(path, { method: 'POST', body: new URLSearchParams({ ...fields, outcome }) })
			const answers = await Promise.all(Array.from({ length: times }, press))
			for (const { status } of answers) if (status >= 500) throw new Error(`${path} ${outcome}: ${status}`)
		},
		/** Asks the exchange for the state of a client's mandates. */
		refresh: (who: Actor, exchange: 'NSE' | 'BSE') =>
			request(who, `/ipo/v1/update-ipo-mandate-status?exchange=${exchange}&source=connect`, { method: 'PUT' }),
		wait: (minutes: number) => void (ahead += minutes * 60_000),
	}
}
export type World = Awaited<ReturnType<typeof createWorld>>

/** Calls of each client, with a login when needed. */
function createCalls(app: ReturnType<typeof createSandbox>) {
	const tokens = new Map<Actor, Promise<string>>()

	async function logIn(who: Actor): Promise<string> {
		const body = JSON.stringify({ username: who, password: PASSWORD })
		const answer = await app.request('/v2/user/login', { method: 'POST', headers: { 'content-type': 'application/json' }, body })
		return ((await answer.json()) as { data: { authToken: string } }).data.authToken
	}

	async function request(who: Actor, path: string, init: RequestInit & { headers?: Record<string, string> } = {}): Promise<Response> {
		// Calls made together share one login, so that they arrive together.
		const token = tokens.get(who) ?? logIn(who)
		tokens.set(who, token)
		const own = { 'auth-token': await token, 'client-code': who, 'content-type': 'application/json' }
		const answer = await app.request(path, { ...init, headers: { ...own, ...init.headers } })
		if (answer.status !== 401) return answer
		if (tokens.get(who) === token) tokens.delete(who)
		return await request(who, path, init)
	}

	async function read<Data extends z.ZodType>(who: Actor, path: string, schema: Data): Promise<Whole<z.output<Data>>> {
		const answer = await request(who, path)
		const text = await answer.text()
		if (answer.status !== 200) throw new Error(`${who} ${path}: ${answer.status} ${text}`)
		return parseWhole(schema, (JSON.parse(text) as { data: unknown }).data)
	}

	async function send({ who, path, body, key }: Pick<Sent, 'who' | 'path' | 'body' | 'key'>) {
		const answer = await request(who, path, { method: 'POST', body, headers: { 'idempotency-key': key } })
		const text = await answer.text()
		if (answer.status >= 500) throw new Error(`${who} ${path} ${body}: ${answer.status} ${text}`)
		return { status: answer.status, text }
	}

	return { request, read, send }
}

function requireSame(path: string, answers: readonly { status: number; text: string }[]): void {
	const said = new Set(answers.map(({ status, text }) => `${status} ${text}`))
	if (said.size > 1) throw new Error(`One key, ${said.size} answers of ${path}:\n${[...said].join('\n')}`)
}

/** Chooses one item of a list by a number from 0 to 1. */
export function choose<Item>(items: readonly Item[], pick: number): Item | undefined {
	return items[Math.min(items.length - 1, Math.floor(pick * items.length))]
}
