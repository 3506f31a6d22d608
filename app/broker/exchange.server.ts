import { Agent } from 'undici'
import { type AdapterCall, runAdapter } from './adapter.server'
import { type BrokerConfig } from './requests.server'

/** The client's own timeouts decide; undici's five minutes must not cut a slow file. */
const createAgent = () => new Agent({ headersTimeout: 0, bodyTimeout: 0, connections: 128, connect: { timeout: 10_000 } })

/** Separate connections for files: a file takes as long as its reader needs, and no page may wait for it. */
export const agents = { json: createAgent(), download: createAgent(), upload: createAgent() }

type Transport = Omit<RequestInit, 'method' | 'headers' | 'body' | 'signal'> & { signal: AbortSignal; dispatcher: Agent }

/** One exchange with the broker, through the adapter if there is one. A repeat starts from the portal's original call. */
export function exchange({ adapter }: BrokerConfig, call: AdapterCall, transport: Transport): Promise<Response> {
	const send = ({ url, method, headers, body }: AdapterCall) => fetch(url, { ...transport, method, headers, body } as RequestInit)
	if (!adapter) return send(call)
	return runAdapter(adapter, { ...call, url: new URL(call.url), headers: new Headers(call.headers) }, send, transport.signal)
}
