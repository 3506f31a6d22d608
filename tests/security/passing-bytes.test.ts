import { subscribe } from 'node:diagnostics_channel'
import { type IncomingMessage, type ServerResponse } from 'node:http'
import { type Socket } from 'node:net'
import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { answered, askForCode, filePart, send as sendTo, readStatus } from '#tests/support/sent-bytes'
import { serve, success } from '#tests/support/served'

/* The portal keeps nothing of a body that it forwards or discards (security 50). */

beforeAll(() => void vi.stubEnv('BROKER_TIMEOUT_MS', '60000'))

const MB = 1024 * 1024
/** Bytes in sockets and streams: a few chunks of 64 KB for each body. */
const ON_THE_WAY = 4 * MB

let served: Awaited<ReturnType<typeof serve>>
afterEach(() => served.close())

/** A broker that reads uploads and never answers them. `got` counts their bytes. */
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

/** Bytes in buffers that are still referenced. */
function heldBytes(): number {
	collectGarbage()
	return process.memoryUsage().arrayBuffers
}

/** V8 frees buffers on another thread, sometimes a little later. */
async function expectHeld(most: number) {
	await expect.poll(heldBytes, { interval: 100, timeout: 5000 }).toBeLessThan(most)
}

/** Every request that a server of this process has received. */
const requests: WeakRef<IncomingMessage>[] = []
subscribe('http.server.request.start', (message) => {
	requests.push(new WeakRef((message as { request: IncomingMessage }).request))
})

/** How many requests of that address are still referenced. */
function heldRequests(url: string): number {
	collectGarbage()
	return requests.filter((each) => each.deref()?.url === url).length
}

/** Sends this many megabytes, always the same buffer: the sender holds none of them. */
async function write(socket: Socket, megabytes: number) {
	const piece = Buffer.alloc(MB, ' ')
	for (let sent = 0; sent < megabytes; sent++) await new Promise((resolve) => socket.write(piece, resolve))
}

test('keeps nothing of five uploads of four megabytes once the broker has them', async () => {
	const got = await start()
	const client = await askForCode(served.visitor(), 'PASSES')
	const before = heldBytes()
	const all = Array.from({ length: 5 }, () => sendTo(served.port, client.open(filePart(), 5 * MB)))
	await Promise.all(all.map(({ socket }) => write(socket, 4)))
	await expect.poll(() => got.bytes, { interval: 20, timeout: 10_000 }).toBeGreaterThan(19 * MB)
	await expectHeld(before + ON_THE_WAY)
	for (const { socket } of all) socket.destroy()
})

test('discards twenty megabytes sent after the response piece by piece', async () => {
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

test('keeps none of twenty page requests in memory after the response, also not in cached broker responses', async () => {
	await start()
	for (let n = 0; n < 20; n++) {
		const visitor = served.visitor()
		await visitor.login(`HELD${n + 10}`)
		await visitor.visit('/myaccount')
	}
	expect(requests.length).toBeGreaterThan(40)
	await expect.poll(() => heldRequests('/myaccount'), { interval: 200, timeout: 8000 }).toBeLessThan(4)
})
