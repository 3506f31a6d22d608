import { z } from 'zod/v4'
import { type Broker } from '~/broker/client.server'
import { createDraft } from '~/session/drafts.server'
import { readLastClient, requireBroker } from '~/session/session.server'
import { type FieldRules } from './form-fields.server'
import { readForm } from './form.server'
import { listTypedValues } from './typed-values.server'

/*
 * When a session ends before a form is sent, the typed values are restored after login, once, for the same client and page only. Never a
 * code, a password or a file. The values stay in the browser, sealed.
 */

const LIFE_MS = 1_800_000
/** Must fit one cookie; sealing turns three bytes into four. */
const LONGEST = 2500

/** Forms of one button, in which nothing was typed. */
const BUTTONS = /^(cancel|make_default)$/

const RecoverableForm = z.object({ path: z.string(), fields: z.array(z.tuple([z.string(), z.string()])) })

const drafts = createDraft('unsent', 'unsent', RecoverableForm, { outlivesBrowser: true })

function readPath(request: Request): string {
	return new URL(request.url).pathname
}

/**
 * Reads the form of a private page (readForm) and runs its action with the broker. When that ends with a redirect to login, keeps the
 * form's values for this page.
 */
export async function withFormRecovery<Answer>(
	request: Request,
	work: (form: FormData, broker: Broker) => Promise<Answer>,
	rules?: FieldRules,
): Promise<Answer> {
	const form = await readForm(request, rules)
	try {
		return await work(form, await requireBroker(request))
	} catch (error) {
		if (!(error instanceof Response) || !isLoginRedirect(error)) throw error
		const client = await readLastClient(request)
		const recovered = { path: readPath(request), fields: BUTTONS.test(String(form.get('intent'))) ? [] : listTypedValues(form) }
		if (client && recovered.fields.length > 0 && Buffer.byteLength(JSON.stringify(recovered)) <= LONGEST)
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
