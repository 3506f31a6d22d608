import { createHash, randomBytes, timingSafeEqual } from 'node:crypto'
import { log } from '~/config/logger.server'
import { readRequestId } from '~/http/request-id.server'
import { createSealedCookie } from './sealed-cookie.server'

/**
 * A token in every form. Text browsers send neither Origin nor Sec-Fetch-Site, so the guard in front of Remix must accept forms without
 * them. The token has its own cookie and is replaced at login and logout.
 */
const cookie = createSealedCookie('csrf', 'csrf')

/** The token in the cookie; undefined without a cookie, or when it is empty or not sealed by us. */
async function readToken(request: Request): Promise<string | undefined> {
	const token: unknown = await cookie.parse(request.headers.get('cookie'))
	return typeof token === 'string' && token !== '' ? token : undefined
}

const createToken = () => randomBytes(32).toString('base64url')

/** The token for this visitor's forms, and its Set-Cookie (null when the browser already has it). */
export async function commitToken(request: Request): Promise<[token: string, setCookie: string | null]> {
	const kept = await readToken(request)
	if (kept) return [kept, null]
	const token = createToken()
	return [token, await cookie.serialize(token)]
}

/** The Set-Cookie of a new token, so that a form made before login or logout stops working. */
export function renewToken(): Promise<string> {
	return cookie.serialize(createToken())
}

/** Throws a 403 when we did not make the form for this browser. */
export async function checkToken(form: FormData, request: Request): Promise<void> {
	const kept = await readToken(request)
	const sent = form.get('csrf')
	if (kept && typeof sent === 'string' && isEqual(sent, kept)) return
	const code = !kept ? 'no_token_in_cookie' : !sent ? 'no_token_in_form' : 'another_token'
	log.warn({ event: 'csrf_refused', reference: readRequestId(request), code }, 'A post without a valid token')
	throw Response.json(
		{ message: 'This form is out of date. Go back, reload the page and try again.', reference: readRequestId(request) },
		{ status: 403 },
	)
}

/** Takes the same time wherever two texts differ. */
function isEqual(one: string, other: string): boolean {
	const [first, second] = [one, other].map((text) => createHash('sha256').update(text).digest())
	return first !== undefined && second !== undefined && timingSafeEqual(first, second)
}
