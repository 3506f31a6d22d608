import { type ActionFunctionArgs, redirect } from '@remix-run/node'
import { logout } from '~/broker/auth.server'
import { readHarmlessForm } from '~/forms/form.server'
import { audit, auditOnce } from '~/session/audit.server'
import { renewToken } from '~/session/csrf.server'
import { forgetDrafts } from '~/session/drafts.server'
import { connectSession, endSession, getEndingSession } from '~/session/session.server'
import { redirectWithToast } from '~/session/toast.server'
import { clearLinks } from '~/session/web-link.server'

/** Logout is a post; a GET redirects home. */
export function loader() {
	return redirect('/')
}

/**
 * Ends the session in the portal whatever the broker answers: revokes its id and clears its cookies. The timer of a page posts when the
 * session is already idle here, and that session ends at the broker too. When the broker does not confirm
 * the logout, the page says so in the words of the specification.
 */
export async function action({ request }: ActionFunctionArgs) {
	const form = await readHarmlessForm(request)
	const { session, isIdle: wasIdle } = await getEndingSession(request)
	const isIdle = wasIdle || form.get('reason') === 'idle'
	const headers = await endSession(request)
	forgetDrafts(request, headers)
	for (const cookie of clearLinks()) headers.append('set-cookie', cookie)
	headers.append('set-cookie', await renewToken())
	headers.set('clear-site-data', '"cache", "storage"')
	if (!session) return redirect('/login', { status: 303, headers })

	const hasEnded = await logout(connectSession(request, session)).then(
		() => true,
		(error: unknown) => error instanceof Response && error.status < 500,
	)
	const line = [request, session.clientCode, { atBroker: hasEnded }] as const
	if (isIdle) await auditOnce(session.id, 'idle_logout', ...line)
	else audit('logout', ...line)
	if (isIdle) return redirect('/login?reason=idle', { status: 303, headers })
	const toast = hasEnded
		? ({ kind: 'success', message: 'You have been logged out.' } as const)
		: ({ kind: 'error', message: 'Logout failed. Please,try again.' } as const)
	return await redirectWithToast('/login', toast, { headers })
}
