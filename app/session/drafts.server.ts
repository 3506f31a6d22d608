import { type z } from 'zod/v4'
import { clearCookie, cookieName, createSplitCookie, openFor, type Purpose, sealFor } from './sealed-cookie.server'

/** The names of all drafts begin with it. */
const DRAFT = 'draft-'

/** The names of the keys of forms begin with it (app/forms/idempotency.server.ts). */
export const FORM_KEY = 'once-'

/**
 * A value that the browser keeps for a client between two pages. It is sealed, opens for that client only, and expires. It is deleted
 * when the browser closes, unless `outlivesBrowser`: a journey may lead through another program.
 */
export function createDraft<Schema extends z.ZodType>(
	name: string,
	purpose: Purpose,
	schema: Schema,
	{ most = 1, outlivesBrowser = false } = {},
) {
	const cookie = createSplitCookie(`${DRAFT}${name}`, most)
	return {
		/** Undefined when there is none for this client, or when it has expired. */
		read: (request: Request, client: string) => openFor(schema, purpose, client, cookie.read(request)),
		/** The raw sealed text, for a form that returns it to `openFor`. */
		readSealed: (request: Request) => cookie.read(request),
		/** The Set-Cookie headers that keep it until a moment (milliseconds since 1970), appended to those given. */
		async keep(client: string, value: z.input<Schema>, until: number, headers?: Headers): Promise<Headers> {
			const maxAge = Math.max(1, Math.ceil((until - Date.now()) / 1000))
			return cookie.write(await sealFor(purpose, client, value, until), outlivesBrowser ? { maxAge } : {}, headers)
		},
		/** The Set-Cookie headers that delete it, appended to those given. */
		forget: (headers?: Headers) => cookie.clear(headers),
	}
}

/**
 * The Set-Cookie headers that delete every draft of a request and the keys of its forms, whose names contain references, found by name in
 * the raw header, appended to those given.
 */
export function forgetDrafts(request: Request, headers: Headers): Headers {
	const sent = request.headers.get('cookie') ?? ''
	for (const [, name = ''] of sent.matchAll(new RegExp(`(?:^|;) *((?:${cookieName(DRAFT)}|${cookieName(FORM_KEY)})[\\w.-]+)=`, 'g')))
		headers.append('set-cookie', clearCookie(name))
	return headers
}
