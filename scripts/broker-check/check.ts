import { OPTIONAL_OPERATIONS, REQUIRED_OPERATIONS } from '#contract/operations'
import { toIndianDay } from '#contract/values/dates'
import { findFinancialYear } from '#contract/values/financial-year'
import { login, logout } from '~/broker/auth.server'
import { BrokerRefusal, type Broker, readFailure } from '~/broker/client.server'
import { type Caller, type Seen } from './connection'
import { type Facts, type Probe, READINGS } from './readings'

/** `skipped` was not called: it changes something, or needed input was missing. */
export type State = 'ok' | 'remarks' | 'unreadable' | 'absent' | 'skipped'

export type Result = {
	id: string
	call: string
	isRequired: boolean
	state: State
	/** Milliseconds; undefined when it was not called. */
	ms?: number
	/** Names of fields and codes, never values, because values are data of a client. */
	detail: string
	/** What the result means for each page. */
	means: string
}

type Operation = { id: string; call: string; pages: string; adds?: string }

const OPERATIONS: readonly Operation[] = [...REQUIRED_OPERATIONS, ...OPTIONAL_OPERATIONS].map(({ method, path, ...rest }) => ({
	...rest,
	call: `${method} ${path}`,
}))

type Options = {
	username: string
	password: string
	/** Writing operations, for a test client. */
	writings?: Record<string, Probe>
	link?: Facts['link']
	/** Called with each result when it is known. */
	onResult?: (result: Result) => void
}

/** Logs in, calls every operation that it can, and logs out. Returns the results in the order of the list in the contract. */
export async function checkBroker(caller: Caller, { username, password, writings = {}, link, onResult }: Options): Promise<Result[]> {
	const results = new Map<string, Result>()
	async function check(id: string, ask: (broker: Broker) => Promise<unknown>) {
		const result = await judge(id, await caller.run(ask))
		results.set(id, result)
		onResult?.(result)
	}

	let isDormant = false
	await check('login', async (broker) => {
		const { authToken, clientCode, isDormate } = await login(broker, { username, password })
		caller.login = { token: authToken, clientCode }
		isDormant = isDormate
	})
	if (caller.login) {
		const day = toIndianDay()
		const facts: Facts = { today: day, year: findFinancialYear(day), isDormant, link }
		for (const [id, probe] of Object.entries({ ...READINGS, ...writings })) {
			let isAsked = true
			const ask = async (broker: Broker) => {
				const answer = probe(broker, facts)
				if (answer === undefined) isAsked = false
				return answer
			}
			const seen = await caller.run(ask)
			// A call that got no reply in time, or was cut, was asked too.
			if (!isAsked || (seen.replies.length === 0 && seen.thrown === undefined)) continue
			const result = await judge(id, seen)
			results.set(id, result)
			onResult?.(result)
		}
		await check('logout', (broker) => logout(broker))
	}
	return OPERATIONS.map(({ id }) => results.get(id) ?? skip(id))
}

function findOperation(id: string): Operation & { isRequired: boolean } {
	const found = OPERATIONS.find((each) => each.id === id)
	if (!found) throw new Error(`${id} is no operation of the contract`)
	return { ...found, isRequired: found.adds === undefined }
}

function skip(id: string): Result {
	const { call, isRequired, pages } = findOperation(id)
	const detail = id in READINGS ? 'nothing to ask it with: this client has no such data' : 'changes something: try it on its page'
	return { id, call, isRequired, state: 'skipped', detail, means: pages }
}

async function judgeThrown(thrown: unknown, seen: Seen, isRequired: boolean): Promise<[State, string]> {
	const last = seen.replies.at(-1)
	const status = last?.status ?? 0
	if (status === 405 || status === 501 || (!isRequired && (status === 403 || (status === 200 && !last?.isJson))))
		return ['absent', `${status}`]
	if (status === 404) return last?.isJson && isRequired ? ['remarks', NO_DATA] : ['absent', '404']
	if (thrown instanceof BrokerRefusal) return ['remarks', `refused with ${thrown.answered}: ${thrown.message}`]
	const failure = await readFailure(thrown)
	if (!failure) return ['unreadable', thrown instanceof Response ? `${thrown.status}` : String(thrown)]
	const event = seen.events.findLast(({ event }) => event === 'broker_failed') ?? {}
	const why = [event.mismatch, event.error, event.type, event.adapter].flat().filter((each) => typeof each === 'string')
	return ['unreadable', [status ? `answered ${status}` : 'no answer', ...why].join('; ') || failure.message]
}

const NO_DATA = '404: no data for this client, so nothing could be checked'

/** Judges the reply of an operation. It is async only to read the text of a failure. */
async function judgeState(seen: Seen, isRequired: boolean): Promise<[State, string]> {
	if (seen.thrown !== undefined) return judgeThrown(seen.thrown, seen, isRequired)
	const absent = seen.events.find(({ event }) => event === 'broker_operation_absent')
	if (absent) return ['absent', String(absent.answered)]
	const unreads = seen.events.filter(({ event }) => event === 'broker_rows_unread')
	const unread = unreads.find(({ lost }) => lost) ?? unreads[0]
	if (unread?.lost) return ['unreadable', `no row of ${String(unread.lost)} can be read: ${writeFields(unread.fields)}`]
	if (unread) return ['remarks', `not read: ${writeFields(unread.fields)}`]
	const missing = seen.replies.find(({ status }) => status === 404)
	if (missing && (!missing.isJson || !isRequired)) return ['absent', '404']
	return missing ? ['remarks', NO_DATA] : ['ok', '']
}

function writeFields(fields: unknown): string {
	return Object.entries((fields ?? {}) as Record<string, number>)
		.map(([name, count]) => `${name} (${count})`)
		.join(', ')
}

async function judge(id: string, seen: Seen): Promise<Result> {
	const { call, isRequired, pages, adds } = findOperation(id)
	const [state, detail] = await judgeState(seen, isRequired)
	return { id, call, isRequired, state, ms: seen.ms, detail, means: describeMeaning(state, pages, adds, seen.thrown === undefined) }
}

function describeMeaning(state: State, pages: string, adds: string | undefined, isRead: boolean): string {
	if (state === 'ok') return pages
	if (state === 'remarks') return isRead ? `${pages}: what was not read is shown as —, or left out with a notice` : pages
	if (adds !== undefined) return `Not offered: ${adds} (${pages})`
	return `Does not work: ${pages}`
}

/**
 * Returns the exit code. 0: every required operation that was called is correct. 1: all of them can be read, some with remarks. 2: at
 * least one cannot be read or is absent.
 */
export function findExitCode(results: readonly Result[]): 0 | 1 | 2 {
	const required = results.filter(({ isRequired }) => isRequired)
	if (required.some(({ state }) => state === 'unreadable' || state === 'absent')) return 2
	return required.some(({ state }) => state === 'remarks') ? 1 : 0
}

/**
 * Returns what the optional operations give to clients: `live` what the broker offers, `missing` what it does not. An operation that was
 * not called is in neither list.
 */
export function listExtras(results: readonly Result[]): { live: string[]; missing: string[] } {
	const named = (states: readonly State[]) =>
		OPTIONAL_OPERATIONS.filter(({ id }) => results.some((result) => result.id === id && states.includes(result.state))).map(
			({ adds }) => adds,
		)
	return { live: named(['ok', 'remarks']), missing: named(['unreadable', 'absent']) }
}
