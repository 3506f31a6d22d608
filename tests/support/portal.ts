import { setTimeout } from 'node:timers/promises'
import { pino } from 'pino'
import { afterAll, afterEach, beforeAll, vi } from 'vitest'
import { createSandbox } from '#sandbox/app'
import { createClock } from '#sandbox/clock'
import { type SeedOptions } from '#sandbox/db/seed/seed'
import { readSettings } from '#sandbox/settings'
import { openSeededBooks, SMALL_CLIENTS } from '#sandbox/testing/books'
import { createPortal } from '#server/portal'
import { settings } from '~/config/env.server'
import { untilAborted } from '~/lib/until-aborted'
import { BROKERS_DAY } from './brokers-day'
import { loadPortal } from './built-portal'
import { hidden, readText } from './readers'
import { standInForBroker } from './test-wire'

export const ORIGIN = 'https://portal.test'

const TOKEN_HEADERS = ['auth-token', 'authtoken', 'pwd-reset-token']

type Fault = (request: Request) => Response | Promise<Response | undefined> | undefined

/**
 * Awaits a promise unless the call is aborted. A fault cannot see the abort itself: it has a copy of the request, whose signal is lost
 * when the request is garbage-collected (nodejs/node#55428).
 */
const unlessAborted = async <Result>(work: Promise<Result> | Result, signal: AbortSignal | null | undefined): Promise<Result> =>
	signal ? await untilAborted(Promise.resolve(work), signal) : await work

/** What the broker of a test returns in place of the sandbox's response. `forward` asks the sandbox. */
function createFaults(forward: (request: Request) => Promise<Response>) {
	let fault: Fault | undefined
	return {
		/** The response of the current fault; undefined when the sandbox answers the call. */
		answer: (request: Request) => fault?.(request.clone() as Request),
		/** From now on the broker returns this response; calls without one go to the sandbox. Undefined removes it. */
		breakBroker: (next: Fault | undefined) => void (fault = next),
		/** From now on calls of these paths fail like this; all others go to the sandbox. */
		failCalls(paths: string | RegExp, answer: () => Response) {
			fault = ({ url }) => {
				const { pathname } = new URL(url)
				return (typeof paths === 'string' ? pathname === paths : paths.test(pathname)) ? answer() : undefined
			}
		},
		/** From now on the sandbox's response at this path is changed like this. */
		rewriteCalls(path: string, change: (json: Record<string, unknown>) => void) {
			fault = async (request) => {
				if (new URL(request.url).pathname !== path) return undefined
				const json = (await (await forward(request)).json()) as Record<string, unknown>
				change(json)
				return Response.json(json)
			}
		},
		/** From now on every successful JSON response of the sandbox is changed like this. */
		rewriteAll(change: (json: unknown) => unknown) {
			fault = async (request) => {
				const answer = await forward(request)
				const isJson = answer.headers.get('content-type')?.includes('json')
				return answer.ok && isJson ? Response.json(change(await answer.json())) : answer
			}
		},
	}
}

type Opening = {
	/** How to make the books. With a fixed day, tests can state figures. */
	made?: SeedOptions
	sandboxSettings?: Record<string, string>
}

/**
 * The built portal joined to a sandbox in memory: no port, no network, no mocks of the project's code. Every test file starts with the
 * same books of all small clients, as a copy, because making books takes seconds.
 */
export async function openPortal({ made = { today: BROKERS_DAY }, sandboxSettings = {} }: Opening = {}) {
	const books = await openSeededBooks({ ...made, personas: SMALL_CLIENTS })
	const clock = createClock(`${made.today ?? BROKERS_DAY}T11:00`)
	const sandbox = createSandbox({ books, clock, settings: readSettings({ LOG_LEVEL: 'silent', PUBLIC_URL: ORIGIN, ...sandboxSettings }) })
	const build = await loadPortal()
	// The portal is loaded once in a test file, so it must forget the absent operations of an earlier broker.
	const { forgetOperations } = build.entry.module as typeof build.entry.module & { forgetOperations: () => void }
	forgetOperations()
	const lines: string[] = []
	// Without the time, whose digits may be those of a secret.
	const log = pino({ base: undefined, timestamp: false }, { write: (line: string) => void lines.push(line) })
	const portal = createPortal({ settings, build, log, clientFiles: 'build/client' })
	const asked: Request[] = []
	/** Names of fields that were sent in an address. Secrets must never be in an address, because other programs log it. */
	const leaked = new Set<string>()
	const tokens = new Set<string>()
	const faults = createFaults(async (request) => sandbox.fetch(request))
	let underWay = 0

	async function answer(request: Request): Promise<Response> {
		asked.push(request.clone() as Request)
		for (const name of TOKEN_HEADERS) tokens.add(request.headers.get(name) ?? 'none')
		for (const [name, value] of new URL(request.url).searchParams)
			if (/token|otp|password/i.test(name) || tokens.has(value)) leaked.add(`${name} to ${new URL(request.url).pathname}`)
		underWay++
		try {
			return (await unlessAborted(faults.answer(request), request.signal)) ?? (await sandbox.fetch(request))
		} finally {
			underWay--
		}
	}
	const end = standInForBroker(answer)
	const real = globalThis.fetch
	// Tests also visit the pages of the sandbox, such as its depository.
	globalThis.fetch = (input, init) => answer(new Request(input as URL, init))
	return {
		portal,
		/** The sandbox's data, for events that no page can cause, such as a falling price. */
		books,
		asked,
		lines,
		/** The sandbox itself, for a fault that changes the request to it. */
		forward: async (request: Request): Promise<Response> => sandbox.fetch(request),
		/** Waits for calls that run longer than their page. An equal call would join one of them, and would not get the next fault. */
		async untilQuiet() {
			await vi.waitUntil(() => underWay === 0, 5000)
			await setTimeout(20)
		},
		...faults,
		/** Runs after every page test, and checks every call that it made. */
		async close() {
			end()
			globalThis.fetch = real
			// Memory that a test file does not release stays in the process.
			asked.length = 0
			lines.length = 0
			await books.close()
			if (leaked.size > 0) throw new Error(`A secret stood in an address: ${[...leaked].join(', ')}`)
		},
	}
}

