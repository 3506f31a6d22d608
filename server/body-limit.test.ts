import { createHash, randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type AddressInfo, connect, type Socket } from 'node:net'
import { setTimeout as wait } from 'node:timers/promises'
import { Hono } from 'hono'
import { afterEach, expect, test, vi } from 'vitest'
import { limitBody } from './body-limit'
import { type Env } from './guard'
import { createServer } from './http'

/* How much of a body is taken, and how long the portal waits for it. */

afterEach(() => void vi.useRealTimers())

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

/** Product rule: a form has 30 seconds to arrive, an upload 120. */
test.for([
	['/login', 'application/x-www-form-urlencoded', 30_000],
	['/myaccount/income/otp', 'application/x-www-form-urlencoded', 30_000],
	['/login', 'multipart/form-data; boundary=b', 30_000],
	['/myaccount/income/otp', 'multipart/form-data; boundary=b', 120_000],
] as const)('a body to %s of type %s that never ends gets a 408 after %i ms', async ([path, type, ms]) => {
	vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
	const app = new Hono<Env>()
	app.use(limitBody())
	app.post('*', async (c) => c.text(await c.req.raw.text().catch(() => 'broken')))
	const body = new ReadableStream<Uint8Array>({ start: (controller) => controller.enqueue(Buffer.from('username=')) })
	const request = new Request(`http://localhost${path}`, {
		method: 'POST',
		headers: { 'content-type': type },
		body,
		duplex: 'half',
	} as RequestInit)
	let status = 0
	void Promise.resolve(app.request(request)).then((answer) => (status = answer.status))
	await vi.advanceTimersByTimeAsync(ms - 1)
	expect(status).toBe(0)
	await vi.advanceTimersByTimeAsync(1)
	vi.useRealTimers()
	await expect.poll(() => status, { interval: 1 }).toBe(408)
})
