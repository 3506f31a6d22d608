import { createHash, randomBytes, randomUUID } from 'node:crypto'
import { subscribe } from 'node:diagnostics_channel'
import { once } from 'node:events'
import http from 'node:http'
import { type AddressInfo, type Socket } from 'node:net'
import { expect, test } from 'vitest'
import { connectBroker } from './client.server'

/* Uses a real connection, because this tests how the connection is read. */

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** The size in bytes of each piece read from connections to the broker. */
const lengths: number[] = []
subscribe('undici:client:connected', (message) => {
	const { socket } = message as { socket: Socket }
	const push = socket.push.bind(socket)
	socket.push = (piece: Buffer | null) => {
		lengths.push(piece?.length ?? 0)
		return push(piece)
	}
})

test('files arrive unchanged, read in pieces of at most 8 KB, also several at once', async () => {
	const files = Array.from({ length: 4 }, () => Buffer.concat([Buffer.from('%PDF-1.7\n'), randomBytes(1024 * 1024)]))
	const server = http.createServer((request, response) => {
		response.writeHead(200, { 'content-type': 'application/pdf' }).end(files[Number(request.url?.slice(1, 2))])
	})
	await once(server.listen(0, '127.0.0.1'), 'listening')
	const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
	const baseUrls = { broker: url, ekyc: url, edis: url, ipo: url, payment: url }
	const broker = connectBroker(
		{ baseUrls, timeoutMs: 5000, tell: () => {} },
		{ requestId: randomUUID(), onExpired: async () => new Response() },
	)

	const taken = await Promise.all(
		files.map(async (_, n) => {
			const pieces: Uint8Array[] = []
			const file = await broker.download('GET', `/${n}`, 'pdf')
			for await (const piece of file as ReadableStream<Uint8Array> & AsyncIterable<Uint8Array>) pieces.push(piece)
			return pieces
		}),
	)
	server.closeAllConnections()
	server.close()
	expect(taken.map((pieces) => hash(Buffer.concat(pieces)))).toEqual(files.map(hash))
	// Four files of 1 MB are at least 512 pieces of 8 KB.
	expect([lengths.length >= 512, Math.max(...lengths) <= 8192]).toEqual([true, true])
})
