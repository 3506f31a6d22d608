import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { formatYear } from '#contract/values/financial-year'
import { requestPnlBundle } from '~/broker/downloads.server'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { ProfitAndLoss } from '~/components/profit-and-loss'
import { readForm } from '~/forms/form.server'
import { loadPart } from '~/http/partial-data.server'
import { BUNDLE_STARTED, profitAndLossPage } from '~/reports/profit-and-loss.server'
import { readYear } from '~/session/preferences.server'
import { requireBroker } from '~/session/session.server'
import { redirectWithToast } from '~/session/toast.server'

export const handle = { title: 'Profit & Loss', canRefresh: true, areScriptsLate: true }

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const page = await profitAndLossPage(broker, new URL(request.url), readYear(request), {
		files: '/downloads/pnl',
		isAlone: false,
	})
	return data(page, { status: page.isFailed ? 502 : 200 })
}

/** Starts a new summary bundle. A second request while one is being made starts no other bundle. */
export async function action({ request }: ActionFunctionArgs) {
	await readForm(request)
	const broker = await requireBroker(request)
	const year = readYear(request)
	const { failure } = await loadPart(broker, requestPnlBundle(broker, year))
	const toast = failure ? { kind: 'error' as const, message: failure.message } : BUNDLE_STARTED
	return await redirectWithToast(`/reports/profitnloss?year=${formatYear(year)}`, toast)
}

export default function ProfitAndLossPage() {
	const page = useLoaderData<typeof loader>()
	return (
		<>
			<PageTitle title="Profit & Loss" note={page.period} />
			<ProfitAndLoss {...page} />
		</>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="Profit & Loss" />
}
