import { type ServerResponse } from 'node:http'
import { type ServerBuild } from '@remix-run/node'
import { type MiddlewareHandler } from 'hono'
import { type Env } from './guard'

type Track = (requestId: string, leaving: AbortSignal) => () => void

/** Aborts the portal's work for a reply when the reply is over or the browser has gone. The portal finds the signal by the request's id. */
export function noticeLeaving(build: ServerBuild): MiddlewareHandler<Env> {
	const { trackLeaving } = build.entry.module as typeof build.entry.module & { trackLeaving: Track }
	return async (c, next) => {
		const { outgoing } = c.env ?? {}
		if (!outgoing) return next()
		const leaving = new AbortController()
		// Our own reason: the default error holds its stack, and through it the connection.
		const leave = () => leaving.abort('The answer is over')
		c.set('leaving', leaving.signal)
		// Also fires when the browser left before this line: Node emits the event once, and later than the current code.
		if (outgoing.destroyed) leave()
		else outgoing.once('close', leave)
		const forget = trackLeaving(c.var.requestId, leaving.signal)
		await next().finally(forget)
	}
}

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
