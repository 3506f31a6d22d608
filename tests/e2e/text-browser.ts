import { type IncomingMessage, request } from 'node:http'
import { expect } from '@playwright/test'
import { PASSWORD } from './portal'

type Answer = { status: number; location: string; headers: IncomingMessage['headers']; text: string }

/** A client like w3m, lynx and links: cookies, pages and forms; no Origin, Referer or Sec-Fetch headers, no scripts. */
export class TextBrowser {
	private readonly cookies = new Map<string, string>()

	constructor(private readonly origin: string) {}

	cookieHeader(): string {
		return [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
	}

	/** The response as soon as it starts; the caller reads its body. */
	open(path: string, form?: Record<string, string>): Promise<IncomingMessage> {
		const body = form && new URLSearchParams(form).toString()
		const headers: Record<string, string> = { accept: 'text/html, */*' }
		if (this.cookies.size > 0) headers.cookie = this.cookieHeader()
		if (body) headers['content-type'] = 'application/x-www-form-urlencoded'
		return new Promise((resolve, reject) => {
			const asked = request(this.origin + path, { method: body === undefined ? 'GET' : 'POST', headers, agent: false }, (answer) => {
				for (const cookie of answer.headers['set-cookie'] ?? []) this.keep(cookie)
				resolve(answer)
			})
			asked.on('error', reject)
			asked.end(body)
		})
	}

	async send(path: string, form?: Record<string, string>): Promise<Answer> {
		const answer = await this.open(path, form)
		let text = ''
		for await (const bytes of answer) text += (bytes as Buffer).toString()
		return { status: answer.statusCode ?? 0, location: answer.headers.location ?? '', headers: answer.headers, text }
	}

	/** Posts the login form with the page's hidden fields. */
	async login(username: string, password = PASSWORD): Promise<Answer> {
		const { text } = await this.send('/login')
		return this.send('/login', { csrf: readCsrf(text), username, password })
	}

	private keep(cookie: string) {
		const [pair = '', ...attributes] = cookie.split('; ')
		const at = pair.indexOf('=')
		if (attributes.includes('Max-Age=0')) this.cookies.delete(pair.slice(0, at))
		else this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
	}
}

export function readCsrf(html: string): string {
	const found = /name="csrf" value="([^"]+)"/.exec(html)?.[1]
	expect(found, 'the form has a token').toBeTruthy()
	return found ?? ''
}
