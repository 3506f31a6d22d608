import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useActionData, useLoaderData, useLocation } from '@remix-run/react'
import { type OnePledgeRequest } from '#contract/depository'
import { unreadIn } from '#contract/tolerant'
import { formatAmount } from '#contract/values/money'
import { type Broker } from '~/broker/client.server'
import { listPledgeRequests } from '~/broker/depository.server'
import { Banner } from '~/components/banner'
import { FailedPage } from '~/components/failed-page'
import { ErrorSummary, SubmitButton } from '~/components/form'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { PostForm } from '~/components/post-form'
import { ReportTable } from '~/components/report-table'
import { readLastSigning, redirectToSign, openSigning } from '~/forms/esign-confirm.server'
import { lookUp, openForm } from '~/forms/form.server'
import { createMissing, loadPart } from '~/http/partial-data.server'
import { readReference } from '~/http/reference.server'
import { isBegun } from '~/lib/sign-pages'
import { formatUnits } from '~/lib/units'
import { fitColumns } from '~/reports/tiers.server'
import { auditOnce } from '~/session/audit.server'
import { publishChange } from '~/session/changed-sessions.server'
import { connectSession, requireSession } from '~/session/session.server'
import { sumMargin } from './pledge-form.server'
import { findSales } from './pledge-page.server'
import { describePledge } from './pledge-status.server'

const TITLE = 'Margin pledge'
const FORM = '/dpprocess/pledge'
const NEWS = {
	confirmed: 'The depository says that you have confirmed. The pledge shows as soon as the broker has processed it.',
	cancelled: 'You cancelled at the depository. Nothing has changed.',
	failed: 'The depository could not confirm this. Nothing has changed.',
} as const

/** For an unknown status in the address, when the list of the broker does not have the request. */
const NOT_KNOWN_YET = 'The broker has your request, and does not say yet how it ended. It shows as soon as the broker has processed it.'

export const handle = { title: (loaded?: { heading?: string }) => loaded?.heading ?? TITLE }
async function findRequest(broker: Broker, ref: string): Promise<OnePledgeRequest | null> {
	const requests = await listPledgeRequests(broker)
	const found = requests.find(({ request_id }) => request_id === ref)
	if (!found && unreadIn(requests)) throw createMissing(broker, '', requests)
	return found ?? null
}

/**
 * The page to which the depository sends the client back. It asks the broker for the state of the request. At a broker without that call
 * it shows the status in the address, but only to a client who had gone to the depository.
 */
export async function loader({ request }: LoaderFunctionArgs) {
	const session = await requireSession(request)
	const broker = connectSession(request, session)
	const ref = readReference(request)
	const asked = ref ? await loadPart(broker, findRequest(broker, ref), null) : { data: null }
	if (asked.failure) return data({ heading: TITLE, failure: asked.failure }, { status: asked.failure.status })
	// A pledge changes the free units, so cached reports may be out of date.
	await publishChange(session.id)
	const last = await openSigning(broker, readLastSigning(request))
	const wasThere = ref !== undefined && last?.lines.some(({ value }) => value === ref)
	if (!asked.data) {
		const said = new URL(request.url).searchParams.get('status') ?? ''
		if (!wasThere) throw createMissing(broker, 'We do not know this pledge request.')
		const message = `${Object.hasOwn(NEWS, said) ? NEWS[said as keyof typeof NEWS] : NOT_KNOWN_YET} Reference ${ref}.`
		return {
			heading: 'Sent back from the depository',
			kind: 'info' as const,
			message,
			canGoOn: false,
			table: undefined,
			failure: undefined,
		}
	}
	const { lines, status, request_id, last_outcome } = asked.data
	await auditOnce(`${ref} ${status}`, 'pledge_returned', request, broker.clientCode, { status })
	const sold = (await findSales(broker, [asked.data])).get(request_id)
	// A browser that never went to the depository with this request does not come back from it.
	const { heading, kind, message } = describePledge(asked.data, { sold, isBegun: isBegun(request) || !(wasThere || last_outcome) })
	return {
		heading,
		kind,
		message,
		canGoOn: asked.data.esign_response !== null,
		failure: undefined,
		// Without a line that could be read there is no sum.
		table:
			lines.length > 0
				? fitColumns(
						{
							columns: COLUMNS,
							rows: lines.map(({ isin, stock_name, qty, margin }) => ({
								id: isin,
								cells: [stock_name, formatUnits(qty), formatAmount(margin), isin],
							})),
							foot: [unreadIn(lines) ? 'Total (incomplete)' : 'Total', '', formatAmount(sumMargin(lines)), ''],
						},
						{ keys: ['name', 'qty', 'margin'] },
						new URL(request.url),
					)
				: undefined,
	}
}

/** Redirects to the depository again for the same waiting request. */
export async function action({ request }: ActionFunctionArgs) {
	const { form, broker } = await openForm(request)
	const ref = readReference(request)
	const asked = await lookUp(form, ref ? findRequest(broker, ref) : Promise.resolve(null))
	if (asked.failed) return asked.failed
	const response = asked.found?.esign_response
	if (!ref || !response) throw redirect(ref ? `${FORM}/return?ref=${encodeURIComponent(ref)}` : FORM, 303)
	const away = await redirectToSign(request, broker, { response, title: TITLE, lines: [{ label: 'Reference', value: ref }], back: FORM })
	if (away) return away
	const error = { '': ['We cannot open this page because its address is not approved. Nothing has changed.'] }
	return data({ result: { status: 'error' as const, error } }, { status: 502 })
}

const COLUMNS = [
	{ key: 'name', label: 'Name', align: 'left' },
	{ key: 'qty', label: 'Quantity', align: 'right' },
	{ key: 'margin', label: 'Margin', unit: '₹', align: 'right' },
	{ key: 'isin', label: 'ISIN', align: 'left' },
] as const

export default function Return() {
	const page = useLoaderData<typeof loader>()
	const problem = useActionData<typeof action>()?.result.error?.['']
	const { pathname, search } = useLocation()
	if (page.failure) {
		return <FailedPage title={TITLE} what="How the pledge stands" failure={page.failure} errors={problem} />
	}
	return (
		<>
			<PageTitle title={page.heading} note={TITLE} />
			<ErrorSummary form={{ errors: problem ?? undefined }} />
			<Banner kind={page.kind}>{page.message}</Banner>
			{page.table && <ReportTable caption="Securities" {...page.table} empty={{ text: 'None.' }} />}
			<div className="actions">
				{page.canGoOn && (
					<PostForm action={pathname + search} reloadDocument>
						<SubmitButton>Confirm at the depository</SubmitButton>
					</PostForm>
				)}
				<a href={FORM}>Back to Margin pledge</a>
			</div>
		</>
	)
}

export function ErrorBoundary() {
	return <PageProblem title={TITLE} />
}
