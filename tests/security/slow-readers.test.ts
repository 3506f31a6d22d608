import { mkdtempSync, readdirSync, readlinkSync } from 'node:fs'
import { type IncomingMessage, type ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setInterval } from 'node:timers/promises'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type PortalProcess, readLongestWait, startProcess, WATCH } from '#tests/services/processes'
import { answered, askForCode, filePart, send as sendTo, readStatus } from '#tests/support/sent-bytes'
import { sendForEver, startBroker, success, visitPort } from '#tests/support/served'

/* A portal process with many slow readers (security 74), and files that uploads leave behind (security 50). */

const PORT = 3265
const KB = 1024
/** Sends twenty requests a second to /healthz. */
const ASKED = 60
const temporary = mkdtempSync(path.join(tmpdir(), 'khata-uploads-'))

/** Sends OTPs and an endless file, and answers uploads when they are complete. */
function answer(request: IncomingMessage, response: ServerResponse) {
	const { url = '' } = request
	if (url.includes('download-holdings')) return sendForEver(response)
	if (!url.includes('process=verify_otp')) return success(response, { request_id: 'R1', expires_in: 300, resend_in: 30 })
	uploads.begun += 1
	request.on('error', () => {}).resume()
	request.on('end', () => {
		uploads.whole += 1
		success(response, 'https://esign.test/esign')
	})
}

const uploads = { begun: 0, whole: 0 }
let broker: Awaited<ReturnType<typeof startBroker>>
let portal: PortalProcess
beforeAll(async () => {
	broker = await startBroker(answer)
	portal = await startProcess(PORT, `http://127.0.0.1:${broker.port}`, { TMPDIR: temporary, NODE_ARGS: WATCH })
})
afterAll(async () => {
	await portal.stop('SIGKILL')
	broker.close()
})

test('a hundred readers at 40 KB a second leave /healthz under 500 ms', { timeout: 60_000 }, async () => {
	const { get } = visitPort(PORT)
	const cookies: string[] = []
	for (let n = 0; n < 20; n++) {
		const visitor = portal.visitor()
		expect((await visitor.login(`READER${n}`)).status).toBe(303)
		cookies.push(visitor.cookieHeader())
	}
	const downloads = cookies.flatMap((cookie) => Array.from({ length: 5 }, () => get('/downloads/holding/pdf', cookie)))
	for (const each of downloads) each.on('error', () => {})
	await readLongestWait(portal)
	const answers: IncomingMessage[] = []
	for (const each of downloads) each.on('response', (answered) => answers.push(answered))
	const reading = globalThis.setInterval(() => answers.forEach((each) => each.read(4 * KB)), 100)
	const times: number[] = []
	for await (const _ of setInterval(50)) {
		const started = performance.now()
		expect((await portal.visitor().send('/healthz')).status).toBe(200)
		if (times.push(performance.now() - started) === ASKED) break
	}
	clearInterval(reading)
	expect(answers.filter((each) => !each.destroyed)).toHaveLength(100)
	for (const each of downloads) each.destroy()
	// On a busy machine a response may wait for the processor, so the delay of the process itself has a smaller limit.
	expect(times.sort((a, b) => a - b)[Math.floor(times.length / 2)]).toBeLessThan(500)
	expect(await readLongestWait(portal)).toBeLessThan(500)
})

/** Files on a disk that the process has open. */
function openFiles(): string[] {
	const folder = `/proc/${portal.child.pid}/fd`
	const targets = readdirSync(folder).map((name) => {
		try {
			return readlinkSync(path.join(folder, name))
		} catch {
			return ''
		}
	})
	return targets.filter((target) => target.startsWith('/') && !target.startsWith('/dev/')).sort()
}

test.runIf(process.platform === 'linux')('finished, refused and broken uploads leave no file, and none is open meanwhile', async () => {
	const client = await askForCode(portal.visitor(), 'FILES1')
	const before = openFiles()
	const expectNoFile = () => expect([readdirSync(temporary), openFiles()]).toEqual([[], before])

	const aborted = sendTo(PORT, client.open(filePart() + ' '.repeat(300 * KB), 900 * KB))
	await expect.poll(() => uploads.begun, { timeout: 10_000 }).toBe(1)
	expectNoFile()
	aborted.socket.resetAndDestroy()

	const refused = sendTo(PORT, client.whole(`${filePart().replace('%PDF-1.4', '<html>')}\r\n--b--\r\n`))
	await answered(refused)
	expect(readStatus(refused.text())).toBe(400)
	refused.socket.destroy()

	const finished = sendTo(PORT, client.whole(`${filePart()}${' '.repeat(300 * KB)}\r\n--b--\r\n`))
	await expect.poll(() => uploads.whole, { timeout: 10_000 }).toBe(1)
	await expect.poll(() => readStatus(finished.text()), { timeout: 10_000 }).toBe(303)
	finished.socket.destroy()
	expectNoFile()
	expect(uploads).toEqual({ begun: 2, whole: 1 })
})
