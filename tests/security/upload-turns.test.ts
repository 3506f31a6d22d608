import { type IncomingMessage, type ServerResponse } from 'node:http'
import { pino } from 'pino'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { askForCode, filePart, OTP, readStatus, send as sendTo } from '#tests/support/sent-bytes'
import { serve, success } from '#tests/support/served'

/* Many posts with files of one client at once (security 50): six are answered, and the others wait unread. */

// A long timeout, so that only a browser ends a call. The portal reads its settings when it is first served.
beforeAll(() => void vi.stubEnv('BROKER_TIMEOUT_MS', '60000'))

const MB = 1024 * 1024
/** The rule of app/forms/upload-turns.server.ts. */
const AT_ONCE = 6
const POSTS = 40

let served: Awaited<ReturnType<typeof serve>>
afterEach(() => served.close())

/** Starts the portal with a broker that reads uploads without answering. Counts uploads, and lists the status of each answered upload. */
async function start() {
	const uploads = { begun: 0, answered: [] as number[] }
	const answer = (request: IncomingMessage, response: ServerResponse) => {
		if (!request.url?.includes('process=verify_otp')) return success(response, { request_id: 'R1', expires_in: 300, resend_in: 30 })
		uploads.begun += 1
		request.on('error', () => {}).resume()
	}
	const write = (line: string) => {
		const { method, path, status } = JSON.parse(line) as Record<string, unknown>
		if (method === 'POST' && path === OTP) uploads.answered.push(Number(status))
	}
	served = await serve(answer, { log: pino({ level: 'info' }, { write }) })
	return uploads
}

const rest = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms))

test('answers six of forty refused uploads of one client, and another client at once', async () => {
	const uploads = await start()
	const many = await askForCode(served.visitor(), 'MANY01')
	const other = await askForCode(served.visitor(), 'OTHER1')
	// The first bytes are not a PDF, so each is refused. The rest of the body never comes, so each stays under way.
	const refused = filePart().replace('%PDF', '%XYZ') + ' '.repeat(20_000)
	const all = Array.from({ length: POSTS }, () => sendTo(served.port, many.open(refused, 4 * MB)))
	const countAnswered = () => all.filter(({ text }) => readStatus(text()) === 400).length
	await expect.poll(countAnswered, { interval: 20, timeout: 20_000 }).toBe(AT_ONCE)

	const upload = sendTo(served.port, other.open(filePart() + ' '.repeat(20_000), 4 * MB))
	await expect.poll(() => uploads.begun, { interval: 20, timeout: 10_000 }).toBe(1)
	// A second in which 34 more pages would be made.
	await rest(1000)
	expect(countAnswered()).toBe(AT_ONCE)

	expect(uploads.answered).toEqual(Array.from({ length: AT_ONCE }, () => 400))
	for (const { socket } of all) socket.resetAndDestroy()
	await expect.poll(() => uploads.answered.length, { interval: 20, timeout: 10_000 }).toBe(POSTS)
	// A turn that is free goes to the next post, whose end may not be known yet, so a few more pages may be made.
	const left = uploads.answered.slice(AT_ONCE)
	expect(new Set(left)).toContain(499)
	expect(left.filter((status) => status !== 499).length).toBeLessThanOrEqual(AT_ONCE)

	// The turns of clients who left are free again.
	const again = Array.from({ length: AT_ONCE }, () => sendTo(served.port, many.open(refused, 4 * MB)))
	await expect.poll(() => again.filter(({ text }) => readStatus(text()) === 400).length, { interval: 20, timeout: 20_000 }).toBe(AT_ONCE)
	for (const { socket } of [...again, upload]) socket.destroy()
}, 90_000)

test('the seventh post is answered as soon as one of the six is over', async () => {
	await start()
	const client = await askForCode(served.visitor(), 'SEVEN1')
	const refused = filePart().replace('%PDF', '%XYZ') + ' '.repeat(20_000)
	const held = Array.from({ length: AT_ONCE }, () => sendTo(served.port, client.open(refused, 4 * MB)))
	await expect.poll(() => held.every(({ text }) => readStatus(text()) === 400), { interval: 20, timeout: 20_000 }).toBe(true)
	const seventh = sendTo(served.port, client.whole(`${refused}\r\n--b--\r\n`))
	await rest(500)
	expect(seventh.text()).toBe('')
	held[0]?.socket.destroy()
	await expect.poll(() => readStatus(seventh.text()), { interval: 20, timeout: 10_000 }).toBe(400)
	for (const { socket } of [...held, seventh]) socket.destroy()
}, 60_000)
