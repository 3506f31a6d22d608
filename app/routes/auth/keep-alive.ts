import { type ActionFunctionArgs } from '@remix-run/node'
import { readForm } from '~/forms/form.server'
import { methodNotAllowed } from '~/http/method-not-allowed.server'
import { requireSession, touchHeaders } from '~/session/session.server'

/** Only a POST is allowed. */
export function loader() {
	throw methodNotAllowed()
}

/** Extends the session after a mouse move, key or click in a tab. */
export async function action({ request }: ActionFunctionArgs) {
	await readForm(request)
	await requireSession(request)
	return new Response(null, { status: 204, headers: await touchHeaders(request) })
}
