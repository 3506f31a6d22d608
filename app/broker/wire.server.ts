import { type Socket } from 'node:net'
import { type Duplex, pipeline, Readable } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { Agent, request } from 'undici'
import { type Adapter, type AdapterCall, runAdapter } from './adapter.server'

/* Calls over the network. `request` of undici costs a third of `fetch` (docs/decisions/006). */

/** Bytes read from a connection at once. */
const PIECE_BYTES = 8192
const piece = Buffer.alloc(PIECE_BYTES)

/**
 * Reads into one buffer for all connections and copies the bytes that arrived. Otherwise Node makes a buffer of 64 KB for each read, and
 * each paused file has five of these buffers under way.
 */
const onread = {
	buffer: piece,
	callback(this: Socket, bytes: number): boolean {
		return this.push(Buffer.copyBytesFrom(piece, 0, bytes))
	},
}

/** The portal has its own timeouts. undici's default timeout of five minutes must not cut a slow file. */
const connect = { timeout: 10_000, highWaterMark: PIECE_BYTES, onread }
const createAgent = () => new Agent({ headersTimeout: 0, bodyTimeout: 0, connections: 128, connect })

/** Separate connections for files: a file takes as long as its reader needs, and no page may wait for it. */
const agents = { json: createAgent(), download: createAgent(), upload: createAgent() }

type Call = Omit<AdapterCall, 'headers'> & { headers: Headers | Record<string, string> }

export type Lane = keyof typeof agents

/** A reply: the names of headers are in lower case, and the body is decoded. It must be read to its end or destroyed. */
export type Reply = { status: number; headers: Record<string, string | string[] | undefined>; body: Readable }

/** Some gateways refuse a call without a name. */
const OWN_HEADERS = { 'accept-encoding': 'gzip, br', 'user-agent': 'khata' }

const DECODERS = new Map<string, () => Duplex>([
	['gzip', createGunzip],
	['x-gzip', createGunzip],
	['deflate', createInflate],
	['br', createBrotliDecompress],
])

/**
 * One exchange with the broker, through the adapter if there is one. Redirects are not followed. Rejects when there is no connection or
 * `signal` is aborted; an abort after the first byte ends the body with an error.
 */
export async function exchange(adapter: Adapter | undefined, call: Call, lane: Lane, signal: AbortSignal): Promise<Reply> {
	if (!adapter) return send(call, lane, signal)
	// A repeat starts from the portal's original call.
	const own = { ...call, url: new URL(call.url), headers: new Headers(call.headers) }
	return fromResponse(await runAdapter(adapter, own, async (changed) => toResponse(await send(changed, lane, signal)), signal))
}

async function send({ url, method, headers, body }: Call, lane: Lane, signal: AbortSignal): Promise<Reply> {
	const own = headers instanceof Headers ? Object.fromEntries(headers) : headers
	const reply = await request(url, {
		method: method as 'GET',
		headers: { ...OWN_HEADERS, ...own },
		// undici also takes a web stream, piece by piece; its types do not say so.
		body: body as string | undefined,
		signal,
		dispatcher: agents[lane],
		highWaterMark: PIECE_BYTES,
	})
	return { status: reply.statusCode, ...decode(reply.headers, reply.body) }
}

/** A body that nobody reads any more may still fail. That must not end the process. */
const ignore = () => {}

function decode({ 'content-encoding': coding, ...headers }: Reply['headers'], body: Readable): Omit<Reply, 'status'> {
	body.on('error', ignore)
	const decoder = typeof coding === 'string' ? DECODERS.get(coding.toLowerCase())?.() : undefined
	return { headers, body: decoder ? pipeline(body, decoder, ignore) : body }
}

/** Statuses without a body. */
const BARE = [204, 205, 304]

function toResponse({ status, headers, body }: Reply): Response {
	const list = Object.entries(headers).flatMap(([name, value = []]) => [value].flat().map((each): [string, string] => [name, each]))
	return new Response(BARE.includes(status) ? null : (Readable.toWeb(body) as ReadableStream<Uint8Array>), { status, headers: list })
}

function fromResponse({ status, headers, body }: Response): Reply {
	const read = body ? Readable.fromWeb(body as Parameters<typeof Readable.fromWeb>[0]) : Readable.from([])
	return { status, headers: Object.fromEntries(headers), body: read.on('error', ignore) }
}
