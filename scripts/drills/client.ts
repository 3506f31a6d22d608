import { readFileSync } from 'node:fs'
import { Agent, request } from 'undici'
import { wait } from '#scripts/programs'

/** Results of a drill, shared by its clients. */
export type Tally = {
	/** Number of requests sent. */
	sent: number
	failed: { at: number; what: string }[]
	/** How often a page redirected to login although nobody had logged out. */
	signedOut: number
	/** Pay-ins by amount (each amount is used once). True when the portal confirmed the start. */
	payins: Map<string, boolean>
}

export const createTally = (): Tally => ({ sent: 0, failed: [], signedOut: 0, payins: new Map() })

/** A request without a reply in this time, in milliseconds, counts as failed. */
const PATIENCE_MS = 20_000

type Answer = { status: number; location: string; html: string }

/** A client like a browser without JavaScript, with its own cookies, through nginx. */
export class Client {
	private readonly cookies = new Map<string, string>()
	private readonly agent: Agent

	constructor(
		private readonly url: string,
		certificateFile: string,
		private readonly tally: Tally,
	) {
		this.agent = new Agent({ connect: { ca: readFileSync(certificateFile) }, headersTimeout: PATIENCE_MS, bodyTimeout: PATIENCE_MS })
	}

	async ask(path: string, form?: Record<string, string>): Promise<Answer | undefined> {
		this.tally.sent++
		try {
			const answer = await request(this.url + path, {
				dispatcher: this.agent,
				method: form ? 'POST' : 'GET',
				headers: {
					cookie: [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '),
					...(form ? { 'content-type': 'application/x-www-form-urlencoded', origin: this.url } : {}),
				},
				body: form ? new URLSearchParams(form).toString() : null,
			})
			for (const cookie of [answer.headers['set-cookie'] ?? []].flat()) this.keep(cookie)
			const html = await answer.body.text()
			const location = String(answer.headers.location ?? '')
			if (answer.statusCode >= 500) this.fail(`${answer.statusCode} ${path}`)
			if (location.startsWith('/login') && path !== '/logout') this.tally.signedOut++
			return { status: answer.statusCode, location, html }
		} catch (error) {
			this.fail(`${error instanceof Error ? error.name : 'error'} ${path}`)
			return undefined
		}
	}

	async login(code: string): Promise<boolean> {
		const page = await this.ask('/login')
		const csrf = readHidden(page?.html ?? '', 'csrf')
		const answer = await this.ask('/login', { csrf, username: code, password: 'Demo@1234', redirectTo: '' })
		return answer?.location === '/dashboard'
	}

	/**
	 * Adds this amount (rupees as text). Sends the same form again until it gets a reply, like a client who presses Back and Send again.
	 * Its idempotency key stays the same.
	 */
	async payIn(amount: string, isOver: () => boolean): Promise<void> {
		const page = await this.ask('/funds')
		const bank = /<option value="(0-[^"]+)"/.exec(page?.html ?? '')?.[1]
		if (page?.status !== 200 || !bank) return
		const form = {
			csrf: readHidden(page.html, 'csrf'),
			idempotency_key: readHidden(page.html, 'idempotency_key'),
			amount,
			segment: 'BSE',
			bank,
			mode: 'netbanking',
		}
		this.tally.payins.set(amount, false)
		for (let tries = 0; tries < 40 && !isOver(); tries++) {
			const answer = await this.ask('/funds', form)
			if (answer && answer.status >= 300 && answer.status < 400) return void this.tally.payins.set(amount, true)
			if (answer && answer.status < 500 && answer.status !== 422) return
			await wait(500)
		}
	}

	close(): Promise<void> {
		return this.agent.destroy()
	}

	private fail(what: string) {
		this.tally.failed.push({ at: Date.now(), what })
	}

	private keep(cookie: string) {
		const [pair = ''] = cookie.split(';')
		const at = pair.indexOf('=')
		this.cookies.set(pair.slice(0, at), pair.slice(at + 1))
	}
}

function readHidden(html: string, name: string): string {
	return new RegExp(`name="${name}"[^>]*value="([^"]*)"`).exec(html)?.[1] ?? ''
}
