import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { z } from 'zod/v4'
import { readPublicForm } from '~/forms/form.server'
import { methodNotAllowed } from '~/http/method-not-allowed.server'
import { ownPath } from '~/lib/own-path'
import { themeCookie } from '~/session/preferences.server'

const Choice = z.object({ theme: z.enum(['light', 'dark', 'system']).catch('system'), redirectTo: z.string().optional() })

/** Only a POST is allowed. */
export function loader() {
	throw methodNotAllowed()
}

export async function action({ request }: ActionFunctionArgs) {
	const { theme, redirectTo } = Choice.parse(Object.fromEntries(await readPublicForm(request)))
	return redirect(ownPath(redirectTo), { status: 303, headers: { 'set-cookie': themeCookie(theme) } })
}
