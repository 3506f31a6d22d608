import { type IncomingMessage, type ServerResponse } from 'node:http'
import { type Socket } from 'node:net'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { type BodyDeadlines } from '#server/body-limit'
import { answered, askForCode, filePart, HEAD, formatPart, send as sendTo, readStatus } from '#tests/support/sent-bytes'
import { serve, success } from '#tests/support/served'

/*
 * Bodies that stop, never end or are too large, and browsers that leave in the middle of an upload, over real sockets (security 50, 57 and
 * 74).
 */

// The timeout is off, so only the abort ends a call to the broker. The portal reads its settings when it is first served.
beforeAll(() => void vi.stubEnv('BROKER_TIMEOUT_MS', '60000'))

const DEADLINES = { formMs: 600, uploadMs: 2500 }
const MB = 1024 * 1024

let served: Awaited<ReturnType<typeof serve>>
afterEach(() => served.close())

const isUpload = ({ url = '' }: IncomingMessage) => url.includes('process=verify_otp')

/** Starts the portal with a broker that sends OTPs, and reads uploads without answering. */
async function start(bodyDeadlines?: BodyDeadlines) {
	const uploads = { begun: 0, open: 0 }
	served = await serve(
		(request: IncomingMessage, response: ServerResponse) => {
			if (!isUpload(request)) return success(response, { request_id: 'R1', expires_in: 300, resend_in: 30 })
			uploads.begun += 1
			uploads.open += 1
			response.once('close', () => (uploads.open -= 1))
			request.on('error', () => {}).resume()
		},
		{ bodyDeadlines },
	)
	return uploads
}

const send = (bytes: string) => sendTo(served.port, bytes)

async function logIn(): Promise<number> {
	const started = performance.now()
	expect((await served.visitor().login('LOGIN1')).status).toBe(303)
	return performance.now() - started
}

/** Clients, and uploads for each: the portal checks at most five OTPs of a client at once. One upload of each client is read at once. */
const CROWD = { clients: 28, uploads: 5 }

test('140 browsers that leave during an upload end their broker calls at once, and logins stay fast', async () => {
	const uploads = await start()
	const clients: Awaited<ReturnType<typeof askForCode>>[] = []
	for (let n = 0; n < CROWD.clients; n++) clients.push(await askForCode(served.visitor(), `CROWD${n + 10}`))
	const beginning = filePart() + ' '.repeat(20_000)
	const all = clients.flatMap((client) => Array.from({ length: CROWD.uploads }, () => send(client.open(beginning, 4 * MB))))
	await expect.poll(() => uploads.open, { interval: 20, timeout: 60_000 }).toBeGreaterThanOrEqual(CROWD.clients)
	expect(all.map(({ text }) => text()).filter(Boolean)).toEqual([])
	expect(await logIn()).toBeLessThan(2000)

	for (const { socket } of all) socket.resetAndDestroy()
	await expect.poll(() => uploads.open, { interval: 20, timeout: 10_000 }).toBe(0)
	expect(await logIn()).toBeLessThan(2000)
	// A post may get the turn of a post that has left. It also ends when the portal sees that its own browser has left.
	await expect.poll(() => uploads.open, { interval: 20, timeout: 2000 }).toBe(0)

	// Clients who left lose nothing.
	const again = clients.slice(0, 3).map((client) => send(client.open(beginning, 4 * MB)))
	await expect.poll(() => uploads.open, { interval: 20, timeout: 10_000 }).toBe(3)
	for (const { socket } of again) socket.destroy()
}, 120_000)

test('a body that stops or arrives very slowly gets a 408 at its deadline', { timeout: 60_000 }, async () => {
	await start(DEADLINES)
	const client = await askForCode(served.visitor(), 'SLOW01')
	const form = `POST /login HTTP/1.1\r\n${HEAD}Content-Type: application/x-www-form-urlencoded\r\nContent-Length: 5000\r\n\r\nusername=`
	const started = performance.now()
	const forms = Array.from({ length: 20 }, () => send(form))
	const files = Array.from({ length: 5 }, () => send(client.open(filePart(), 4 * MB)))
	// Single bytes do not extend the deadline, which is for the whole body.
	const drip = setInterval(() => forms.forEach(({ socket }) => socket.writable && socket.write('a')), 100)
	await Promise.all(forms.map(({ closed }) => closed))
	clearInterval(drip)
	expect(performance.now() - started).toBeGreaterThanOrEqual(DEADLINES.formMs)
	expect(files.map(({ text }) => text())).toEqual(files.map(() => ''))
	await Promise.all(files.map(({ closed }) => closed))
	expect(performance.now() - started).toBeGreaterThanOrEqual(DEADLINES.uploadMs)
	expect(performance.now() - started).toBeLessThan(3 * DEADLINES.uploadMs)
	for (const { text } of [...forms, ...files]) {
		expect(readStatus(text())).toBe(408)
		expect(text()).toMatch(/^connection: close/im)
	}
})

function write(socket: Socket, bytes: number): Promise<void> {
	return new Promise((resolve) => socket.write(' '.repeat(bytes), 'latin1', () => resolve()))
}

test('refuses a file of more than 25 MB while 20 MB are still to come, and discards the rest', async () => {
	await start()
	const client = await askForCode(served.visitor(), 'LARGE1')
	const length = 26 * MB + 5 * 1024
	const bytes = client.open(filePart() + ' '.repeat(6 * MB), length)
	const sending = send(bytes)
	await answered(sending)
	expect(readStatus(sending.text())).toBe(400)
	expect(sending.text()).toMatch(/^connection: close/im)
	expect(sending.text()).toContain('The selected file must be smaller than 5MB')
	// The connection stays open until the browser has sent everything, because only then does a browser show the response.
	let left = length - (bytes.length - bytes.indexOf('\r\n\r\n') - 4)
	for (; left > MB; left -= MB) await write(sending.socket, MB)
	expect(sending.socket.destroyed).toBe(false)
	await write(sending.socket, left)
	await sending.closed
})

test('answers a part header that is followed directly by the boundary', async () => {
	await start()
	const client = await askForCode(served.visitor(), 'ENDED1')
	const sending = send(client.whole('--b\r\ncontent-disposition: form-data; name="file"; filename="a.pdf"\r\n--b--\r\n'))
	await answered(sending)
	sending.socket.destroy()
	expect(readStatus(sending.text())).toBe(400)
})

test('refuses a form with a file and 5,000 fields, and does not read the file', async () => {
	const uploads = await start()
	const client = await askForCode(served.visitor(), 'FIELDS')
	const sending = send(client.whole(`${formatPart('x', 'y').repeat(5000)}${filePart()}\r\n--b--\r\n`))
	await answered(sending)
	sending.socket.destroy()
	expect(readStatus(sending.text())).toBe(400)
	expect(uploads.begun).toBe(0)
})

test('closes the connection for a body where none is allowed', async () => {
	await start()
	const sending = send(`GET /login HTTP/1.1\r\n${HEAD}Content-Length: 1000\r\n\r\nslow`)
	await sending.closed
	expect(readStatus(sending.text())).toBe(400)
})
