import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { tellDeadline, toBrokersTime } from '~/broker/clock.server'
import { requestPnlBundle } from '~/broker/downloads.server'
import { Facts } from '~/components/facts'
import { useLinkInterception } from '~/components/link-interception'
import { PageProblem } from '~/components/page-problem'
import { PlainPage } from '~/components/plain-page'
import { ReportYear } from '~/components/pnl-filters'
import { ProfitAndLoss } from '~/components/profit-and-loss'
import { Unbroken } from '~/components/unbroken'
import { settings } from '~/config/env.server'
import { readPublicForm } from '~/forms/form.server'
import { loadPart } from '~/http/partial-data.server'
import { formatDuration } from '~/lib/durations'
import { BUNDLE_STARTED, profitAndLossPage } from '~/reports/profit-and-loss.server'
import { redirectWithToast } from '~/session/toast.server'
import { type LinkProblem, LinkRefused, openLink, REFRESHED, reportAddress, withLink } from '~/session/web-link.server'

export const handle = { title: 'Profit & Loss' }

/** A public page: one report of one client, for anyone with a link that the broker confirms. */
export async function loader({ request }: LoaderFunctionArgs) {
	try {
		const opened = await openLink(request)
		if (opened) throw opened
		const { result, headers, isRefreshed, endsAt } = await withLink(request, async (broker, year, url) => ({
			...(await profitAndLossPage(broker, url, year, {
				files: '/client/downloads/pnl',
				isAlone: true,
			})),
			client: broker.clientCode,
		}))
		const toast = isRefreshed ? { kind: 'info' as const, message: REFRESHED } : undefined
		return data({ page: result, ends: tellEnd(endsAt), toast, problem: undefined }, { status: result.isFailed ? 502 : 200, headers })
	} catch (error) {
		if (!(error instanceof LinkRefused)) throw error
		return data(
			{ page: undefined, ends: undefined, toast: undefined, problem: error.problem },
			{ status: error.status, headers: error.headers },
		)
	}
}

/** The report works only in this browser and for so long. */
function tellEnd(endsAt: number): string {
	const deadline = tellDeadline(toBrokersTime(endsAt))
	return `You can look and download, but not change anything. The link closes at ${deadline} (IST), or after ${formatDuration(settings.IDLE_MS)} without use.`
}

/** Starts a new summary bundle. */
export async function action({ request }: ActionFunctionArgs) {
	await readPublicForm(request)
	try {
		const { result, headers } = await withLink(request, (broker, year) => loadPart(broker, requestPnlBundle(broker, year)))
		const toast = result.failure ? { kind: 'error' as const, message: result.failure.message } : BUNDLE_STARTED
		return await redirectWithToast(reportAddress(request), toast, { headers })
	} catch (error) {
		// The report page finds the problem again and shows the reason.
		if (error instanceof LinkRefused) return redirect(reportAddress(request), { status: 303 })
		throw error
	}
}

const PROBLEMS: Record<LinkProblem, { message: string; advice: string }> = {
	incomplete: {
		message: 'This link is not valid or has expired',
		advice: 'A part of its address is missing. Open the report again from where you got the link, or copy all of the address.',
	},
	closed: {
		message: 'This link is not valid or has expired',
		advice:
			'This page works only while its link is open. A bookmark, or its address in another browser, does not work. Open the report again from where you got the link, or log in to see it.',
	},
	invalid: {
		message: 'This link is not valid or has expired',
		advice: 'The broker does not accept it. Open the report again from where you got the link, or log in to see it.',
	},
	expired: {
		message: 'This link is not valid or has expired',
		advice: 'The link has expired. Open the report again from where you got the link, to get a new one.',
	},
	limited: {
		message: 'Too many invalid links',
		advice: 'Wait a few minutes before you try another one. You can also log in to see the report.',
	},
}

export default function LinkedReport() {
	const { page, ends, toast, problem } = useLoaderData<typeof loader>()
	useLinkInterception()
	if (problem || !page) {
		const { message, advice } = PROBLEMS[problem ?? 'invalid']
		return (
			<PlainPage title="Profit & Loss" notice={{ kind: 'error', message }}>
				<p>{advice}</p>
				<p>
					<a href="/login">Login</a>
				</p>
			</PlainPage>
		)
	}
	return (
		<PlainPage title="Profit & Loss" toast={toast} isWide>
			<div className="flex flex-wrap items-start justify-between gap-x-6">
				<div className="text-muted mb-3 text-xs">
					<p>
						<Facts text={`${page.client} · ${page.period}`} />
					</p>
					<p>
						<Unbroken text={ends} />
					</p>
				</div>
				<ReportYear {...page} />
			</div>
			<ProfitAndLoss {...page} />
		</PlainPage>
	)
}

export function ErrorBoundary() {
	return <PageProblem />
}
