import { type ActionFunctionArgs } from '@remix-run/node'
import { readForm } from '~/forms/form.server'
import { methodNotAllowed } from '~/http/retry-after.server'
import { requireSession, touchHeaders } from '~/session/session.server'

/** Only a form is answered here. */
export function loader() {
	throw methodNotAllowed()
}

/** A mouse, key or click in some tab keeps the session alive on the server too. */
export async function action({ request }: ActionFunctionArgs) {
	await readForm(request)
	await requireSession(request)
	return new Response(null, { status: 204, headers: await touchHeaders(request) })
}
