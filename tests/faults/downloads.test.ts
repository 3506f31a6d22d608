import { afterAll, beforeAll, expect, test } from 'vitest'
import { PLACES } from '#tests/support/site-map'
import { QUIET } from './allowances'
import { FAULTS, type ResponseFault, WORDS } from './broken-responses'
import { findAddress, runInTurn, listCalls } from './cases'
import { FILES, OTHER_FILES } from './files'
import { type Page } from './pages'
import { type RecordedCall, openReplayedPortal, type ReplayedPortal, type RecordedSession } from './replayed-broker'

/* Every file, with each of its calls failing in each way: no error is ever saved as a file. */

const AT_ONCE = 20

let portal: ReplayedPortal
beforeAll(async () => {
	portal = await openReplayedPortal(FILES)
}, 240_000)
afterAll(() => portal.close())

test('covers every address of a file', () => {
	const files = PLACES.map(({ route }) => route).filter((route) => /^(downloads|rekyc\/statements)\//.test(route))
	expect([...new Set([...FILES.map(({ route }) => route), ...Object.keys(OTHER_FILES)])].sort()).toEqual([...new Set(files)].sort())
})

/** These are tried on every call of every file. Of the others, each file gets one third in turn. */
const ALWAYS = new Set(['never', '401 JSON', '404 JSON', '500 JSON', '500 HTML', 'malformed', 'reset in the middle'])

type Case = { page: Page; call: RecordedCall; fault: ResponseFault; isScript: boolean }

/** The first bytes of a file, by its content type. */
const STARTS: readonly [type: string, start: RegExp][] = [
	['application/pdf', /^%PDF-/],
	['application/zip', /^PK/],
	['application/vnd.openxmlformats', /^PK/],
	['application/vnd.ms-excel', /^(\u00D0\u00CF|<\?xml)/],
	['text/csv', /^\u00EF\u00BB\u00BF[#"A-Z]/],
]

/**
 * Timeout of a file in milliseconds, far beyond every limit of the portal. A year pack contains dozens of files, a file of a hundred
 * thousand rows takes seconds of computing, and many are made at once here.
 */
const GIVE_UP_MS = 20_000
const GIVE_UP_LONG_MS = 90_000

/** The whole reply; undefined when it does not end. */
async function readFile({ visitor }: RecordedSession, address: string, isScript: boolean, giveUpMs = GIVE_UP_MS) {
	let timer: ReturnType<typeof setTimeout> | undefined
	const tooLate = new Promise<undefined>((resolve) => (timer = setTimeout(() => resolve(undefined), giveUpMs)))
	const read = async () => {
		const answer = await visitor.send(address, { headers: isScript ? { 'x-download': 'fetch' } : {} })
		// The browser also sees that a file breaks off, so it never counts the file as complete.
		return { answer, bytes: await answer.arrayBuffer().catch(() => undefined) }
	}
	return await Promise.race([read(), tooLate]).finally(() => clearTimeout(timer))
}

async function judgeFile({ page, call, fault, isScript }: Case): Promise<string[]> {
	const session = await portal.signIn(page.who)
	const { visitor } = session
	const address = await findAddress(page, session)
	session.breakCall(call, fault)
	const giveUpMs = page.route === 'downloads/year-pack' || fault.isHeavy ? GIVE_UP_LONG_MS : GIVE_UP_MS
	const seen = await readFile(session, address, isScript, giveUpMs)
	if (!seen) return [`no end in ${giveUpMs / 1000} s`]
	const { answer, bytes } = seen
	const hits = session.countHits()
	session.forget()
	const text = Buffer.from(bytes ?? new ArrayBuffer(0)).toString('latin1')
	const location = answer.headers.get('location') ?? ''
	const name = `${call.method} ${call.path}`
	const isSession = fault.name === '401 JSON' || (name === 'GET /v2/user/verify-user' && /^4(?!29)/.test(fault.name))
	if (hits === 0) return ['was not asked']
	if (answer.headers.has('content-disposition')) {
		if (!bytes) return fault.name === 'reset in the middle' || fault.isLong ? [] : ['breaks off']
		const type = answer.headers.get('content-type') ?? ''
		const start = STARTS.find(([of]) => type.startsWith(of))?.[1]
		if (answer.status !== 200 || !start?.test(text)) return [`saves ${answer.status} ${type} ${text.slice(0, 40)}`]
		if (isSession) return ['the session goes on']
		const mayBeWhole = fault.isUsable || fault.mayFit || fault.name === '404 JSON' || page.route === 'downloads/year-pack'
		const isQuiet = QUIET.some(({ call: quiet }) => quiet === name)
		// A CSV whose last line says that it is incomplete, and why.
		const isTold = text.includes('INCOMPLETE: ') && (!fault.hasWords || text.includes(WORDS))
		return mayBeWhole || isQuiet || isTold ? [] : ['saves a file all the same']
	}
	if (isSession)
		return /^\/(login|rekyc)/.test(location) || answer.status === 401 ? [] : [`the session goes on: ${answer.status} ${location}`]
	if (fault.isUsable) return [`a usable answer became ${answer.status}`]
	if (isScript) {
		if (answer.status < 400 || !answer.headers.get('content-type')?.includes('json'))
			return [`answers a script ${answer.status} ${location}`]
		const { message } = JSON.parse(text) as { message: string }
		return fault.hasWords && message !== WORDS ? [`says ${message}`] : message ? [] : ['says nothing']
	}
	if (answer.status !== 303 || !/^\/(?!client\/|downloads\/)[a-z]/.test(location)) return [`answers ${answer.status} ${location}`]
	const { html } = await visitor.visit(location)
	return html.includes('class="toast') && (!fault.hasWords || html.includes(WORDS)) ? [] : ['loses the message on the page']
}

test('saves no error as a file, and shows the message on the page with the link', { timeout: 300_000 }, async () => {
	const cases: Case[] = []
	const missing: string[] = []
	let calledFiles = 0
	for (const page of FILES) {
		const calls = await listCalls(portal, page).catch((error: unknown) => {
			missing.push(String(error))
			return []
		})
		for (const call of calls) {
			// The session check is also made by pages, and most calls of a year pack by the other files.
			const isVerify = call.path === '/v2/user/verify-user'
			const only = isVerify ? '403 JSON' : page.route === 'downloads/year-pack' ? '500 JSON' : undefined
			const faults = FAULTS.filter(({ name }, at) => (only ? name === only : ALWAYS.has(name) || (at + calledFiles) % 3 === 0))
			calledFiles += 1
			for (const fault of faults) cases.push({ page, call, fault, isScript: cases.length % 2 === 0 })
		}
	}
	const failures = await runInTurn(cases, AT_ONCE, async (each) => {
		const wrong = await judgeFile(each).catch((error: unknown) => [String(error)])
		const { page, call, fault, isScript } = each
		return wrong.map((why) => `${page.route} · ${call.method} ${call.path} · ${fault.name}${isScript ? ' · script' : ''}: ${why}`)
	})
	expect([...missing, ...failures]).toEqual([])
	expect(cases.length).toBeGreaterThan(400)
})

test('does not count a broken file among the eight downloads of a client', { timeout: 60_000 }, async () => {
	const address = '/downloads/holding/pdf'
	const call = { method: 'GET', path: '/v1/downloads/download-holdings' }
	const failures = await runInTurn(
		FAULTS.filter(({ name }) => name !== '401 JSON'),
		FAULTS.length,
		async (fault) => {
			const session = await portal.signIn('DEMO01')
			session.breakCall(call, fault)
			const broken = await Promise.all(Array.from({ length: 8 }, () => readFile(session, address, true)))
			const hits = session.countHits()
			session.forget()
			const next = await readFile(session, address, true)
			const isWhole =
				next?.answer.status === 200 &&
				Buffer.from(next.bytes ?? new ArrayBuffer(0))
					.toString('latin1')
					.startsWith('%PDF-')
			return broken.every((each) => each) && hits >= 8 && isWhole ? [] : [`${fault.name}: ${hits} calls, then ${next?.answer.status}`]
		},
	)
	expect(failures).toEqual([])
})
