import { once } from 'node:events'
import http, { type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { type AddressInfo } from 'node:net'
import { json } from 'node:stream/consumers'
import { type Logger, pino } from 'pino'
import { type BodyDeadlines } from '#server/body-limit'
import { createServer } from '#server/http'
import { createPortal } from '#server/portal'
import { settings } from '~/config/env.server'
import { loadPortal } from './built-portal'
import { Visitor } from './portal'
import { sendCallsTo } from './test-wire'

/*
 * The portal on its own port, with a broker on another port, for tests of connections and of readers that stop or leave.
 */

type Answer = (request: IncomingMessage, response: ServerResponse) => void

export const success = (response: ServerResponse, data: unknown) =>
	response.setHeader('content-type', 'application/json').end(JSON.stringify({ status: 'success', message: 'ok', data }))

/** A PDF without an end, sent as fast as it is read. */
export function sendForEver(response: ServerResponse, piece = Buffer.alloc(64 * 1024, ' ')) {
	response.writeHead(200, { 'content-type': 'application/pdf' })
	response.write('%PDF-1.7\n')
	const write = () => {
		while (!response.destroyed && response.write(piece));
		if (!response.destroyed) response.once('drain', write)
	}
	write()
}

type Options = { stallMs?: number; bodyDeadlines?: BodyDeadlines; log?: Logger }

/** A broker that accepts every login with the typed name, and answers all other calls as the test defines. */
export async function startBroker(answer: Answer) {
	/** Unfinished calls whose connection is still open. */
	const open = new Set<ServerResponse>()
	const seen: string[] = []
	const broker = http.createServer((request, response) => {
		open.add(response)
		seen.push(request.url ?? '')
		response.once('close', () => open.delete(response))
		if (request.url?.includes('/user/login')) {
			void json(request).then((body) => success(response, { ...ACCOUNT, clientCode: (body as { username: string }).username }))
			return
		}
		if (request.url?.includes('/verify-user')) return success(response, ACCOUNT)
		return answer(request, response)
	})
	return {
		port: await listen(broker),
		open,
		seen,
		close() {
			broker.closeAllConnections()
			broker.close()
		},
	}
}

export async function serve(answer: Answer, { stallMs, bodyDeadlines, log = pino({ level: 'silent' }) }: Options = {}) {
	const broker = await startBroker(answer)
	const build = await loadPortal()
	const portal = createPortal({ settings, build, log, clientFiles: 'build/client', bodyDeadlines })
	const server = createServer(portal, { stallMs })
	const port = await listen(server)

	const end = sendCallsTo(broker.port)
	return {
		port,
		open: broker.open,
		seen: broker.seen,
		...visitPort(port),
		close() {
			end()
			broker.close()
			server.closeAllConnections()
			server.close()
		},
	}
}

/** Browsers for a portal on that port, in any process. */
export function visitPort(port: number) {
	const portal = { request: (target: string | URL | Request, init?: RequestInit) => ask(port, target as string, init) }
	return {
		visitor: () => new Visitor(portal),
		/** A GET whose response is not read. */
		get: (target: string, cookie: string) =>
			http.get({ port, path: target, agent: false, headers: { host: 'portal.test', cookie, 'sec-fetch-site': 'same-origin' } }),
	}
}

const ACCOUNT = {
	authToken: 'token-of-the-stand-in-broker',
	token: 'token-of-the-stand-in-broker',
	clientCode: 'DEMO01',
	userName: 'Demo Client',
	userId: 'DEMO01',
	sessionId: 'S1',
	product: 'web',
	isDormate: false,
}

async function listen(server: Server): Promise<number> {
	server.listen(0, '127.0.0.1')
	await once(server, 'listening')
	return (server.address() as AddressInfo).port
}

/** A request with a custom Host header, which fetch does not allow. */
async function ask(port: number, target: string, { method, headers, body }: RequestInit = {}): Promise<Response> {
	const { pathname, search } = new URL(target)
	const request = http.request({ port, path: pathname + search, method, agent: false, headers: Object.fromEntries(new Headers(headers)) })
	request.end(body)
	const [answer] = (await once(request, 'response')) as [IncomingMessage]
	const chunks: Buffer[] = []
	for await (const chunk of answer) chunks.push(chunk as Buffer)
	const answered = new Headers()
	for (const [name, value] of Object.entries(answer.headersDistinct)) for (const each of value ?? []) answered.append(name, each)
	const status = answer.statusCode ?? 0
	return new Response(status === 304 || status === 204 ? null : Buffer.concat(chunks), { status, headers: answered })
}
