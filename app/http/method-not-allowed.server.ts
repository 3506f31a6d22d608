/** The reply to a GET of an address that accepts only forms. */
export function methodNotAllowed(): Response {
	return new Response('This address takes forms only.', { status: 405, headers: { allow: 'POST' } })
}
