import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Hono } from 'hono'
import { expect, test } from 'vitest'
import { limitBody } from './body-limit'
import { type Env } from './guard'
import { createServer } from './http'

/* Over a real connection, because what is tested is how much of a body leaves it. */

const KB = 1024
const HEAD = 'POST /myaccount/income/otp HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=b\r\n'

const hash = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

test('takes one piece of a body that no page reads yet, then every byte in order', async () => {
	let read = () => {}
	const isRead = new Promise<void>((resolve) => (read = resolve))
	const app = new Hono<Env>()
	app.use(limitBody())
	app.post('*', async (c) => {
		await isRead
		return c.text(hash(new Uint8Array(await c.req.raw.arrayBuffer())))
	})
	const server = createServer(app)
	const taken: Socket[] = []
	server.on('connection', (socket: Socket) => taken.push(socket))
	await once(server.listen(0, '127.0.0.1'), 'listening')

	const body = randomBytes(1024 * KB)
	const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
	let answer = ''
	socket.setEncoding('latin1').on('data', (text: string) => (answer += text))
	socket.write(`${HEAD}Content-Length: ${body.length}\r\nConnection: close\r\n\r\n`)
	socket.write(body)
	await expect.poll(() => taken[0]?.bytesRead ?? 0, { interval: 5 }).toBeGreaterThan(KB)
	await wait(300)
	// One read of a connection is at most 64 KB; the web stream of the request took two more.
	expect(taken[0]?.bytesRead).toBeLessThanOrEqual(2 * 64 * KB)

	read()
	await once(socket, 'close')
	server.close()
	expect(answer).toContain(hash(body))
})
