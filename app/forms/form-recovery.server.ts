import { z } from 'zod/v4'
import { createDraft } from '~/session/drafts.server'
import { readLastClient } from '~/session/session.server'

/*
 * When a session ends before a form is sent, the typed values are restored after login, once, for the same client and page only. Never a
 * code, a password or a file. The values stay in the browser, sealed.
 */

const LIFE_MS = 1_800_000
/** Must fit one cookie; sealing turns three bytes into four. */
const LONGEST = 2500
const NEVER = /otp|password|csrf|idempotency_key|__intent__|^intent$/i

const RecoverableForm = z.object({ path: z.string(), fields: z.array(z.tuple([z.string(), z.string()])) })

const drafts = createDraft('unsent', 'unsent', RecoverableForm, { outlivesBrowser: true })

function readPath(request: Request): string {
	return new URL(request.url).pathname
}

/** Runs an action. When it ends with a redirect to login, keeps the form's values for this page. */
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

/** The values typed on this page when the session ended, and the headers that delete them; undefined for another client or page. */
export async function takeRecoveredForm(request: Request, client: string): Promise<{ typed: FormData | undefined; headers: Headers }> {
	const recovered = await drafts.read(request, client)
	if (recovered?.path !== readPath(request)) return { typed: undefined, headers: new Headers() }
	const typed = new FormData()
	for (const [name, value] of recovered.fields) typed.append(name, value)
	return { typed, headers: drafts.forget() }
}
