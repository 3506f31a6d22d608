import { type Context, type MiddlewareHandler } from 'hono'
import { movePiece } from '~/lib/turns'
import { type Env } from './guard'

const KB = 1024
const MB = 1024 * KB

/** Milliseconds from the first read of a body to its last byte. */
export type BodyDeadlines = { formMs: number; uploadMs: number }

const DEADLINES: BodyDeadlines = { formMs: 30_000, uploadMs: 120_000 }

/** In bytes. `most` is what a handler may read. `drop` is read and discarded after the reply, so that the browser shows it. */
const FORM = { most: 100 * KB, drop: MB }
/** More than two files of 5 MB, so that the form can say which file is too large. */
const UPLOAD = { most: 25 * MB, drop: 64 * MB }

/** Pages whose forms have files; a page's data has the same address with `.data`. */
const UPLOAD_PATH = /^\/myaccount\/(?:(?:bank|segments|income)\/otp|closure\/transfer)(?:\/|\.data)?$/

const TOO_LARGE = 'What you sent is too large.'
const TOO_SLOW = 'What you sent took too long to arrive. Please send it again.'

/** Whether the body is a form with files, which is streamed and may be larger than other forms. */
function isUpload(path: string, contentType: string): boolean {
	return UPLOAD_PATH.test(path) && contentType.trimStart().toLowerCase().startsWith('multipart/form-data')
}

/** The maximum size in bytes of a body sent to this path. */
export function findMaxBytes(path: string, contentType: string): number {
	return (isUpload(path, contentType) ? UPLOAD : FORM).most
}

/**
 * Limits every body in size and time.
 * A form announced as larger than 100 KB gets a 413 unread. An upload goes to its page, which stops at the file that is too large and
 * replies in its form (400); more than 25 MB is never passed on.
 * A body that is not complete by its deadline ends with an error for its reader, and gets a 408.
 * When the reader stops early, the rest is read and discarded while the reply is sent: a browser shows no reply before it has sent
 * everything. Then the connection closes.
 */
export function limitBody({ formMs, uploadMs }: BodyDeadlines = DEADLINES): MiddlewareHandler<Env> {
	return async (c, next) => {
		// The guard refuses a GET or HEAD with a body.
		if (c.req.method === 'GET' || c.req.method === 'HEAD') return next()
		const read = openBody(c)
		if (!read) return next()
		const { headers, method, url, signal } = c.req.raw
		const mayStream = isUpload(c.req.path, headers.get('content-type') ?? '')
		const { most, drop } = mayStream ? UPLOAD : FORM
		const incoming = watchBody(read, { most, ms: mayStream ? uploadMs : formMs, signal })
		// Hono copies the headers of an earlier response into a later one, unless it is removed first.
		const replace = (answer: Response) => {
			c.res = undefined
			c.res = answer
		}
		if (!mayStream && Number(headers.get('content-length') ?? 0) > most) replace(c.text(TOO_LARGE, 413))
		else {
			c.req.raw = new Request(url, { method, headers, body: incoming.stream, signal, duplex: 'half' } as RequestInit)
			await next()
		}
		if (incoming.problem() === 'time') return replace(c.text(TOO_SLOW, 408, { connection: 'close' }))
		// A page that has found the file that is too large has a better message, in its form.
		const isFormAnswered = mayStream && c.res.status === 400
		if (incoming.problem() === 'size' && !isFormAnswered) replace(c.text(TOO_LARGE, 413))
		const mustClose = c.res.status === 413 || incoming.isHalfRead()
		if (mustClose) replace(await closeAfter(c.res, incoming.drop(drop)))
		else incoming.release()
	}
}

/** Reads the next piece; undefined at the end. */
type ReadPiece = () => Promise<Uint8Array | undefined>

/**
 * The body, straight from its connection, which then holds one piece of 64 KB: the web stream of `request.body` holds two more and copies
 * each. Undefined without a body.
 */
