import { type ServerResponse } from 'node:http'
import { type Context } from 'hono'
import { contextStorage } from 'hono/context-storage'
import { createMiddleware } from 'hono/factory'
import { type Env } from './guard'

/**
 * Promises and timers keep the async context they were made in: a reply cached for a minute, a timer that Remix leaves behind. So the
 * context holds only the signal, not the request, connection and page.
 */
const keep = contextStorage()

/** Aborts the portal's work for a reply when the reply is over or the browser has gone. */
export const noticeLeaving = createMiddleware<Env>(async (c, next) => {
	const { outgoing } = c.env ?? {}
	if (outgoing) {
		const leaving = new AbortController()
		// Our own reason: the default error holds its stack, and through it the connection.
		const leave = () => leaving.abort('The answer is over')
		c.set('leaving', leaving.signal)
		// Also fires when the browser left before this line: Node emits the event once, and later than the current code.
		if (outgoing.destroyed) leave()
		else outgoing.once('close', leave)
	}
	await keep({ var: { leaving: c.var.leaving } } as unknown as Context, next)
})

/**
 * Ends a response whose reader has taken no byte for this time. A slow reader is not affected: Node counts each part of a write that the
 * network took. Neither is a reader that has taken everything and waits for the broker.
 */
export function endWhenStalled(outgoing: ServerResponse, stallMs: number): void {
	outgoing.setTimeout(stallMs, () => {
		const { socket } = outgoing
		if (outgoing.writableLength + (socket?.writableLength ?? 0) > 0) outgoing.destroy()
		else socket?.setTimeout(stallMs)
	})
}
