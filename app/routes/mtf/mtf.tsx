import { useForm } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod/v4'
import { type MtfDetails, type MtfFacts } from '#contract/mtf'
import { unreadIn } from '#contract/tolerant'
import { formatDay } from '#contract/values/dates'
import { formatYear } from '#contract/values/financial-year'
import { formatAmount } from '#contract/values/money'
import { orNone } from '~/broker/client.server'
import { today } from '~/broker/clock.server'
import { getMtfDetails, getMtfFacts, listMtfInterest, requestMtfEsign } from '~/broker/mtf.server'
import { Empty } from '~/components/empty'
import { NothingMoved } from '~/components/failed'
import { FailedPage } from '~/components/failed-page'
import { ErrorSummary } from '~/components/form'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { redirectToSign, UNAPPROVED } from '~/forms/esign-confirm.server'
import { invalid, lookUp, openForm, replyWith, extendReply } from '~/forms/form.server'
import { runIdempotent, createIdempotencyKey } from '~/forms/idempotency.server'
import { readRefresh } from '~/http/hard-refresh.server'
import { loadPart, loadSidePart } from '~/http/partial-data.server'
import { clampText } from '~/reports/columns.server'
import { buildFoot } from '~/reports/foot.server'
import { arrange, sortableKeys, buildTable } from '~/reports/report.server'
import { addressWith, addressesTable, readView } from '~/reports/view.server'
import { audit } from '~/session/audit.server'
import { readYear } from '~/session/preferences.server'
import { requireBroker } from '~/session/session.server'
import { loadAgain } from '~/lib/load-again'
import { signPath } from '~/lib/sign-pages'
import { MtfAccount } from './mtf-account'
import {
	listMtfCards,
	computeMtfCost,
	describeSales,
	listSignedTerms,
	tellCards,
	waitingPledges,
	explainMtfRefusal,
} from './mtf-summary.server'
import { fundedPositions, interestByDay, joinPositionFacts, listInterestMonths, markIncomplete } from './mtf-tables.server'
import { MtfTerms } from './mtf-terms'

const TITLE = 'Margin Trading Facility'
/** The name of the form, for its idempotency key. */
const FORM = 'mtf'

export const handle = { title: TITLE, canRefresh: true }

/** The client consents by signing. */
const NoFields = z.object({})

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const url = new URL(request.url)
	const year = readYear(request)
	const options = readRefresh(request)
	const [asked, facts, interest] = await Promise.all([
		loadPart(broker, getMtfDetails(broker, options), null),
		loadSidePart(broker, getMtfFacts(broker, options), null),
		loadSidePart(broker, listMtfInterest(broker, year, options)),
	])
	if (asked.failure) {
		const toast = { kind: 'error' as const, message: asked.failure.message }
		return data({ state: 'failed' as const, failure: asked.failure, toast }, { status: asked.failure.status })
	}
	const details = asked.data
	if (!details) return data({ state: 'none' as const })
	const told = facts.data ?? undefined
	const isOffered = details.status === 'INACTIVE' || details.status === 'PENDING'
	const { key, headers: keeping } = isOffered ? createIdempotencyKey(request, FORM, broker) : { key: '', headers: undefined }
	const terms = isOffered
		? {
				cost: computeMtfCost(details, told),
				sales: told ? [] : describeSales(told),
				terms: listSignedTerms(details, told),
				isPending: details.status === 'PENDING',
				signAt: told?.esign_reference ? signPath(told.esign_reference) : undefined,
				whyNot: explainMtfRefusal(told),
				factsFailure: facts.failure,
				idempotencyKey: key,
			}
		: undefined
	const note = describeState(details, told)
	if (terms && !owes(details)) return data({ state: 'found' as const, note, terms, account: undefined }, { headers: keeping })

	const view = readView(url, [...sortableKeys(fundedPositions), ...sortableKeys(interestByDay)])
	const positions = arrange(fundedPositions, joinPositionFacts(details, told), { ...view, q: '' })
	const days = interest.data && arrange(interestByDay, interest.data.days, view)
	const months = interest.data ? listInterestMonths(interest.data) : []
	const file = (name: string) => addressWith(url, { page: undefined, year: formatYear(year) }, `/downloads/mtf/${name}`)
	const account = {
		cardsNote: tellCards(details),
		cards: listMtfCards(details, told, interest.data),
		pledges: waitingPledges(details, told),
		year: formatYear(year),
		q: view.q,
		positions: { ...buildTable(fundedPositions, positions, view, url), foot: buildFoot(fundedPositions, positions) },
		positionsFile: file('positions'),
		interest: days && { ...buildTable(interestByDay, days, view, url), foot: buildFoot(interestByDay, days) },
		interestFile: file('interest'),
		days: days && days.length > 0 ? { isOpen: addressesTable(url, view, sortableKeys(interestByDay)) } : undefined,
		months: months.map(({ label, plain: figure, note, posted, voucher, href }) => ({ label, figure, note, posted, voucher, href })),
		total: formatAmount(months.reduce((sum, { amount }) => sum + amount, 0)) + (interest.data ? markIncomplete(interest.data) : ''),
		differs: months.some(({ isDifferent }) => isDifferent),
		interestFailure: interest.failure,
		hasInterest: !interest.isAbsent,
		factsFailure: facts.failure,
	}
	// The figures are today's in whatever year is chosen; only the interest is of that year.
	return data({ state: 'found' as const, note: `${note} · Figures of ${formatDay(today())}`, terms, account }, { headers: keeping })
}

