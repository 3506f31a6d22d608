import { once } from 'node:events'
import { type IncomingHttpHeaders, request as httpRequest } from 'node:http'
import { Agent, request as httpsRequest, type RequestOptions } from 'node:https'
import { connect, type SecureVersion, type TLSSocket } from 'node:tls'
import { expect, vi } from 'vitest'
import { hidden } from '#tests/support/readers'

export const TLS_PORT = 8440
export const HTTP_PORT = 3340
export const HOST = 'portal.test'

type Answer = { status: number; headers: IncomingHttpHeaders; rawHeaders: string[]; body: string }

type Ask = (path: string, options?: RequestOptions, body?: string) => Promise<Answer>

/** A browser without JavaScript, over TLS. */
class TlsClient {
	readonly cookies = new Map<string, string>()
	readonly flags: string[] = []

	constructor(
		private readonly ask: Ask,
		private readonly headers: Record<string, string>,
	) {}

	async get(path: string): Promise<Answer> {
		return this.keep(await this.ask(path, { headers: this.all({}) }))
	}

	/** Posts a form with files unchanged. */
	async postMultipart(action: string, body: string): Promise<Answer> {
		const headers = this.all({ origin: `https://${HOST}`, 'content-type': 'multipart/form-data; boundary=b' })
		return this.keep(await this.ask(action, { method: 'POST', headers: { ...headers, 'content-length': body.length }, agent: false }, body))
	}

	/** Posts a form with the token of its page. */
	async post(page: string, action: string, fields: Record<string, string>): Promise<Answer> {
		const csrf = hidden((await this.get(page)).body, 'csrf')
		const body = new URLSearchParams({ csrf, ...fields }).toString()
		const headers = this.all({ origin: `https://${HOST}`, 'content-type': 'application/x-www-form-urlencoded' })
		return this.keep(await this.ask(action, { method: 'POST', headers: { ...headers, 'content-length': body.length } }, body))
	}

	private all(headers: Record<string, string>) {
		const cookie = [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
		return { ...this.headers, ...headers, ...(cookie && { cookie }) }
	}

	private keep(answer: Answer): Answer {
		for (const cookie of answer.headers['set-cookie'] ?? []) {
			this.flags.push(cookie)
			const [pair = ''] = cookie.split(';')
			this.cookies.set(pair.slice(0, pair.indexOf('=')), pair.slice(pair.indexOf('=') + 1))
		}
		return answer
	}
}

/** Clients for a proxy on loopback over real TLS. The certificate is known when the proxy runs. */
export function openTls(certificate: () => string) {
	const agent = new Agent({ keepAlive: true })

	function ask(path: string, options: RequestOptions = {}, body = ''): Promise<Answer> {
		return new Promise((resolve, reject) => {
			const isTls = options.port !== HTTP_PORT
			const send = isTls ? httpsRequest : httpRequest
			const request = send({
				host: '127.0.0.1',
				port: TLS_PORT,
				servername: HOST,
				path,
				...(isTls && { agent, ca: certificate() }),
				...options,
				headers: { host: HOST, ...options.headers },
			})
			request.on('error', reject)
			request.on('response', (response) => {
				let text = ''
				response.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
				response.on('end', () =>
					resolve({ status: response.statusCode ?? 0, headers: response.headers, rawHeaders: response.rawHeaders, body: text }),
				)
			})
			request.end(body)
		})
	}

	/** The result of a TLS handshake with only this version: the agreed version, or "refused". */
	function handshake(version: SecureVersion): Promise<string> {
		return new Promise((resolve) => {
			// Level 0 lets the client offer broken versions, so that a refusal comes from the server.
			const socket = connect({
				host: '127.0.0.1',
				port: TLS_PORT,
				servername: HOST,
				minVersion: version,
				maxVersion: version,
				ciphers: 'DEFAULT@SECLEVEL=0',
				ca: certificate(),
			})
			socket.once('secureConnect', () => {
				resolve(socket.getProtocol() ?? 'none')
				socket.destroy()
			})
			socket.once('error', (error: NodeJS.ErrnoException) => resolve(`refused ${error.code}`))
		})
	}

	/** The response to these bytes: all of it until the server closes, or the part received after the first whole header. */
	async function sendBytes(bytes: string): Promise<string> {
		const socket: TLSSocket = connect({ host: '127.0.0.1', port: TLS_PORT, servername: HOST, ca: certificate() })
		let text = ''
		socket.on('error', () => {})
		socket.setEncoding('latin1').on('data', (chunk: string) => (text += chunk))
		await once(socket, 'secureConnect')
		socket.write(bytes, 'latin1')
		await vi.waitFor(() => expect(text).toContain('\r\n\r\n'), { timeout: 5000, interval: 10 })
		socket.destroy()
		return text
	}

	return {
		ask,
		handshake,
		sendBytes,
		createClient: (headers: Record<string, string> = {}) => new TlsClient(ask, headers),
		close: () => agent.destroy(),
	}
}
