import { countDownload } from '~/lib/telemetry'
import { movePiece } from '~/lib/turns'
import { BrokerRefusal } from './failures.server'

/* Files on their way to browsers. Each may hold a connection to the broker for as long as its reader needs. */

/**
 * Maximum of one client at a time, over all its sessions: six tabs with a file each, and a year pack, which counts as one or two. A limit
 * for each session would let one client with many logins take every connection.
 */
const MAX_TRANSFERS = 8

/** Number of running transfers by client code. */
const running = new Map<string, number>()

/**
 * Counts a transfer of that client until the returned function is called; further calls of it do nothing. Throws a BrokerRefusal with
 * status 429 and a message for the client when the client has reached the maximum.
 */
export function startTransfer(clientCode: string): () => void {
	const before = running.get(clientCode) ?? 0
	if (before >= MAX_TRANSFERS) {
		const message = `You have ${MAX_TRANSFERS} downloads running. Wait until one of them has finished, then try again.`
		throw new BrokerRefusal(429, { status: 'error', message, data: null })
	}
	running.set(clientCode, before + 1)
	let isRunning = true
	return () => {
		if (!isRunning) return
		isRunning = false
		const others = (running.get(clientCode) ?? 1) - 1
		if (others > 0) running.set(clientCode, others)
		else running.delete(clientCode)
	}
}

/** The same stream, in turns with all other files. `onEnd` is called when it was read to its end, failed or was cancelled. */
export function watchEnd(body: ReadableStream<Uint8Array>, onEnd: () => void): ReadableStream<Uint8Array> {
	const reader = body.getReader()
	const counted = countDownload()
	let isOver = false
	const end = () => {
		if (isOver) return
		isOver = true
		counted.end()
		onEnd()
	}
	return new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				try {
					await movePiece()
					const { done, value } = await reader.read()
					if (!done) {
						counted.add(value.byteLength)
						return controller.enqueue(value)
					}
					end()
					controller.close()
				} catch (error) {
					end()
					throw error
				}
			},
			cancel(reason) {
				end()
				return reader.cancel(reason)
			},
		},
		{ highWaterMark: 0 },
	)
}
