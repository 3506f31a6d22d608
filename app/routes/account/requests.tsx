import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData, useLocation } from '@remix-run/react'
import { ChangeReference, type ChangeRequest } from '#contract/modifications'
import { unreadIn } from '#contract/tolerant'
import { CHANGE_STATUS } from '#contract/values/code-names'
import { formatMoment } from '#contract/values/moments'
import { tellDeadline } from '~/broker/clock.server'
import { listChangeRequests, withdrawChange } from '~/broker/modifications.server'
import { AskFirst } from '~/components/ask-first'
import { DownloadLink } from '~/components/download-link'
import { Failed } from '~/components/failed'
import { AllColumns } from '~/components/fitted-columns'
import { ErrorSummary } from '~/components/form'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { offerSearch, ReportToolbar } from '~/components/report-toolbar'
import { openForm, replyWith } from '~/forms/form.server'
import { readIdempotencyKey } from '~/forms/idempotency-key'
import { runIdempotent, createIdempotencyKey } from '~/forms/idempotency.server'
import { readRefresh } from '~/http/hard-refresh.server'
import { loadPart } from '~/http/partial-data.server'
import { loadAgain } from '~/lib/load-again'
import { formatSlab } from '~/lib/income-slab'
import { showMasked } from '~/lib/masks'
import { offerAll } from '~/lib/no-match'
import { signPath } from '~/lib/sign-pages'
import { DASH, nameCode, orDash } from '~/lib/unknown'
import { clampText } from '~/reports/columns.server'
import { arrange, sortableKeys, buildTable } from '~/reports/report.server'
import { tellUnread } from '~/reports/unread.server'
import { formatFileAddress, readView } from '~/reports/view.server'
import { audit } from '~/session/audit.server'
import { requireBroker } from '~/session/session.server'
import { redirectWithToast } from '~/session/toast.server'
import { changeRequestsReport, findPageAgain, findRequestKind, findWithdrawal, nameAuthorisation } from './request-list.server'
import { type RequestRow, RequestTable } from './request-table'

export const handle = { title: 'Requests', canRefresh: true }

const FORM = 'withdraw-change'

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const { data: changes, failure, isAbsent = false } = await loadPart(broker, listChangeRequests(broker, readRefresh(request)), [])
	const { key, headers } = createIdempotencyKey(request, FORM, broker)
	const url = new URL(request.url)
	const ending = changes?.find((change) => change.reference === url.searchParams.get('withdraw') && canWithdraw(change))
	const list = changes && buildList(changes, url)
	return data({ isAbsent, failure, list, key, ending: ending && describeEnding(ending) }, { headers, status: failure?.status ?? 200 })
}

/** A closure is withdrawn on its own page. */
const canWithdraw = ({ kind, status }: ChangeRequest) => status === 'WAITING' && kind !== 'CLOSURE'

function describeEnding({ reference, title, becomes }: ChangeRequest) {
	const what = becomes ? `${title} to ${showMasked(clampText(formatSlab(becomes)))}` : title
	return { reference, words: `${what}, reference ${reference}` }
}

function buildList(changes: ChangeRequest[], url: URL) {
	const view = readView(url, sortableKeys(changeRequestsReport))
	const arranged = arrange(changeRequestsReport, changes, view)
	// Without the running number: a request has a reference.
	const { columns, paging } = buildTable(changeRequestsReport, arranged, view, url)
	return {
		table: { columns: columns.slice(1), paging },
		rows: arranged.slice(Math.max(0, paging.from - 1), paging.to).map(buildRow),
		unread: tellUnread(unreadIn(changes)),
		// An empty list has no search field.
		q: changes.length > 0 ? view.q : undefined,
		csv: formatFileAddress('/downloads/requests/csv', view),
		empty:
			changes.length > 0
				? offerAll(view.q, url.pathname)
				: { text: 'You have not asked for any change.', action: { href: '/myaccount', label: 'See your profile' } },
	}
}

function buildRow(change: ChangeRequest): RequestRow {
	const { reference, kind, title, was, becomes, status, asked_at, done_at, expires_at } = change
	const isWaiting = status === 'WAITING'
	const isSigned = status === 'SIGNED'
	return {
		reference,
		title,
		was: showMasked(clampText(formatSlab(was ?? DASH))),
		becomes: showMasked(clampText(formatSlab(becomes ?? DASH))),
		asked: orDash(asked_at, formatMoment),
		authorised: nameAuthorisation(change),
		status: nameCode(CHANGE_STATUS, status),
		mark: findRequestKind(change),
		when: isWaiting ? expires_at && `until ${tellDeadline(expires_at)}` : done_at && formatMoment(done_at),
		sign: isWaiting ? signPath(reference) : undefined,
		withdrawAt: isWaiting || (isSigned && kind === 'CLOSURE') ? findWithdrawal(change) : undefined,
		again: findPageAgain(change),
		file: isSigned || status === 'DONE' ? `/downloads/change/${encodeURIComponent(reference)}` : undefined,
	}
}

export async function action({ request }: ActionFunctionArgs) {
	const { form, broker } = await openForm(request)
	const submission = parseWithZod(form, { schema: ChangeReference })
	if (submission.status !== 'success')
		return data({ result: replyWith(submission, { formErrors: ['Select a request from the list.'] }) }, { status: 400 })
	const { reference } = submission.value
	const done = await runIdempotent({ broker, name: FORM, form, submission }, (key) => withdrawChange(broker, reference, key))
	if ('again' in done) return done.again
	audit('change_withdrawn', request, broker.clientCode)
	const toast = { kind: 'success', message: 'Your request is withdrawn. Nothing has changed.' } as const
	return await redirectWithToast('/myaccount/requests', toast, { headers: done.headers })
}

export const shouldRevalidate = loadAgain

export default function Requests() {
	const { isAbsent, list, failure, key, ending } = useLoaderData<typeof loader>()
	const sent = useActionData<typeof action>()
	const { pathname, search } = useLocation()
	const problem = sent?.result.error?.['']
	return (
		<>
			<PageTitle title="Requests" note={isAbsent ? undefined : 'Changes you asked for'} />
			{problem && <ErrorSummary form={{ errors: problem }} />}
			{ending && (
				<AskFirst
					id="withdraw"
					question="Withdraw this request?"
					action={pathname + search}
					fields={{ reference: ending.reference }}
					idempotencyKey={readIdempotencyKey(sent, key)}
					label="Withdraw the request"
					keep={pathname}
				>
					{ending.words}. Nothing changes, and you can ask for it again.
				</AskFirst>
			)}
			{isAbsent ? (
				<p className="prose">
					Your broker sends no list of requests here. <a href="/myaccount">Your profile</a> shows a change once it is made.
				</p>
			) : list ? (
				<>
					{list.q !== undefined && (
						// Without a search the file stands beside the note above, unless the question stands between.
						<div className={!ending && offerSearch(list.q, list.table) === undefined ? 'min-[20rem]:-mt-12' : undefined}>
							<ReportToolbar
								action="/myaccount/requests"
								search={offerSearch(list.q, list.table)}
								files={
									<>
										{list.rows.length > 0 && <AllColumns last="laptop" />}
										<DownloadLink href={list.csv} label="CSV" type="REQUESTS" flag="CSV" />
									</>
								}
							/>
						</div>
					)}
					<RequestTable {...list} />
				</>
			) : (
				failure && (
					<>
						<Failed what="Your requests" failure={failure} isPage />
						<p>
							<a href="/myaccount">See your profile</a>
						</p>
					</>
				)
			)}
		</>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="Requests" />
}
