import { countDownload } from '~/lib/telemetry'
import { movePiece } from '~/lib/turns'
import { limitPerClient } from './client-limit.server'
import { LEFT } from './failures.server'

/* Files on their way to browsers. Each may hold a connection to the broker for as long as its reader needs. */

/**
 * Maximum of one client at a time, over all its sessions: six tabs with a file each, and a year pack, which counts as one or two. A limit
 * for each session would let one client with many logins take every connection.
 */
const MAX_TRANSFERS = 8

const countTransfer = limitPerClient(
	MAX_TRANSFERS,
	`You have ${MAX_TRANSFERS} downloads running. Wait until one of them has finished, then try again.`,
)

/**
 * Opens a file for a client, and counts it as a transfer until its stream has ended. `leaving` says that the browser has left, which
 * aborts the signal that `open` gets, and ends the count: nobody may read or cancel the stream any more. Throws a BrokerRefusal with status
 * 429 when too many transfers of the client run, and a 499 when the browser left before the file was open.
 */
export async function openTransfer(
	client: string,
	leaving: AbortSignal | undefined,
	open: (abort: AbortController) => Promise<ReadableStream<Uint8Array>>,
): Promise<ReadableStream<Uint8Array>> {
	const free = countTransfer(client)
	const counted = countDownload()
	const abort = new AbortController()
	let isOver = false
	const end = () => {
		if (isOver) return
		isOver = true
		// A visit may request many files (a year pack does), so the listener of each file that has ended is removed.
		leaving?.removeEventListener('abort', leave)
		counted.end()
		free()
	}
	const leave = () => {
		abort.abort()
		end()
	}
	leaving?.addEventListener('abort', leave, { once: true })
	if (leaving?.aborted) leave()
	try {
		const body = await open(abort)
		if (!leaving?.aborted) return watchEnd(body, counted.add, end)
		await body.cancel()
		throw Response.json({ message: LEFT }, { status: 499 })
	} catch (error) {
		end()
		throw error
	}
}

/**
 * The same stream, in turns with all other files. `add` counts its bytes, and `end` is called when it was read to its end, failed or was
 * cancelled.
 */
function watchEnd(body: ReadableStream<Uint8Array>, add: (count: number) => void, end: () => void): ReadableStream<Uint8Array> {
	const reader = body.getReader()
	return new ReadableStream<Uint8Array>(
		{
			async pull(controller) {
				try {
					await movePiece()
					const { done, value } = await reader.read()
					if (!done) {
						add(value.byteLength)
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
