import { z } from 'zod/v4'
import { createDraft } from '~/session/sealed-cookie.server'
import { readLastClient } from '~/session/session.server'

/*
 * A session that ends in the middle of a form: what was typed is offered again after the login, to the same client and on the same page
 * alone, once. Never a code, a password or a file; it stays in the browser, sealed.
 */

const LIFE_MS = 1_800_000
/** One cookie takes it; sealing makes three bytes four. */
const LONGEST = 2500
const NEVER = /otp|password|csrf|idempotency_key|__intent__|^intent$/i

const RecoverableForm = z.object({ path: z.string(), fields: z.array(z.tuple([z.string(), z.string()])) })

const drafts = createDraft('unsent', 'unsent', RecoverableForm, { outlivesBrowser: true })

function readPath(request: Request): string {
	return new URL(request.url).pathname
}

/** Does the work of an action; when that ends at the login page, what the form held goes along, for this page. */
export async function withFormRecovery<Answer>(request: Request, form: FormData, work: () => Promise<Answer>): Promise<Answer> {
	try {
		return await work()
	} catch (error) {
		if (!(error instanceof Response) || !isLoginRedirect(error)) throw error
		const client = await readLastClient(request)
		const fields = [...form].flatMap(([name, value]) =>
			typeof value === 'string' && !NEVER.test(name) ? [[name, value] as [string, string]] : [],
		)
		const recovered = { path: readPath(request), fields }
		if (client && fields.length > 0 && Buffer.byteLength(JSON.stringify(recovered)) <= LONGEST)
			await drafts.keep(client, recovered, Date.now() + LIFE_MS, error.headers)
		throw error
	}
}

function isLoginRedirect({ status, headers }: Response): boolean {
	return status === 401 || (status >= 300 && status < 400 && /^\/login\b/.test(headers.get('location') ?? ''))
}

/** What was typed on this page when the session ended, and the headers that forget it; nothing for another client or page. */
export async function takeRecoveredForm(request: Request, client: string): Promise<{ typed: FormData | undefined; headers: Headers }> {
	const recovered = await drafts.read(request, client)
	if (recovered?.path !== readPath(request)) return { typed: undefined, headers: new Headers() }
	const typed = new FormData()
	for (const [name, value] of recovered.fields) typed.append(name, value)
	return { typed, headers: drafts.forget() }
}
