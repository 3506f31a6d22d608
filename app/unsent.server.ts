import { parse, serialize } from 'hono/utils/cookie'
import { z } from 'zod/v4'
import { cookieName, cookieOptions, seal, unseal } from '~/seal.server'
import { lastClientOf } from '~/session.server'

/*
 * A session that ends in the middle of a form: what was typed is offered again after the login, to the same client and on the same page
 * alone, once. Never a code, a password or a file; it stays in the browser, sealed.
 */

const COOKIE = cookieName('unsent')
const LIFE_S = 1800
/** A browser keeps 4,096 bytes a cookie. */
const LONGEST = 2600
const NEVER = /otp|password|csrf|idempotency_key|__intent__|^intent$/i

const Unsent = z.object({ client: z.string(), path: z.string(), fields: z.array(z.tuple([z.string(), z.string()])) })

const options = { ...cookieOptions, sameSite: 'Lax' as const }
const clearing = serialize(COOKIE, '', { ...options, maxAge: 0, expires: new Date(0) })

function pathOf(request: Request): string {
	return new URL(request.url).pathname
}

/** Does the work of an action; when that ends at the login page, what the form held goes along, for this page. */
export async function keepUnsent<Answer>(request: Request, form: FormData, work: () => Promise<Answer>): Promise<Answer> {
	try {
		return await work()
	} catch (error) {
		if (!(error instanceof Response) || !leadsToLogin(error)) throw error
		const client = await lastClientOf(request)
		const fields = [...form].flatMap(([name, value]) =>
			typeof value === 'string' && !NEVER.test(name) ? [[name, value] as [string, string]] : [],
		)
		const text = JSON.stringify({ client, path: pathOf(request), fields })
		if (client && fields.length > 0 && Buffer.byteLength(text) <= LONGEST)
			error.headers.append('set-cookie', serialize(COOKIE, await seal('unsent', text), { ...options, maxAge: LIFE_S }))
		throw error
	}
}

function leadsToLogin({ status, headers }: Response): boolean {
	return status === 401 || (status >= 300 && status < 400 && /^\/login\b/.test(headers.get('location') ?? ''))
}

/** What was typed on this page when the session ended, and the headers that forget it; nothing for another client or page. */
export async function takeUnsent(request: Request, client: string): Promise<{ typed: FormData | undefined; headers: Headers }> {
	const sealed = parse(request.headers.get('cookie') ?? '')[COOKIE]
	const text = sealed && (await unseal('unsent', sealed))
	const unsent = text ? Unsent.safeParse(JSON.parse(text)).data : undefined
	if (unsent?.client !== client || unsent.path !== pathOf(request)) return { typed: undefined, headers: new Headers() }
	const typed = new FormData()
	for (const [name, value] of unsent.fields) typed.append(name, value)
	return { typed, headers: new Headers({ 'set-cookie': clearing }) }
}
