import { CSRF, CSRFError } from 'remix-utils/csrf/server'
import { log } from '~/log.server'
import { createSealedCookie } from '~/seal.server'
import { requestIdOf } from '~/session.server'

const cookie = createSealedCookie('csrf', 'csrf')

/**
 * A token in every form, since text browsers send neither Origin nor Sec-Fetch-Site and the guard in front of Remix must
 * let them pass. It lives in a cookie of its own and is replaced at login and logout.
 */
const csrf = new CSRF({ cookie })

/** The token for this visitor's forms, and the Set-Cookie that keeps it (null when the browser has it already). */
export function commitToken(request: Request) {
	return csrf.commitToken(request)
}

/** A fresh token, so that a form made before login or logout no longer works. */
export async function renewToken(): Promise<string> {
	const [, setCookie] = await csrf.commitToken(new Headers())
	return setCookie ?? ''
}

/** Throws a 403 when the form was not made by us for this browser. */
export async function checkToken(form: FormData, request: Request): Promise<void> {
	await csrf.validate(form, request.headers).catch((error: unknown) => {
		if (!(error instanceof CSRFError)) throw error
		log.warn({ event: 'csrf_refused', reference: requestIdOf(request), code: error.code }, 'A post without a valid token')
		throw Response.json(
			{ message: 'This form is out of date. Go back, reload the page and try again.', reference: requestIdOf(request) },
			{ status: 403 },
		)
	})
}
