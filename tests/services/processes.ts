import { once } from 'node:events'
import { type AddressInfo } from 'node:net'
import path from 'node:path'
import { serve } from '@hono/node-server'
import { Agent, request } from 'undici'
import { expect, vi } from 'vitest'
import { createSandbox } from '#sandbox/app'
import { createClock } from '#sandbox/clock'
import { readSettings } from '#sandbox/settings'
import { openSeededBooks } from '#sandbox/testing/books'
import { spawnProgram, waitForPort } from '#scripts/programs'
import { BROKERS_CLOCK, BROKERS_DAY } from '#tests/support/brokers-day'
import { ORIGIN, Visitor } from '#tests/support/portal'

/* Several processes of the built portal, one sandbox broker that they call over the network, and one shared Redis. */

export const FIXED_OTP = '123456'

/** A broker on its own port. `calls` has the path and the idempotency key of each call; `hold` delays a response. */
export async function startSandboxBroker(personas: string[]) {
	const books = await openSeededBooks({ today: BROKERS_DAY, personas })
	const settings = readSettings({ LOG_LEVEL: 'silent', PUBLIC_URL: ORIGIN, SANDBOX_FIXED_OTP: '1' })
	const sandbox = createSandbox({ books, clock: createClock(BROKERS_CLOCK), settings })
	const calls: { path: string; key: string | null; traceparent: string | null; tracestate: string | null; baggage: string | null }[] = []
	let hold: ((path: string) => Promise<unknown> | undefined) | undefined
	const server = serve({
		port: 0,
		hostname: '127.0.0.1',
		async fetch(asked) {
			const path = new URL(asked.url).pathname
			const read = (name: string) => asked.headers.get(name)
			calls.push({
				path,
				key: read('idempotency-key'),
				traceparent: read('traceparent'),
				tracestate: read('tracestate'),
				baggage: read('baggage'),
			})
			await hold?.(path)
			return await sandbox.fetch(asked)
		},
	})
	await once(server, 'listening')
	return {
		url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
		calls,
		listCalls: (path: string) => calls.filter((call) => call.path.includes(path)),
		hold: (next: typeof hold) => void (hold = next),
		async close() {
			server.close()
			if ('closeAllConnections' in server) server.closeAllConnections()
			await books.close()
		},
	}
}

export type PortalProcess = Awaited<ReturnType<typeof startProcess>>

/** One process of the built portal, with these settings beside those of every test. */
export async function startProcess(port: number, broker: string, more: Record<string, string> = {}) {
	const program = spawnProgram('portal', process.execPath, [...(more.NODE_ARGS?.split(' ') ?? []), 'build/server.js'], {
		PORT: String(port),
		HOST: '127.0.0.1',
		PUBLIC_URL: ORIGIN,
		BROKER_URL: broker,
		REDIRECT_ORIGINS: broker,
		ESIGN_URL: `${broker}/esign`,
		SESSION_SECRET: 'shared-by-all-processes-Xq7Lw2Zr9Tn4Bv',
		TRUST_PROXY: '1',
		...more,
	})
	await waitForPort(port, program)
	// Each process has its own agent: a killed process leaves connections open, and the next one may have its port.
	const dispatcher = new Agent()
	const door = {
		async request(input: string | URL | Request, init: RequestInit = {}): Promise<Response> {
			const { pathname, search } = new URL(input instanceof Request ? input.url : input)
			const answer = await request(`http://127.0.0.1:${port}${pathname}${search}`, {
				dispatcher,
				method: (init.method ?? 'GET') as 'GET' | 'POST',
				headers: Object.fromEntries(new Headers(init.headers)),
				body: init.body === undefined ? null : Buffer.from(await new Response(init.body).arrayBuffer()),
			})
			const headers = new Headers()
			for (const [name, value] of Object.entries(answer.headers)) for (const each of [value ?? ''].flat()) headers.append(name, each)
			const body = await answer.body.arrayBuffer()
			return new Response([204, 304].includes(answer.statusCode) ? null : body, { status: answer.statusCode, headers })
		},
	}
	return {
		...program,
		/** The log lines of an event. */
		lines: (event: string) =>
			program
				.output()
				.split('\n')
				.filter((line) => line.includes(`"event":"${event}"`))
				.map((line) => JSON.parse(line) as Record<string, string>),
		/** A browser at this process. With the cookies of another visitor it is the same browser. */
		visitor(of?: Visitor, headers: Record<string, string> = {}): Visitor {
			const visitor = new Visitor(door, headers)
			for (const [name, value] of of?.cookies ?? []) visitor.cookies.set(name, value)
			return visitor
		},
	}
}

/** NODE_ARGS of a process that measures the delay of its event loop. */
export const WATCH = `--import ${path.resolve('tests/support/event-loop.mjs')}`

/** The longest time in milliseconds without a turn of the event loop of a watched process, since the last call of this function. */
export async function readLongestWait(portal: PortalProcess): Promise<number> {
	const before = portal.lines('event_loop').length
	portal.child.kill('SIGUSR2')
	await vi.waitFor(() => expect(portal.lines('event_loop').length).toBe(before + 1), { timeout: 5000, interval: 20 })
	return Number(portal.lines('event_loop').at(-1)?.longest)
}
