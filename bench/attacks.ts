import { randomUUID } from 'node:crypto'
import { type ClientRequest, get, type IncomingMessage, request as openRequest } from 'node:http'
import { connect } from 'node:net'
import { wait } from '#scripts/programs'
import { type Program } from './programs'
import { signInTwins } from './throughput'
import { hiddenIn, readPage, postForm, signIn } from './visitor'

/** `prepare` signs in the clients and returns the attack: a function that ends by itself and returns its result. */
export type Attack = {
	name: string
	/** What the memory is used for. */
	why?: string
	prepare: (portal: Program) => Promise<() => Promise<string>>
}

const MB = 1_048_576
const KB = 1024
const FILE = '/downloads/holding/pdf'
const TRANSFER = '/myaccount/closure/transfer'
const URL_ENCODED = 'application/x-www-form-urlencoded'
const MULTIPART = 'multipart/form-data; boundary=b'
/** Maximum wait for one reply, in milliseconds. */
const PATIENCE_MS = 30_000

const formatPart = (name: string, value: string) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
const formatFile = (name: string) =>
	`--b\r\ncontent-disposition: form-data; name="${name}"; filename="a.pdf"\r\ncontent-type: application/pdf\r\n\r\n%PDF-1.4\n`

const fields = Buffer.from('a=&'.repeat(Math.floor((24 * MB) / 3)))
const file = Buffer.concat([Buffer.from(formatFile('proof')), Buffer.alloc(24 * MB, ' '), Buffer.from('\r\n--b--\r\n')])

