import { once } from 'node:events'
import { type IncomingMessage, type ServerResponse } from 'node:http'
import { pino } from 'pino'
import { afterEach, expect, test } from 'vitest'
import { sendForEver, serve, success } from '#tests/support/served'

/* Clients that leave, stop reading or start many downloads: their broker calls end, and no other client waits. */

let served: Awaited<ReturnType<typeof serve>>
afterEach(() => served.close())

const PDF = 'application/pdf'

/** The beginning of a file that then stalls. */
function sendBeginning(response: ServerResponse) {
	response.writeHead(200, { 'content-type': PDF })
	response.write('%PDF-1.7\n')
}

async function signIn(client = 'DEMO01'): Promise<string> {
	const person = served.visitor()
	expect((await person.login(client)).status).toBe(303)
	return person.cookieHeader()
}

const FILE = '/downloads/holding/pdf'
const isFile = (url = '') => url.includes('download-holdings')
const isHolding = (url = '') => url.includes('/reports/holding')

test.for([
	['before the first byte', false],
	['after the first byte', true],
] as const)(
	'five hundred downloads broken off %s leave no open broker call, and login stays fast',
	{ timeout: 90_000 },
	async ([, hasBytes]) => {
		served = await serve((request, response) => void (isFile(request.url) && hasBytes && sendBeginning(response)))
		// Ten clients, because the number per client is limited.
		const cookies: string[] = []
		for (let n = 0; n < 10; n++) cookies.push(await signIn(`TWIN${n}`))
		for (let round = 1; round <= 10; round++) {
			const downloads = cookies.flatMap((cookie) => Array.from({ length: 5 }, () => served.get(FILE, cookie)))
			for (const each of downloads) each.on('error', () => {})
			if (hasBytes) await Promise.all(downloads.map(async (each) => once(each, 'response')))
			else await expect.poll(() => served.seen.filter(isFile).length, { interval: 5, timeout: 10_000 }).toBe(50 * round)
			for (const each of downloads) each.destroy()
			// Less than the timeout of a call, which would end it too.
			await expect.poll(() => served.open.size, { interval: 5, timeout: 2500 }).toBe(0)
		}
		const started = performance.now()
		await signIn()
		expect(performance.now() - started).toBeLessThan(2000)
	},
)

test('a client has at most eight downloads at once in all sessions; the ninth shows a message, and starts when one has ended', async () => {
	served = await serve((request, response) => void (isFile(request.url) && sendBeginning(response)))
	const [cookie, again, other] = [await signIn(), await signIn(), await signIn('CASH01')]
	const script = (who: string) => served.visitor().send(FILE, { headers: { cookie: who, 'x-download': 'fetch' } })
	const eight = Array.from({ length: 8 }, () => served.get(FILE, cookie))
	await Promise.all(eight.map(async (each) => once(each, 'response')))

	const refused = await script(cookie)
	expect([refused.status, await refused.json()]).toEqual([
		429,
		{ message: 'You have 8 downloads running. Wait until one of them has finished, then try again.' },
	])
	expect((await script(again)).status).toBe(429)
	expect(served.seen.filter(isFile)).toHaveLength(8)
	// Another client is not affected.
	const [theirs] = (await once(served.get(FILE, other), 'response')) as [{ statusCode: number }]
	expect(theirs.statusCode).toBe(200)

	eight[0]?.on('error', () => {}).destroy()
	await expect.poll(() => served.open.size, { interval: 5 }).toBe(8)
	const [next] = (await once(served.get(FILE, cookie), 'response')) as [{ statusCode: number }]
	expect(next.statusCode).toBe(200)
	for (const each of eight) each.destroy()
})

test('eight CSVs whose browser left before the broker answered leave room for the next one', async () => {
	const lines: string[] = []
	const log = pino({}, { write: (line: string) => void lines.push(line) })
	let answer = () => {}
	const held = new Promise<void>((resolve) => (answer = resolve))
	const none = (response: ServerResponse) => response.writeHead(404).end()
	served = await serve(
		(request, response) =>
			void (isHolding(request.url) ? held.then(() => success(response, [{ SYMBOL: 'BEL', QTY: 400 }])) : none(response)),
		{ log },
	)
	const cookie = await signIn()
	const left = Array.from({ length: 8 }, () => served.get('/downloads/holding/csv', cookie).on('error', () => {}))
	// All eight ask the same, so the broker gets one call.
	await expect.poll(() => served.seen.filter(isHolding).length, { interval: 5 }).toBe(1)
	for (const each of left) each.destroy()
	await expect.poll(() => lines.filter((line) => line.includes('"status":499')).length, { interval: 5 }).toBe(8)
	answer()
	const next = await served.visitor().send('/downloads/holding/csv', { headers: { cookie, 'x-download': 'fetch' } })
	expect([next.status, next.headers.get('content-type')]).toEqual([200, 'text/csv; charset=utf-8'])
})

test('130 paused downloads do not slow other clients’ pages', { timeout: 60_000 }, async () => {
	served = await serve((request, response) => {
		if (isFile(request.url)) return sendBeginning(response)
		response.setHeader('content-type', 'application/json').writeHead(404).end('{"status":"error","message":"None","data":null}')
	})
	const cookies: string[] = []
	for (let n = 0; n < 26; n++) cookies.push(await signIn(`TWIN${n}`))
	const paused = cookies.flatMap((cookie) => Array.from({ length: 5 }, () => served.get(FILE, cookie)))
	for (const each of paused) each.on('error', () => {})
	await expect.poll(() => served.seen.filter(isFile).length, { interval: 5, timeout: 15_000 }).toBeGreaterThanOrEqual(128)
	const started = performance.now()
	await signIn()
	expect(performance.now() - started).toBeLessThan(2000)
	for (const each of paused) each.destroy()
	await expect.poll(() => served.open.size, { interval: 5, timeout: 2500 }).toBe(0)
})

const STALL_MS = 500

test('disconnects a client that reads nothing, and keeps one that reads slowly', async () => {
	served = await serve((request, response) => void (isFile(request.url) && sendForEver(response)), { stallMs: STALL_MS })
	const cookie = await signIn()
	const [stopped, slow] = [served.get(FILE, cookie), served.get(FILE, cookie)]
	for (const each of [stopped, slow]) each.on('error', () => {})
	const [, [answer]] = (await Promise.all([once(stopped, 'response'), once(slow, 'response')])) as [unknown, [IncomingMessage]]
	let taken = 0
	const reading = setInterval(() => (taken += (answer.read() as Buffer | null)?.length ?? 0), 5)
	await expect.poll(() => served.open.size, { interval: 5, timeout: 10_000 }).toBe(1)
	const started = performance.now()
	const before = taken
	await expect.poll(() => performance.now() - started, { interval: 20, timeout: 10_000 }).toBeGreaterThan(3 * STALL_MS)
	clearInterval(reading)
	expect(taken).toBeGreaterThan(before)
	expect(served.open.size).toBe(1)
	slow.destroy()
})