/** A client who owes money, or may owe it, sees it, whatever the status is. */
const owes = ({ positions, funded_amount }: MtfDetails) => positions.length > 0 || unreadIn(positions) !== undefined || funded_amount !== 0

/** A word that the contract does not know is shown as it is: the client of a suspended account is not `Not active`. */
function describeState({ status }: MtfDetails, told: MtfFacts | undefined): string {
	if (status === 'ACTIVE') return told?.activated_on ? `Active since ${formatDay(told.activated_on)}` : 'Active'
	if (status === 'INACTIVE') return 'Not active'
	// Without a reference it may be signed already, or the broker does not tell.
	if (status === 'PENDING') return told?.esign_reference ? 'Awaiting your e-sign' : 'Not active yet'
	return status ? `Status: ${clampText(status)}` : 'The status could not be read'
}

/** Requests the e-sign and redirects to it. The broker states what is signed; nothing of it comes from the form. */
export async function action({ request }: ActionFunctionArgs) {
	const { form, broker } = await openForm(request)
	const submission = parseWithZod(form, { schema: NoFields })
	if (submission.status !== 'success') return invalid(submission)
	// The page must show what is signed, so the terms are loaded first.
	const looked = await lookUp(form, Promise.all([getMtfDetails(broker), getMtfFacts(broker).catch(orNone(undefined))]))
	if (looked.failed) {
		const message = looked.failed.data.result.error?.['']?.[0] ?? ''
		return extendReply(looked.failed, { toast: { kind: 'error' as const, message } })
	}
	const [details, facts] = looked.found
	const asked = await runIdempotent({ broker, name: FORM, form, submission }, (key) => requestMtfEsign(broker, key))
	if ('again' in asked) {
		const message = asked.again.data.result.error?.['']?.[0]
		return message ? extendReply(asked.again, { toast: { kind: 'error' as const, message } }) : asked.again
	}
	audit('mtf_asked', request, broker.clientCode)
	const signing = { response: asked.answer, title: TITLE, lines: listSignedTerms(details, facts), back: '/connect/mtf' }
	const away = await redirectToSign(request, broker, signing, asked.headers)
	if (!away) {
		const toast = { kind: 'error' as const, message: UNAPPROVED }
		return data({ result: replyWith(submission, { formErrors: [UNAPPROVED] }), toast }, { status: 502 })
	}
	return away
}

export const shouldRevalidate = loadAgain

export default function Mtf() {
	const page = useLoaderData<typeof loader>()
	const sent = useActionData<typeof action>()
	const [form] = useForm({ id: 'mtf', lastResult: sent?.result })
	if (page.state === 'failed') {
		return (
			// The toast says the reason too, as the specification requires; it can be closed.
			<FailedPage title={TITLE} what={TITLE} failure={page.failure} errors={form.errors}>
				<NothingMoved what="Your shares and your money are" />
			</FailedPage>
		)
	}
	if (page.state === 'none') {
		return (
			<>
				<PageTitle title={TITLE} />
				<ErrorSummary form={form} />
				<Empty text="There is no margin funding on this account." action={{ href: '/dashboard', label: 'Go to Dashboard' }} />
			</>
		)
	}
	const { note, account, terms } = page
	return (
		<>
			<PageTitle title={TITLE} note={note} />
			<ErrorSummary form={form} />
			{account && <MtfAccount {...account} />}
			{terms && <MtfTerms {...terms} idempotencyKey={sent && 'key' in sent ? sent.key : terms.idempotencyKey} formId={form.id} />}
		</>
	)
}

export function ErrorBoundary() {
	return <PageProblem title={TITLE} />
}
