import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { limitBody } from './body-limit'
import { type Env } from './guard'
import { createServer } from './http'

/* Uses a real connection, because this tests how much of a body is read from it. */

const KB = 1024
const HEAD = 'POST /myaccount/income/otp HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\n'

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

/** A server with the limits, whose page reads a body once `isReady` and answers with its hash. Returns the answer to one upload. */
async function open(isReady: Promise<void>) {
	const app = new Hono<Env>()
	app.use(limitBody())
	app.post('*', async (c) => {
		await isReady
		return c.text(hash(new Uint8Array(await c.req.raw.arrayBuffer())))
	})
	const server = createServer(app)
	const taken: Socket[] = []
	server.on('connection', (socket: Socket) => taken.push(socket))
	await once(server.listen(0, '127.0.0.1'), 'listening')
	return {
		countTaken: () => taken[0]?.bytesRead ?? 0,
		async send(body: Buffer) {
			const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
			let answer = ''
			socket.setEncoding('latin1').on('data', (text: string) => (answer += text))
			socket.write(`${HEAD}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`)
			socket.write(body)
			await once(socket, 'close')
			server.close()
			return answer
		},
	}
}

test('takes one piece of a body that no page reads yet, then every byte in order', async () => {
	let read = () => {}
	const server = await open(new Promise<void>((resolve) => (read = resolve)))
	const body = randomBytes(1024 * KB)
	const answered = server.send(body)
	await expect.poll(server.countTaken, { interval: 5 }).toBeGreaterThan(KB)
	await wait(300)
	// One read of a connection is at most 64 KB; the web stream of the request took two more.
	expect(server.countTaken()).toBeLessThanOrEqual(2 * 64 * KB)
	read()
	expect(await answered).toContain(hash(body))
})
