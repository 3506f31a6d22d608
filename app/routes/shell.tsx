import { data, type LoaderFunctionArgs } from '@remix-run/node'
import { Outlet, useLoaderData } from '@remix-run/react'
import { PageProblem } from '~/components/page-problem'
import { AppShell } from '~/components/shell'
import { useRoot } from '~/components/use-root'
import { retryAfter } from '~/headers.server'
import { formatDay, today } from '~/lib/days'
import { formatYear, selectableYears } from '~/lib/financial-year'
import { yearCookie, yearOf } from '~/preferences.server'
import { requireSession, touchHeaders } from '~/session.server'
import { settings } from '~/settings.server'
import { verifySession } from '~/verify.server'

export const headers = retryAfter

/** Runs beside the page's own loader: the broker is asked about the session while it is asked for figures. */
export async function loader({ request }: LoaderFunctionArgs) {
	const session = await requireSession(request)
	const [headers] = await Promise.all([touchHeaders(request), verifySession(request, session)])
	const remembered = yearCookie(request)
	if (remembered) headers.append('set-cookie', remembered)
	return data(
		{
			client: { name: session.userName, firstName: session.userName.split(' ')[0] ?? session.userName, code: session.clientCode },
			years: selectableYears().map(formatYear),
			year: formatYear(yearOf(request)),
			idleMs: settings.IDLE_MS,
			printedOn: formatDay(today()),
		},
		{ headers },
	)
}

export default function Shell() {
	const shell = useLoaderData<typeof loader>()
	const root = useRoot()
	return (
		<AppShell {...shell} brand={root.brand} theme={root.theme} toast={root.toast}>
			<Outlet />
		</AppShell>
	)
}

/** A page that failed keeps the shell around it; this draws what the shell's own loader could not. */
export function ErrorBoundary() {
	return <PageProblem />
}
