import { randomUUID } from 'node:crypto'
import { type Adapter } from '~/broker/adapter.server'
import { type Broker, connectBroker } from '~/broker/client.server'
import { type Service } from '~/broker/service'

/** One reply of the broker, as it came over the network. */
type Reply = { status: number; isJson: boolean }

/** What was recorded while one function of the portal called the broker. */
export type Seen = { replies: Reply[]; events: Record<string, unknown>[]; ms: number; answer?: unknown; thrown?: unknown }

type Login = { token: string; clientCode: string }

export type Caller = {
	login?: Login
	/** Runs one broker function of the portal with a new session id, and returns what was recorded. Never rejects. */
	run(ask: (broker: Broker) => Promise<unknown>): Promise<Seen>
}

export type Target = { urls: Record<Service, string>; timeoutMs: number; adapter?: Adapter }

/** Returns a caller that uses the portal's own client: the same requests, schemas, limits and adapter. */
export function createCaller({ urls, timeoutMs, adapter }: Target): Caller {
	const caller: Caller = {
		async run(ask) {
			const seen: Seen = { replies: [], events: [], ms: 0 }
			const observe: Adapter = async (call, send) => {
				const reply = await (adapter ? adapter(call, send) : send(call))
				seen.replies.push({ status: reply.status, isJson: (reply.headers.get('content-type') ?? '').includes('json') })
				return reply
			}
			const id = randomUUID()
			const broker = connectBroker(
				{ baseUrls: urls, timeoutMs, tell: (_, event) => void seen.events.push(event), adapter: observe },
				{ ...caller.login, sessionId: id, requestId: id, onExpired: async (message) => new Response(message, { status: 401 }) },
			)
			const started = performance.now()
			try {
				seen.answer = await drain(await ask(broker))
			} catch (error) {
				seen.thrown = error
			}
			seen.ms = Math.round(performance.now() - started)
			return seen
		},
	}
	return caller
}

/** Reads a file to its end, which is a part of the check. */
export async function drain(answer: unknown): Promise<unknown> {
	if (!(answer instanceof ReadableStream)) return answer
	let bytes = 0
	for await (const piece of answer as unknown as AsyncIterable<Uint8Array>) bytes += piece.byteLength
	return { bytes }
}
