import { subscribe } from 'node:diagnostics_channel'
import { type IncomingMessage, type ServerResponse } from 'node:http'
import { type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { answered, askForCode, filePart, send as sendTo, readStatus } from '#tests/support/sent-bytes'
import { serve, success } from '#tests/support/served'

/* Of a body that passes through, the portal keeps nothing: neither of what went to the broker, nor of what is dropped (security 50). */

beforeAll(() => void vi.stubEnv('BROKER_TIMEOUT_MS', '60000'))

const MB = 1024 * 1024
/** What sockets and streams have on their way: a few pieces of 64 KB for each body. */
const ON_THE_WAY = 4 * MB

let served: Awaited<ReturnType<typeof serve>>
afterEach(() => served.close())

/** Before a broker that reads uploads and never answers them. `got` counts their bytes. */
async function start() {
	const got = { bytes: 0 }
	served = await serve((request: IncomingMessage, response: ServerResponse) => {
		if (!request.url?.includes('process=verify_otp')) return success(response, { request_id: 'R1', expires_in: 300, resend_in: 30 })
		request.on('error', () => {}).on('data', ({ length }: Buffer) => (got.bytes += length))
	})
	return got
}

setFlagsFromString('--expose-gc')
const collectGarbage = runInNewContext('gc') as () => void

/** Bytes in buffers that something still holds. */
function heldBytes(): number {
	collectGarbage()
	return process.memoryUsage().arrayBuffers
}

/** V8 frees buffers on a thread of its own, which may come a little later. */
async function expectHeld(most: number) {
	await expect.poll(heldBytes, { interval: 100, timeout: 5000 }).toBeLessThan(most)
}

/** Every request that a server of this process got. */
const requests: WeakRef<IncomingMessage>[] = []
subscribe('http.server.request.start', (message) => {
	requests.push(new WeakRef((message as { request: IncomingMessage }).request))
})

/** How many requests of that address something still holds. */
function heldRequests(url: string): number {
	collectGarbage()
	return requests.filter((each) => each.deref()?.url === url).length
}

/** Sends so many megabytes, every one of them the same buffer: the sender holds none of them. */
async function write(socket: Socket, megabytes: number) {
	const piece = Buffer.alloc(MB, ' ')
	for (let sent = 0; sent < megabytes; sent++) await new Promise((resolve) => socket.write(piece, resolve))
}

test('five uploads of four megabytes are at the broker, and the portal holds none of them', async () => {
	const got = await start()
	const client = await askForCode(served.visitor(), 'PASSES')
	const before = heldBytes()
	const all = Array.from({ length: 5 }, () => sendTo(served.port, client.open(filePart(), 5 * MB)))
	await Promise.all(all.map(({ socket }) => write(socket, 4)))
	await expect.poll(() => got.bytes, { interval: 20, timeout: 10_000 }).toBeGreaterThan(19 * MB)
	await expectHeld(before + ON_THE_WAY)
	for (const { socket } of all) socket.destroy()
})

test('twenty megabytes that come after the answer are dropped, and not held until the last', async () => {
	await start()
	const client = await askForCode(served.visitor(), 'DROPS1')
	const before = heldBytes()
	const sending = sendTo(served.port, client.open(filePart(), 40 * MB))
	await write(sending.socket, 6)
	await answered(sending)
	expect(readStatus(sending.text())).toBe(400)
	await write(sending.socket, 20)
	await expectHeld(before + ON_THE_WAY)
	expect(sending.socket.destroyed).toBe(false)
	sending.socket.destroy()
})

test('twenty pages have been sent, and nothing holds their requests: not even what is kept of the broker’s answers', async () => {
	await start()
	for (let n = 0; n < 20; n++) {
		const visitor = served.visitor()
		await visitor.login(`HELD${n + 10}`)
		await visitor.visit('/myaccount')
	}
	expect(requests.length).toBeGreaterThan(40)
	await expect.poll(() => heldRequests('/myaccount'), { interval: 200, timeout: 8000 }).toBeLessThan(4)
})