function openBody({ env, req }: Context<Env>): ReadPiece | undefined {
	if (env?.incoming) {
		const pieces = env.incoming.iterator({ destroyOnReturn: false }) as AsyncIterator<Buffer, undefined>
		return async () => (await pieces.next()).value
	}
	// A test that calls the portal without a server.
	const reader = req.raw.body?.getReader()
	return reader && (async () => (await reader.read()).value)
}

/** The body as a limited stream, and its state for the server. */
function watchBody(read: ReadPiece, { most, ms, signal }: { most: number; ms: number; signal: AbortSignal }) {
	let problem: 'size' | 'time' | undefined
	let size = 0
	let isBegun = false
	let isOver = false
	let fail = (_error: Error) => {}
	let stop = () => {}

	function end() {
		isOver = true
		unwatch()
		stop()
	}
	function cancel(reason: string) {
		fail(new Error(reason))
		end()
	}
	const unwatch = watchEnd(ms, signal, (reason) => {
		if (reason === LATE) problem = 'time'
		cancel(reason)
	})

	const stream = new ReadableStream<Uint8Array>(
		{
			start(controller) {
				fail = (error) => controller.error(error)
			},
			async pull(controller) {
				isBegun = true
				if (size > most) {
					problem = 'size'
					return controller.error(new Error(TOO_LARGE))
				}
				const value = await read().catch((error: unknown) => {
					end()
					throw error
				})
				if (!value) {
					end()
					return controller.close()
				}
				const room = most - size
				size += value.length
				// Passes on what fits first: the reader may find the file that is too large itself.
				controller.enqueue(value.subarray(0, room))
			},
		},
		{ highWaterMark: 0 },
	)
	const readNext = async () => (isOver ? undefined : readUnlessStopped(read, (stopReading) => (stop = stopReading)))

	return {
		stream,
		/** The body's error for its reader. */
		problem: () => (isBegun ? problem : undefined),
		isHalfRead: () => isBegun && !isOver,
		/** Reads and discards the rest, up to a number of bytes and until the deadline. */
		async drop(bytes: number) {
			fail(new Error('The request is answered'))
			await dropBytes(readNext, bytes)
			end()
		},
		/** The reply is complete, and the body is no longer needed. */
		release: end,
	}
}

const LATE = 'The body did not arrive in time'

/**
 * Calls `cancel` after `ms` milliseconds or when the browser leaves: there may be no reader then, so the stream would not notice. Returns
 * a function that stops the watch.
 */
function watchEnd(ms: number, signal: AbortSignal, cancel: (reason: string) => void): () => void {
	const clock = setTimeout(() => cancel(LATE), ms)
	const leave = () => cancel('The browser left')
	signal.addEventListener('abort', leave)
	return () => {
		clearTimeout(clock)
		signal.removeEventListener('abort', leave)
	}
}

/** The next bytes; undefined when `stop`, which `onWait` gets, is called first. */
function readUnlessStopped(read: ReadPiece, onWait: (stop: () => void) => void) {
	return new Promise<Uint8Array | undefined>((resolve, reject) => {
		// Not Promise.race with one promise for all reads: that promise would hold every result, and so the whole body.
		onWait(() => resolve(undefined))
		read().then(resolve, reject)
	})
}

async function dropBytes(readNext: ReadPiece, bytes: number): Promise<void> {
	for (let dropped = 0; dropped < bytes;) {
		const next = await readNext().catch(() => undefined)
		if (!next) break
		dropped += next.length
		await movePiece()
	}
}

/** Sends the whole reply at once, on a connection that closes when `dropped` has settled: closing it earlier would lose the reply. */
async function closeAfter(answer: Response, dropped: Promise<void>): Promise<Response> {
	const whole = new Uint8Array(await answer.arrayBuffer())
	const headers = new Headers(answer.headers)
	headers.set('connection', 'close')
	headers.set('content-length', String(whole.length))
	const body = new ReadableStream<Uint8Array>({
		async start(controller) {
			if (whole.length > 0) controller.enqueue(whole)
			void dropped.then(() => controller.close()).catch(() => {})
		},
	})
	return new Response(body, { status: answer.status, statusText: answer.statusText, headers })
}
