import { randomUUID } from 'node:crypto'
import { type SubmissionResult } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { type Broker } from '~/broker/client.server'
import { getPledgeData, getPledgeTerms } from '~/broker/depository.server'
import { Failed, NothingMoved } from '~/components/failed'
import { FailedParts } from '~/components/failed-parts'
import { ErrorSummary } from '~/components/form'
import { findTypedValues, KeptForm, listQuantities } from '~/components/kept-form'
import { KeyFigures } from '~/components/key-figures'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { RESTORED } from '~/components/restored-form-notice'
import { Unbroken } from '~/components/unbroken'
import { WaitingPledges } from '~/components/waiting-pledges'
import { takeRecoveredForm, withFormRecovery } from '~/forms/form-recovery.server'
import { invalid, lookUp } from '~/forms/form.server'
import { ROW_FIELDS } from '~/forms/quantity-fields.server'
import { loadSidePart } from '~/http/partial-data.server'
import { requireBroker } from '~/session/session.server'
import { redirectWithToast } from '~/session/toast.server'
import { loadAgain } from '~/lib/load-again'
import { ListSection } from './list-section'
import { PledgeErrors, PledgeForm } from './pledge-form'
import { formatPledgeQuery, readTypedPledge, createPledgeForm } from './pledge-form.server'
import { loadPledgePage } from './pledge-page.server'
import { readFormView } from './table-entries.server'

export const handle = { title: 'DP Process' }
const PLEDGE = '/dpprocess/pledge'

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const { typed, headers } = await takeRecoveredForm(request, broker.clientCode)
	if (typed)
		return await redirectWithToast(
			`${PLEDGE}?${formatPledgeQuery(readTypedPledge(typed))}#pledge`,
			{ kind: 'info', message: RESTORED },
			{ headers },
		)
	const page = await loadPledgePage(broker, request)
	return data(page, { status: page.failure?.status ?? 200 })
}

function joined(query: URLSearchParams, shown: Record<string, string>): string {
	for (const [name, value] of Object.entries(shown)) query.set(name, value)
	return query.toString()
}

/** Checks the form. It changes nothing at the broker: a valid order goes to the confirmation page in the address. */
export async function action({ request }: ActionFunctionArgs) {
	return await withFormRecovery(request, checkOrder, { rows: ROW_FIELDS })
}

async function checkOrder(form: FormData, broker: Broker) {
	const shown = readFormView(form)
	const intent = form.get('intent')
	// Another view keeps the typed values, valid or not.
	if (form.has('sort') || intent === 'show')
		return redirect(`${PLEDGE}?${joined(formatPledgeQuery(readTypedPledge(form)), shown)}#pledge`, { status: 303 })
	const [pledges, terms] = await Promise.all([lookUp(form, getPledgeData(broker)), loadSidePart(broker, getPledgeTerms(broker))])
	if (pledges.failed) return pledges.failed
	const submission = parseWithZod(form, { schema: createPledgeForm(pledges.found.filtered_df, terms.data?.max_securities) })
	if (submission.status !== 'success') return invalid(submission)
	const address = formatPledgeQuery(submission.value)
	if (intent === 'total') return redirect(`${PLEDGE}?${joined(address, shown)}#total`, { status: 303 })
	// The idempotency key belongs to this order, so the back button and a reload use the same key.
	return redirect(`${PLEDGE}/review?${address}&order=${randomUUID()}`, { status: 303 })
}

const TERMS = 'The fee and deadlines'
const HOLDINGS = 'What you can pledge or unpledge'
const REQUESTS = 'Your pledge requests'

export const shouldRevalidate = loadAgain

export default function Pledge() {
	const page = useLoaderData<typeof loader>()
	const { failure, isEmpty, answers, terms, termsFailure, halves, q, waiting, requests, hasRequests, requestsFailure, files } = page
	const sent = useActionData<typeof action>()
	const kept = failure || isEmpty ? findTypedValues(sent) : undefined
	const form = { page, result: sent?.result as SubmissionResult<string[]> | undefined }
	const errors: Record<string, string[] | null> = sent?.result.error ?? {}
	const again = (
		<>
			<ErrorSummary form={{ errors: Object.values(errors).flatMap((messages) => messages ?? []) }} />
			{kept ? (
				<KeptForm action={PLEDGE} kept={kept} label="Review" lines={listQuantities(kept)} />
			) : (
				failure && <NothingMoved what="Your shares are" still="A pledge that waits must still be confirmed in time." />
			)}
		</>
	)
	return (
		<>
			<PageTitle title="DP Process" part="Margin pledge" isTabName />
			{!failure && !kept && <PledgeErrors {...form} />}
			{!isEmpty && (
				<>
					<KeyFigures figures={answers} />
					<p className="-mt-1 mb-2 max-w-160 text-xs text-muted">
						Margin is the value less a haircut that differs by security.
						{halves && <Unbroken text={` ${halves} Half of the margin held overnight must be cash.`} />}
					</p>
				</>
			)}
			<WaitingPledges pledges={waiting} />
			<FailedParts
				what={HOLDINGS}
				parts={[
					{ what: HOLDINGS, failure },
					{ what: TERMS, failure: termsFailure },
					...(hasRequests ? [{ what: REQUESTS, failure: requestsFailure }] : []),
				]}
				rest={again}
			>
				{termsFailure && <Failed what={TERMS} failure={termsFailure} />}
				{terms && <Terms {...terms} />}
				{failure || kept ? (
					<>
						{failure && <Failed what={HOLDINGS} failure={failure} isPage />}
						{again}
					</>
				) : (
					<PledgeForm {...form} />
				)}
				<p className="mt-4 mb-4 max-w-160 text-xs text-muted">
					Pledged shares stay in your demat account and count as margin. Unpledged shares can be sold again; those that secure what you owe
					cannot be unpledged. Haircuts of all securities are in the <a href="/reports/downloads">approved lists</a>.
				</p>
				{hasRequests && (
					<ListSection
						title="Pledge requests"
						anchor="requests"
						what={REQUESTS}
						list={requests}
						failure={requestsFailure}
						file={{ href: files.requests, label: 'CSV', type: 'PLEDGE REQUESTS' }}
						q={q}
						none="You have not asked to pledge or unpledge anything."
					/>
				)}
			</FailedParts>
		</>
	)
}

type TermsProps = { deadlines: string; marginFrom: string; shownFee: string }

/** The deadlines and the fee. */
function Terms({ deadlines, marginFrom, shownFee }: TermsProps) {
	return (
		<p className="mb-2 max-w-160 text-xs text-muted">
			<Unbroken
				text={`New pledges: ${deadlines}; the margin counts from ${marginFrom}. Pledging or unpledging costs ${shownFee} with GST for each security and request.`}
			/>
		</p>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="DP Process" />
}
