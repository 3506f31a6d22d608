import { createCookieSessionStorageFactory } from '@remix-run/server-runtime'
import { createToastUtilsWithCustomSession, type ToastMessage } from 'remix-toast'
import { type ToastKind } from '~/lib/toast-kind'
import { createSealedCookie } from './sealed-cookie.server'

export type Toast = { kind: ToastKind; message: string }

const cookie = createSealedCookie('toast', 'toast')

/** Its own storage: the library's default cookie is unsigned, and must never open the login session. */
const storage = createCookieSessionStorageFactory(() => cookie)({ cookie: { name: cookie.name } })
const toasts = createToastUtilsWithCustomSession(storage)

/** A long message once overflowed the cookie and broke every response; a toast needs no more than this. */
const LONGEST = 300

/** The library keeps any text as a type; its types name four of our six kinds. */
function asLibraryToast({ kind, message }: Toast): ToastMessage {
	return { type: kind as ToastMessage['type'], message: message.slice(0, LONGEST) }
}

/** Redirects to a page that shows a toast. The status is 303, as after a POST, unless `init` has another. */
export function redirectWithToast(to: string, toast: Toast, init: ResponseInit = {}): Promise<Response> {
	return toasts.redirectWithToast(to, asLibraryToast(toast), { status: 303, ...init })
}

/** The Set-Cookie that makes the next page show a toast, for a reply that is not a plain redirect. */
export async function flashCookie(toast: Toast): Promise<string> {
	const session = await storage.getSession()
	session.flash('flash', { toast: asLibraryToast(toast) })
	return storage.commitSession(session)
}

/** The toast of this page, if any, and the headers that delete it; a page without a toast sets no cookie. */
export async function takeToast(request: Request): Promise<{ toast?: Toast; headers: Headers }> {
	if (!request.headers.get('cookie')?.includes(`${cookie.name}=`)) return { headers: new Headers() }
	const { toast, headers } = await toasts.getToast(request)
	const clear = new Headers({ 'set-cookie': await storage.destroySession(await storage.getSession()) })
	return toast ? { toast: { kind: toast.type, message: toast.message }, headers: clear } : { headers }
}
