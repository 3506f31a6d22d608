import { data, type LoaderFunctionArgs } from '@remix-run/node'
import { Outlet, type ShouldRevalidateFunctionArgs, useLoaderData } from '@remix-run/react'
import { formatDay } from '#contract/values/dates'
import { formatYear, selectableYears } from '#contract/values/financial-year'
import { formatTime } from '#contract/values/moments'
import { now, today } from '~/broker/clock.server'
import { drawChangePassword } from '~/components/change-password-later'
import { PageProblem } from '~/components/page-problem'
import { AppShell } from '~/components/shell'
import { type ToastMessage } from '~/components/toast'
import { useAddress } from '~/components/use-address'
import { usePageState } from '~/components/use-page-state'
import { useRoot } from '~/components/use-root'
import { settings } from '~/config/env.server'
import { formatDuration } from '~/lib/durations'
import { readMenu, yearCookie, readYear } from '~/session/preferences.server'
import { checkSession } from '~/session/session-check.server'
import { getSession, requireSession, touchHeaders } from '~/session/session.server'

/** Runs at the same time as the loader of the page, so the session check does not delay the calls of the page. */
export async function loader({ request, params }: LoaderFunctionArgs) {
	const isUnknown = params['*'] !== undefined
	const session = isUnknown ? await findSession(request) : await requireSession(request)
	const [headers] = await Promise.all([touchHeaders(request), !isUnknown && checkSession(request, session)])
	const remembered = yearCookie(request)
	const end = session.startedAt + settings.SESSION_MAX_MS
	if (remembered) headers.append('set-cookie', remembered)
	return data(
		{
			client: {
				name: session.userName,
				firstName: session.userName.split(' ')[0] ?? session.userName,
				code: session.clientCode,
				since: session.startedAt,
			},
			years: selectableYears(now()).map(formatYear),
			year: formatYear(readYear(request)),
			idleMs: settings.IDLE_MS,
			limit: {
				endsInMs: end - Date.now(),
				endsAt: formatTime(new Date(end)),
				longest: formatDuration(settings.SESSION_MAX_MS),
			},
			isMenuNarrow: readMenu(request),
			printedOn: formatDay(today()),
		},
		{ headers },
	)
}

/** An unknown address asks nobody to log in, and nothing of the broker. */
async function findSession(request: Request) {
	const session = await getSession(request)
	if (!session || session.isDormate) throw new Response('Page not found', { status: 404 })
	return session
}

/**
 * A page that reloads its data by itself (useRevalidateWhile) does not mean that a person uses it. Without this, the loader of the shell
 * would extend the session each time, and the session would never be idle. A failed post changes nothing in the shell, although the
 * default here is true after every post; after a 401 the loader would redirect to the login page before the client has read why.
 */
export function shouldRevalidate({
	currentUrl,
	nextUrl,
	formMethod,
	actionStatus = 200,
	defaultShouldRevalidate,
}: ShouldRevalidateFunctionArgs) {
	if (actionStatus >= 400) return false
	return currentUrl.href === nextUrl.href && !formMethod ? false : defaultShouldRevalidate
}

export default function Shell() {
	const shell = useLoaderData<typeof loader>()
	const root = useRoot()
	const { answered, loaded } = usePageState()
	return (
		<AppShell
			{...shell}
			brand={root.brand}
			theme={root.theme}
			toast={findToast(answered) ?? root.toast ?? findToast(loaded)}
			dialog={useDialog()}
		>
			<Outlet />
		</AppShell>
	)
}

/** Returns the dialog, which opens over any page of the shell. Not on its own page, which already has the form. */
function useDialog() {
	const { pathname, query } = useAddress()
	if (query.get('dialog') !== 'change-password' || pathname === '/change-password') return undefined
	query.delete('dialog')
	const rest = query.toString()
	const from = rest ? `${pathname}?${rest}` : pathname
	return drawChangePassword(from)
}

/** Returns the toast of the form or loader of this page. */
function findToast(said: unknown[]): ToastMessage | undefined {
	return said.find(
		(each): each is { toast: ToastMessage } => typeof each === 'object' && each !== null && 'toast' in each && Boolean(each.toast),
	)?.toast
}

/** Shown when the loader of the shell itself failed. A failed page keeps the shell around it. */
export function ErrorBoundary() {
	return <PageProblem />
}
