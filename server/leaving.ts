import { type ServerResponse } from 'node:http'
import { type Context } from 'hono'
import { contextStorage } from 'hono/context-storage'
import { createMiddleware } from 'hono/factory'
import { type Env } from './guard'

/**
 * Promises and timers hold the context they were made in for as long as they live: an answer that is kept for a minute, a timer that Remix
 * leaves behind. So they get the signal alone, not the whole context with its request, connection and page.
 */
const keep = contextStorage()

/** Lets the portal know when the answer is over or the browser has gone: what runs for it then ends. */
export const noticeLeaving = createMiddleware<Env>(async (c, next) => {
	const { outgoing } = c.env ?? {}
	if (outgoing) {
		const leaving = new AbortController()
		// A reason of ours: the error that stands for none holds its stack, and in it the connection.
		const leave = () => leaving.abort('The answer is over')
		c.set('leaving', leaving.signal)
		// Also fires when the browser went before this line: Node emits it once, later than whatever runs now.
		if (outgoing.destroyed) leave()
		else outgoing.once('close', leave)
	}
	await keep({ var: { leaving: c.var.leaving } } as unknown as Context, next)
})

/**
 * Ends an answer of which its reader has taken no byte for so long. A slow reader is left alone: Node counts each part of a write that the
 * network took as activity. So is one who has taken everything there was, and waits for the broker.
 */
export function endWhenStalled(outgoing: ServerResponse, stallMs: number): void {
	outgoing.setTimeout(stallMs, () => {
		const { socket } = outgoing
		if (outgoing.writableLength + (socket?.writableLength ?? 0) > 0) outgoing.destroy()
		else socket?.setTimeout(stallMs)
	})
}