/** Attacks that a reviewer of the portal found, each limited in number and time. */
export const ATTACKS: readonly Attack[] = [
	{
		name: '32 forms of 24 MB without a session, four a second',
		prepare: async (portal) => async () => {
			const paths = ['bank', 'segments', 'income', 'bank']
			const post = (n: number) => postBody(portal, `/myaccount/${paths[n % 4]}`, URL_ENCODED, fields, n % 2 === 0)
			return tally(await startEvery(250, 32, post))
		},
	},
	{
		name: '20 × 24 MB of multipart without a session, three times',
		prepare: async (portal) => async () => {
			const post = (n: number) => postBody(portal, n % 2 === 0 ? '/myaccount/bank' : '/myaccount/bank/otp', MULTIPART, file, n % 4 < 2)
			const answers = await startEvery(3000, 3, () => Promise.all(Array.from({ length: 20 }, (_, n) => post(n))))
			return tally(answers.flat())
		},
	},
	{
		name: '20 uploads of 24 MB with a session at once, three times',
		prepare: async (portal) => {
			const form = await openTransfer(portal, await signIn(portal.url, 'CLOS01'))
			const end = Buffer.from('\r\n--b--\r\n')
			const body = () => Buffer.concat([Buffer.from(startOfTransfer(form)), Buffer.alloc(24 * MB, ' '), end])
			return async () => {
				const answers: number[] = []
				for (let round = 0; round < 3; round++) {
					const bodies = Array.from({ length: 20 }, body)
					answers.push(
						...(await Promise.all(bodies.map((each, n) => postBody(portal, TRANSFER, MULTIPART, each, n % 2 === 0, form.cookie)))),
					)
				}
				return tally(answers)
			}
		},
	},
	{
		name: '1,600 posts of “make default” with 97 KB of junk, four at once',
		prepare: async (portal) => {
			const cookie = await signIn(portal.url, 'DEMO01')
			const html = (await readPage(portal.url, '/myaccount/bank', cookie)).bytes.toString()
			const known = { csrf: hiddenIn(html, 'csrf'), intent: 'make_default', bank: hiddenIn(html, 'bank') }
			// One field may have at most 8 KB.
			const junk = Object.fromEntries(Array.from({ length: 12 }, (_, n) => [`junk${n}`, 'j'.repeat(8080)]))
			return async () => {
				const ends = performance.now() + 120_000
				const statuses: number[] = []
				let left = 1600
				const work = async () => {
					while (left-- > 0 && performance.now() < ends) {
						const form = new URLSearchParams({ ...known, idempotency_key: randomUUID(), ...junk, n: String(left) })
						const body = Buffer.from(form.toString())
						statuses.push(await postBody(portal, '/myaccount/bank', URL_ENCODED, body, true, cookie))
					}
				}
				await Promise.all([work(), work(), work(), work()])
				return tally(statuses)
			}
		},
	},
	{
		name: '130 paused downloads, for 12 s',
		why: 'four to five pieces of 8 KB of each are on their way; the rest waits for V8 to collect',
		prepare: async (portal) => {
			const cookies = await signInTwins(portal, 26)
			return async () => {
				let begun = 0
				const paused = cookies.flatMap((cookie) =>
					Array.from({ length: 5 }, () =>
						openFile(portal, cookie).on('response', (answer: IncomingMessage) => void (answer.pause(), begun++)),
					),
				)
				await wait(12_000)
				for (const each of paused) each.destroy()
				return `${begun} had begun`
			}
		},
	},
	{
		name: '500 aborted downloads, half before the first byte',
		prepare: async (portal) => {
			const cookies = await signInTwins(portal, 10)
			const abort = (cookie: string, n: number) =>
				new Promise<void>((resolve) => {
					const download = openFile(portal, cookie).on('close', () => resolve())
					if (n % 2 === 1)
						download.on('response', (answer: IncomingMessage) => void (answer.pause(), setTimeout(() => download.destroy(), 50)))
					setTimeout(() => download.destroy(), n % 2 === 0 ? 100 : 3000)
				})
			return async () => {
				for (let round = 0; round < 10; round++)
					await Promise.all(cookies.flatMap((cookie) => Array.from({ length: 5 }, (_, n) => abort(cookie, round + n))))
				await wait(5000)
				return ''
			}
		},
	},
	...[
		{ name: '140 abandoned uploads of one client, for 12 s', clients: ['CLOS01'] },
		{
			name: '140 abandoned uploads of 28 clients, for 12 s',
			clients: Array.from({ length: 28 }, (_, n) => `TWIN${n + 10}`),
			why: 'what is sent of 140 files passes through, and 24 are answered at once, besides the first of each client',
		},
	].map(({ clients, ...attack }) => ({
		...attack,
		prepare: async (portal: Program) => {
			const forms: Form[] = []
			for (const client of clients) forms.push(await openTransfer(portal, await signIn(portal.url, client)))
			return async () => {
				await Promise.all(Array.from({ length: 140 }, (_, n) => abandonUpload(portal, forms[n % forms.length])))
				await wait(10_000)
				return ''
			}
		},
	})),
	{
		name: 'six long ledgers at once, three times',
		why: 'two are read at once, 17 MB of rows each; one is kept for its next page',
		prepare: async (portal) => {
			const path = '/reports/ledger?from=2024-04-01'
			// After this visit the broker has its reply ready, like a fast broker, so that only the portal is measured.
			const [first = '', ...cookies] = await signInTimes(portal, 19, 'BULK01')
			const html = (await readPage(portal.url, path, first)).bytes.toString()
			return async () => {
				for (let round = 0; round < 3; round++)
					await Promise.all(
						cookies
							.slice(round * 6, round * 6 + 6)
							.map((cookie) => readPage(portal.url, path, cookie, AbortSignal.timeout(PATIENCE_MS)).catch(() => undefined)),
					)
				return `${/of ([\d,]+)/.exec(html)?.[1] ?? 'no'} rows each`
			}
		},
	},
	{
		name: '100 multipart bodies that never end, for 12 s',
		prepare: async (portal) => {
			const cookie = await signIn(portal.url, 'CLOS01')
			const { cookie: withDraft } = await openTransfer(portal, cookie)
			const cutHeader = '--b\r\ncontent-disposition: form-data; name="otp"\r\n--b--\r\n'
			return async () => {
				const kinds = [
					{ path: '/login', cookie: '', body: cutHeader },
					{ path: TRANSFER, cookie: withDraft, body: cutHeader },
					{ path: TRANSFER, cookie: withDraft, body: formatFile('client_master') },
					{ path: '/login', cookie: '', body: '' },
				]
				const answered = await Promise.all(Array.from({ length: 100 }, (_, n) => holdBody(portal, kinds[n % 4])))
				return `${answered.filter(Boolean).length} were answered meanwhile`
			}
		},
	},
]

/** Starts `work` once every `ms` milliseconds, `times` times, and returns all results. */
async function startEvery<Result>(ms: number, times: number, work: (n: number) => Promise<Result>): Promise<Result[]> {
	const begun: Promise<Result>[] = []
	for (let n = 0; n < times; n++) {
		begun.push(work(n))
		await wait(ms)
	}
	return Promise.all(begun)
}

