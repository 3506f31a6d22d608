import { LONG_BYTES, parseLong, parseText, type ReadRows } from './long-json.server'
import { type Body, type Reply } from './wire.server'

/* Reads what a broker sends. A reply can be endless, too large, or different from what its headers say. */

/** Maximum size of a JSON reply. 100,000 ledger rows are 25 MB, so a larger one is an error or an attack. */
const MAX_JSON_BYTES = 64 * 1024 * 1024

/**
 * Runs `work`, and aborts the call when `work` takes longer than `timeoutMs` milliseconds; 0 disables the timeout. For a file, `work`
 * ends when the reply starts, so that a long download is not cut. `restart` starts the time again; an upload calls it with every part.
 */
export async function withClock<Result>(
	timeoutMs: number,
	abort: AbortController,
	work: (restart: () => void) => Promise<Result>,
): Promise<Result> {
	if (timeoutMs === 0) return work(() => {})
	let isRunning = true
	const clock = setTimeout(() => abort.abort(), timeoutMs)
	return work(() => void (isRunning && clock.refresh())).finally(() => {
		isRunning = false
		clearTimeout(clock)
	})
}

/**
 * A whole JSON reply may take this many times the timeout of its first byte. Without this limit, a reply of one byte a second could last
 * for hours.
 */
const WHOLE_JSON = 3

/**
 * Reads the JSON of a reply. Throws when it is larger than 64 MB or has too many values, when a chunk or the whole reply is late, or when
 * it is not JSON; too late also aborts the call. Awaits `enter` before it receives more than the beginning of a long reply; no timeout runs
 * during that wait. `readRows` gets the rows of a long reply (parseLong).
 */
export async function readJson(
	reply: Reply,
	abort: AbortController,
	timeoutMs: number,
	enter: () => Promise<void> = async () => {},
	readRows?: ReadRows,
): Promise<unknown> {
	const chunks = openChunks(reply, abort, timeoutMs)
	const inTime = <Result>(work: () => Promise<Result>) => withClock(timeoutMs * WHOLE_JSON, abort, work)
	const short = await inTime(() => chunks.upTo(LONG_BYTES))
	if (short) return parseText(short.toString('utf8'))
	await enter()
	return inTime(() => parseLong(chunks.all(MAX_JSON_BYTES), readRows))
}

/** Reads the body of a reply while it arrives. */
function openChunks({ body }: Reply, abort: AbortController, timeoutMs: number) {
	const held: Uint8Array[] = []
	let size = 0
	abort.signal.addEventListener('abort', body.stop, { once: true })
	async function next(): Promise<Uint8Array | undefined> {
		const piece = await withClock(timeoutMs, abort, body.next)
		if (abort.signal.aborted) throw new Error('too late')
		size += piece?.byteLength ?? 0
		return piece
	}
	return {
		/** The whole body, or undefined when it is larger than the limit. */
		async upTo(most: number): Promise<Buffer | undefined> {
			while (size <= most) {
				const chunk = await next()
				if (!chunk) return Buffer.concat(held)
				held.push(chunk)
			}
			return undefined
		},
		/**
		 * The bytes that `upTo` has received, then the rest of the body; none of them are kept. Throws when the body is too large. Stops the
		 * body when its reader stops.
		 */
		async *all(most: number): AsyncGenerator<Uint8Array> {
			try {
				for (let chunk = held.shift(); chunk; chunk = held.shift() ?? (await next())) {
					if (size > most) throw new Error('too large')
					yield chunk
				}
			} finally {
				body.stop()
			}
		},
	}
}

/**
 * Returns the stream once its first bytes match the kind of file asked for; undefined when they do not. The timeout runs until those bytes
 * arrive, so a broker that sends only headers counts as not answering.
 */
export async function checkFileStart(
	body: Body,
	magics: readonly string[],
	abort: AbortController,
	timeoutMs: number,
): Promise<ReadableStream<Uint8Array> | undefined> {
	abort.signal.addEventListener('abort', body.stop)
	const held: Uint8Array[] = []
	const longest = Math.max(...magics.map(({ length }) => length))
	let start = ''
	while (start.length < longest) {
		const piece = await withClock(timeoutMs, abort, body.next).catch(() => undefined)
		if (!piece) break
		held.push(piece)
		start += Buffer.from(piece).toString('latin1')
	}
	abort.signal.removeEventListener('abort', body.stop)
	if (!magics.some((magic) => start.startsWith(magic))) {
		body.stop()
		return undefined
	}
	return new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				const piece = held.shift() ?? (await body.next())
				if (piece) controller.enqueue(piece)
				else controller.close()
			},
			cancel: body.stop,
		},
		{ highWaterMark: 0 },
	)
}
