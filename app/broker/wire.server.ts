import { type Socket } from 'node:net'
import { pipeline, type Readable } from 'node:stream'
import { constants, createBrotliDecompress, createGunzip } from 'node:zlib'
import { Agent, request } from 'undici'
import { untilAborted } from '~/lib/until-aborted'
import { type Adapter, type AdapterCall, AdapterFailure, runAdapter, type SendCall } from './adapter.server'

/* Calls over the network. `request` of undici costs much less of the processor than `fetch` (docs/decisions/006). */

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

export type Lane = keyof typeof agents

/** A body in pieces. It must be read to its end or stopped, or its connection stays open. `stop` also ends a read under way. */
export type Body = { next: () => Promise<Uint8Array | undefined>; stop: () => void }

/** A reply, with the names of its headers in small letters and its body decoded. */
export type Reply = { status: number; headers: Record<string, string | string[] | undefined>; body: Body }

/** A reply arrived, but its head cannot be read. */
export class UnreadableHead extends Error {
	override name = 'UnreadableHead'
}

type Call = Omit<AdapterCall, 'headers'> & { headers: Record<string, string> }

/**
 * One exchange with the broker, through the adapter if there is one. Redirects are not followed. Rejects when there is no connection, when
 * the head of the reply cannot be read (UnreadableHead) or as soon as `signal` aborts. An abort after the first byte ends the body with an
 * error.
 */
export async function exchange(adapter: Adapter | undefined, call: Call, lane: Lane, signal: AbortSignal): Promise<Reply> {
	return adapter ? runWithAdapter(adapter, call, lane, signal) : send(call, lane, signal)
}

/** Some gateways refuse a call without a name. */
const OWN_HEADERS = { 'accept-encoding': 'gzip, br', 'user-agent': 'khata' }

async function send({ url, method, headers, body }: Call, lane: Lane, signal: AbortSignal): Promise<Reply> {
	signal.throwIfAborted()
	const asked = request(url, {
		method: method as 'GET',
		headers: { ...OWN_HEADERS, ...headers },
		// undici also takes a web stream, piece by piece; its types do not say so.
		body: body as string | undefined,
		signal,
		dispatcher: agents[lane],
		highWaterMark: PIECE_BYTES,
	}).catch((error: unknown) => {
		// From undici's parser of headers: every failure of the network is another error.
		throw error instanceof TypeError ? new UnreadableHead(error.message) : error
	})
	// undici notices an abort only when the call gets a connection.
	const reply = await untilAborted(asked, signal)
	const decoded = decode(reply.headers['content-encoding'], reply.body, lane)
	const pieces = decoded[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>
	return {
		status: reply.statusCode,
		headers: reply.headers,
		body: { next: async () => (await pieces.next()).value, stop: () => void decoded.destroy() },
	}
}

/** Reads a body that ends too early as far as it goes, as browsers do. */
const LENIENT = {
	gzip: { flush: constants.Z_SYNC_FLUSH, finishFlush: constants.Z_SYNC_FLUSH },
	br: { flush: constants.BROTLI_OPERATION_FLUSH, finishFlush: constants.BROTLI_OPERATION_FLUSH },
}

/** A body that nobody reads any more may still fail. That must not end the process. */
const ignore = () => {}

/** A body with another coding stays as it is. A file that ends too early is an error: half of it would be saved as the whole. */
function decode(coding: string | string[] | undefined, body: Readable, lane: Lane): Readable {
	body.on('error', ignore)
	const name = String(coding).trim().toLowerCase()
	const isFile = lane === 'download'
	const decoder =
		name === 'gzip'
			? createGunzip(isFile ? { flush: constants.Z_SYNC_FLUSH } : LENIENT.gzip)
			: name === 'br'
				? createBrotliDecompress(isFile ? { flush: constants.BROTLI_OPERATION_FLUSH } : LENIENT.br)
				: undefined
	return decoder ? pipeline(body, decoder.on('error', ignore), ignore) : body
}

/**
 * How fetch sends a streamed body. Otherwise it keeps a second copy of the body in case it must be sent again: twenty uploads would hold
 * twenty whole files. A fetch that may not follow redirects and belongs to no window keeps no copy. A redirect of such a call is an error
 * (isRedirect); other calls see its status.
 */
const STREAMED = { duplex: 'half', redirect: 'error', window: null } as const

/** An adapter gets and returns web responses, so its calls are sent with fetch. */
async function runWithAdapter(adapter: Adapter, call: Call, lane: Lane, signal: AbortSignal): Promise<Reply> {
	signal.throwIfAborted()
	const sendOn: SendCall = ({ url, method, headers, body }) => {
		const transport = { ...(call.body instanceof ReadableStream ? STREAMED : { redirect: 'manual' }), dispatcher: agents[lane], signal }
		return fetch(url, { ...transport, method, headers, body } as RequestInit)
	}
	// A repeat starts from the portal's original call.
	const own = { ...call, url: new URL(call.url), headers: new Headers(call.headers) }
	const { status, headers, body } = await runAdapter(adapter, own, sendOn, signal)
	if (body?.locked) throw new AdapterFailure('The adapter has read the reply that it returned')
	const reader = body?.getReader()
	return {
		status,
		headers: Object.fromEntries(headers),
		body: { next: async () => (await reader?.read())?.value, stop: () => void reader?.cancel().catch(ignore) },
	}
}