type Opened = Awaited<ReturnType<typeof openPortal>>

/** A portal for all tests of a file: opened before the first and closed after the last. The faults of its broker end after each test. */
export function openPortalForFile(sandboxSettings: Record<string, string> = {}): Opened {
	const opened = {} as Opened
	beforeAll(async () => void Object.assign(opened, await openPortal({ sandboxSettings })))
	afterAll(() => opened.close())
	afterEach(() => opened.breakBroker(undefined))
	return opened
}

type Portal = Opened['portal']
type Fields = Record<string, string>

/** A browser without JavaScript: keeps cookies, follows links and posts forms. */
export class Visitor {
	readonly cookies = new Map<string, string>()

	constructor(
		private readonly portal: Pick<Portal, 'request'>,
		private readonly headers: Fields = {},
	) {}

	async send(target: string, init: RequestInit = {}): Promise<Response> {
		const headers = new Headers({
			host: 'portal.test',
			'sec-fetch-site': 'same-origin',
			'sec-fetch-mode': 'navigate',
			'sec-fetch-dest': 'document',
			...this.headers,
		})
		new Headers(init.headers).forEach((value, name) => headers.set(name, value))
		if (this.cookies.size > 0 && !headers.has('cookie')) headers.set('cookie', this.cookieHeader())
		const answer = await this.portal.request(new URL(target, ORIGIN).href, { ...init, headers, redirect: 'manual' })
		for (const cookie of answer.headers.getSetCookie()) {
			const [pair = '', ...attributes] = cookie.split('; ')
			const at = pair.indexOf('=')
			if (attributes.some((attribute) => attribute === 'Max-Age=0')) this.cookies.delete(pair.slice(0, at))
			else this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
		}
		return answer
	}

	cookieHeader(): string {
		return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
	}

	/** The page at an address, after redirects. */
	async visit(target: string): Promise<{ status: number; html: string; url: string; answer: Response }> {
		let url = target
		for (let hops = 0; hops < 6; hops++) {
			const answer = await this.send(url)
			const location = answer.headers.get('location')
			if (!location) return { status: answer.status, html: await answer.text(), url, answer }
			url = location
		}
		throw new Error(`${target} redirects for ever`)
	}

	/** Posts a form of the page at `from`, with that page's token. */
	async post(from: string, action: string, fields: Fields, headers: Fields = {}): Promise<Response> {
		const { html } = await this.visit(from)
		return this.postRaw(action, { csrf: hidden(html, 'csrf'), ...fields }, headers)
	}

	postRaw(action: string, fields: Fields, headers: Fields = {}): Promise<Response> {
		return this.send(action, {
			method: 'POST',
			body: new URLSearchParams(fields).toString(),
			headers: { 'content-type': 'application/x-www-form-urlencoded', origin: ORIGIN, ...headers },
		})
	}

	login(username = 'DEMO01', password = 'Demo@1234', redirectTo = ''): Promise<Response> {
		return this.post('/login', '/login', { username, password, redirectTo })
	}
}

export async function signedIn({ portal }: Pick<Opened, 'portal'>, code = 'DEMO01'): Promise<Visitor> {
	const visitor = new Visitor(portal)
	const answer = await visitor.login(code)
	// Without this check, each later page of the test is the login page.
	if (![302, 303].includes(answer.status)) throw new Error(`${code} cannot log in: ${answer.status} ${readText(await answer.text())}`)
	return visitor
}
