import { BUSINESS_DAY } from '#contract/common'
import { BROKERS_CLOCK, BROKERS_DAY } from '#tests/support/brokers-day'
import { openPortal, Visitor } from '#tests/support/portal'
import { hidden } from '#tests/support/readers'
import { type ResponseFault, type Recorded, replay } from './broken-responses'

/** The reply with the broker's time, because the portal's day must not change while other tests break calls. */
function atBrokersTime(answer: Response): Response {
	answer.headers.set('date', new Date(`${BROKERS_CLOCK}+05:30`).toUTCString())
	answer.headers.set(BUSINESS_DAY, BROKERS_DAY)
	return answer
}

export type RecordedCall = { method: string; path: string }
export type Broken = { call: RecordedCall; fault: ResponseFault }

const LOGIN = '/v2/user/login'
const PASSWORD = 'Demo@1234'
const readPath = (request: Request) => new URL(request.url).pathname
const nameToken = (client: string, visitor: number) => `${client}.${String(visitor).padStart(12, '0')}`
/** Limits that count by client must not join visitors. */
const nameVisitor = (client: string, visitor: number) => `${client}V${visitor}`
const useRealCode = (text: string) => text.replaceAll(/([A-Z]{4}01|NEW001)V\d+/g, '$1')
const readToken = ({ headers }: Request) => headers.get('auth-token') ?? headers.get('authtoken') ?? ''

type Opened = Awaited<ReturnType<typeof openPortal>>
type Login = { cookies: ReadonlyMap<string, string>; csrf: string; realToken: string; answer: string }

const isJson = ({ headers }: Request) => headers.get('content-type')?.startsWith('application/json') ?? false

/** Asks the sandbox under a client's real token, and keeps its responses. */
function createRecorder(findRealToken: (client: string) => string) {
	const known = new Map<string, Promise<Recorded>>()

	/** The sandbox's response under the client's real token. From the second time on it comes from memory. */
	async function ask(request: Request, token: string): Promise<Recorded> {
		const body = isJson(request) ? useRealCode(await request.clone().text()) : ''
		const [client = ''] = token.split('.')
		const key = `${client} ${request.method} ${useRealCode(request.url).replace(token, '')} ${body.replace(token, '')}`
		const answer = known.get(key) ?? askSandbox(request, token, findRealToken(client))
		known.set(key, answer)
		return await answer
	}

	async function askSandbox(request: Request, token: string, realToken: string): Promise<Recorded> {
		const headers = new Headers([...request.headers].map(([name, value]) => [name, useRealCode(value)] as const))
		headers.delete('content-length')
		for (const name of ['auth-token', 'authtoken']) if (headers.get(name) === token) headers.set(name, realToken)
		const body = request.method === 'GET' ? undefined : isJson(request) ? useRealCode(await request.text()) : await request.arrayBuffer()
		const response = await fetch(useRealCode(request.url), { method: request.method, headers, body })
		const answered = [...response.headers].filter(([name]) => name !== 'content-encoding')
		return { status: response.status, headers: answered, bytes: new Uint8Array(await response.arrayBuffer()) }
	}

	return ask
}

/** A real login of a client, from which visitors are made. */
async function logInFirst(opened: Opened, client: string): Promise<Login> {
	const visitor = new Visitor(opened.portal)
	const { html } = await visitor.visit('/login')
	const csrf = hidden(html, 'csrf')
	const cookies = new Map(visitor.cookies)
	const since = opened.asked.length
	await visitor.postRaw('/login', { csrf, username: client, password: PASSWORD })
	const login = opened.asked.slice(since).find((request) => readPath(request) === LOGIN)
	if (!login) throw new Error(`${client} could not log in`)
	const answer = await (await fetch(login.clone() as Request)).text()
	const { data } = JSON.parse(answer) as { data: { authToken: string } }
	return { cookies, csrf, realToken: data.authToken, answer }
}

function answerLogin(client: string, { answer, realToken }: Login, visitor: number): Response {
	const names = [[realToken, nameToken(client, visitor)] as const, [`"${client}"`, `"${nameVisitor(client, visitor)}"`] as const]
	return new Response(names.reduce((text, [real, own]) => text.replaceAll(real, own), answer))
}

/**
 * The portal, and a broker that asks the sandbox once and then repeats the response. Each visitor has its own token, which tells the
 * broker which call to break, so visitors with different faults can run at the same time.
 * `pages`: their clients can sign in.
 */
export async function openReplayedPortal(pages: readonly { who: string }[]) {
	const opened = await openPortal()
	const logins = new Map<string, Login>()
	const ask = createRecorder((client) => logins.get(client)?.realToken ?? '')
	/** By the token of a visitor. */
	const broken = new Map<string, Broken & { hits: number }>()
	const asked = new Map<string, RecordedCall[]>()
	let lastVisitor = 0
	let isReal = true
	let logInTurn: Promise<unknown> = Promise.resolve()

	opened.breakBroker(async (request) => {
		if (isReal) return undefined
		const path = readPath(request)
		if (path === LOGIN && request.method === 'POST') {
			const { username } = (await request.clone().json()) as { username: string }
			const [client = ''] = username.split('.')
			const login = logins.get(client)
			return login && atBrokersTime(answerLogin(client, login, (lastVisitor += 1)))
		}
		const token = readToken(request)
		if (!logins.has(token.split('.')[0] ?? '')) return undefined
		asked.get(token)?.push({ method: request.method, path })
		const recorded = await ask(request.clone() as Request, token)
		const fault = broken.get(token)
		if (!fault || fault.call.path !== path || fault.call.method !== request.method) return replay(recorded)
		fault.hits += 1
		return atBrokersTime((await fault.fault.answer(recorded, request)) ?? replay(recorded))
	})

	for (const client of new Set(pages.map(({ who }) => who))) logins.set(client, await logInFirst(opened, client))
	isReal = false

	return {
		...opened,
		/** A visitor with a new session of a client. */
		async signIn(client: string) {
			const login = logins.get(client)
			if (!login) throw new Error(`${client} is not prepared`)
			const visitor = new Visitor(opened.portal)
			for (const [name, value] of login.cookies) visitor.cookies.set(name, value)
			const { csrf } = login
			// Login numbers follow the order of the broker's responses, so logins run one after the other.
			const done = logInTurn.then(async () => {
				const answer = await visitor.postRaw('/login', { csrf, username: client, password: PASSWORD })
				if (answer.status !== 303) throw new Error(`${client} could not log in again: ${answer.status}`)
				return nameToken(client, lastVisitor)
			})
			logInTurn = done.catch(() => {})
			const token = await done
			return {
				visitor,
				/** From now on the call is broken for this visitor. */
				breakCall: (call: RecordedCall, fault: ResponseFault) => void broken.set(token, { call, fault, hits: 0 }),
				countHits: () => broken.get(token)?.hits ?? 0,
				/** The calls made from now on. */
				listen: () => {
					const calls: RecordedCall[] = []
					asked.set(token, calls)
					return calls
				},
				forget: () => {
					broken.delete(token)
					asked.delete(token)
				},
			}
		},
	}
}
export type ReplayedPortal = Awaited<ReturnType<typeof openReplayedPortal>>
export type RecordedSession = Awaited<ReturnType<ReplayedPortal['signIn']>>