async function signInTimes(portal: Program, times: number, client: string): Promise<string[]> {
	const cookies: string[] = []
	for (let n = 0; n < times; n++) cookies.push(await signIn(portal.url, client))
	return cookies
}

function tally(statuses: readonly number[]): string {
	const counts = new Map<number, number>()
	for (const status of statuses) counts.set(status, (counts.get(status) ?? 0) + 1)
	return [...counts].map(([status, count]) => `${count} × ${status || 'no answer'}`).join(', ')
}

function headersFor(portal: Program, cookie: string): Record<string, string> {
	return { origin: portal.url, 'sec-fetch-site': 'same-origin', ...(cookie && { cookie }) }
}

/** Sends a body as fast as the portal accepts it. Returns the status, or 0 when the connection ended without one. */
function postBody(portal: Program, path: string, type: string, body: Buffer, isAnnounced: boolean, cookie = ''): Promise<number> {
	return new Promise((resolve) => {
		const length = isAnnounced ? { 'content-length': String(body.length) } : { 'transfer-encoding': 'chunked' }
		const headers = { ...headersFor(portal, cookie), 'content-type': type, ...length }
		const request = openRequest(portal.url + path, { method: 'POST', agent: false, headers, timeout: PATIENCE_MS })
		let status = 0
		request.on('response', (answer) => {
			status = answer.statusCode ?? 0
			answer.resume().on('error', () => {})
		})
		request.on('error', () => {})
		request.on('timeout', () => request.destroy())
		request.on('close', () => resolve(status))
		request.end(body)
	})
}

/** Starts a download whose reader decides when to read. */
function openFile(portal: Program, cookie: string): ClientRequest {
	return get(portal.url + FILE, { agent: false, headers: headersFor(portal, cookie) }).on('error', () => {})
}

type Form = { cookie: string; csrf: string }

/** Opens the form with two files, which has no rate limit. */
async function openTransfer(portal: Program, cookie: string): Promise<Form> {
	const closure = (await readPage(portal.url, '/myaccount/closure', cookie)).bytes.toString()
	const csrf = hiddenIn(closure, 'csrf')
	const answers = { csrf, reason: 'Moving to another broker', close: 'Trading and Demat', holdings: 'transfer' }
	const { answer, cookie: withDraft } = await postForm(portal.url, '/myaccount/closure', cookie, new URLSearchParams(answers))
	if (answer.headers.get('location') !== TRANSFER) throw new Error(`The closure’s form was not taken (${answer.status})`)
	return { cookie: withDraft, csrf }
}

function formatHead(portal: Program, path: string, cookie: string, length: number): string {
	const headers = { host: new URL(portal.url).host, ...headersFor(portal, cookie), 'content-type': MULTIPART, 'content-length': length }
	const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`)
	return [`POST ${path} HTTP/1.1`, ...lines, '', ''].join('\r\n')
}

/** Returns the fields of the form with two files, and the header of its first file. */
function startOfTransfer({ csrf }: Form): string {
	const typed = { csrf, idempotency_key: randomUUID(), account_type: 'CDSL', cdsl_bo_id: '1300000000200815', nsdl_bo_id: '' }
	return (
		Object.entries(typed)
			.map(([name, value]) => formatPart(name, value))
			.join('') + formatFile('client_master')
	)
}

/** Sends the fields and a megabyte of a file, then breaks the connection. */
async function abandonUpload(portal: Program, form: Form | undefined): Promise<void> {
	if (!form) return
	const socket = connect(Number(new URL(portal.url).port), '127.0.0.1').on('error', () => {})
	socket.resume()
	socket.write(formatHead(portal, TRANSFER, form.cookie, 5 * MB) + startOfTransfer(form))
	socket.write(Buffer.alloc(MB, ' '))
	await wait(2000)
	socket.resetAndDestroy()
}

type Held = { path: string; cookie: string; body: string }

/** Announces more than it sends, then sends a byte a second for 12 s. Returns whether a reply came. */
async function holdBody(portal: Program, { path, cookie, body }: Held = { path: '/login', cookie: '', body: '' }): Promise<boolean> {
	let isAnswered = false
	const socket = connect(Number(new URL(portal.url).port), '127.0.0.1').on('error', () => {})
	socket.on('data', () => (isAnswered = true))
	socket.write(formatHead(portal, path, cookie, 90 * KB) + body)
	for (let second = 0; second < 12; second++) {
		await wait(1000)
		if (socket.writable) socket.write(' ')
	}
	socket.destroy()
	return isAnswered
}
