import { createMiddleware } from 'hono/factory'
import { type Env } from './guard'
import { maxBytes } from './http'

const TOO_LARGE = 'What you sent is too large.'

/**
 * A body announced as too large is refused unread; one that turns out so is cut there. It goes through as it comes: Hono's own limit
 * reads a body without a length into memory first, whoever reads it and however slowly.
 */
export const limitBody = createMiddleware<Env>(async (c, next) => {
	const most = maxBytes(c.req.path)
	const { body, headers, method } = c.req.raw
	if (Number(headers.get('content-length') ?? 0) > most) return void (c.res = c.text(TOO_LARGE, 413))
	if (!body || headers.has('content-length')) return void (await next())

	let size = 0
	let isCut = false
	const counted = body.pipeThrough(
		new TransformStream<Uint8Array, Uint8Array>({
			transform(chunk, controller) {
				size += chunk.length
				isCut = size > most
				if (isCut) controller.error(new Error(TOO_LARGE))
				else controller.enqueue(chunk)
			},
		}),
	)
	c.req.raw = new Request(c.req.raw.url, { method, headers, body: counted, signal: c.req.raw.signal, duplex: 'half' } as RequestInit)
	await next()
	if (!isCut) return
	// What was answered to half a body goes, its headers too.
	c.res = undefined
	c.res = c.text(TOO_LARGE, 413)
})
