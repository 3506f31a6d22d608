import { data, type LoaderFunctionArgs } from '@remix-run/node'
import { useLoaderData } from '@remix-run/react'
import { type EsignStatus } from '#contract/esign'
import { formatMoment } from '#contract/values/moments'
import { whenAbsent } from '~/broker/client.server'
import { tellDeadline } from '~/broker/clock.server'
import { getEsignStatus } from '~/broker/esign.server'
import { Banner } from '~/components/banner'
import { Failed } from '~/components/failed'
import { FailedPage } from '~/components/failed-page'
import { SubmitButton } from '~/components/form'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { PostForm } from '~/components/post-form'
import { Section } from '~/components/section'
import { SummaryList } from '~/components/summary-list'
import { type ToastKind } from '~/lib/toast-kind'
import { CLOSURE, forgetDraft } from '~/forms/closure-draft.server'
import { forgetSigning, labelNow, readLastSigning, openSigning, sealSigning } from '~/forms/esign-confirm.server'
import { dropUploads } from '~/forms/pending-uploads.server'
import { loadPart, createRefused } from '~/http/partial-data.server'
import { readReference } from '~/http/reference.server'
import { showMasked } from '~/lib/masks'
import { isBegun } from '~/lib/sign-pages'
import { nameCode } from '~/lib/unknown'
import { auditOnce } from '~/session/audit.server'
import { publishChange } from '~/session/changed-sessions.server'
import { connectSession, requireSession } from '~/session/session.server'
import { describeBack, findFirstPage, findNextSteps, findPageAfter, findSubject, type NextSteps } from './next-steps.server'

type Line = { label: string; value: string; note?: string }
/** The outcome in words, and the next steps. */
type Page = {
	heading: string
	kind: ToastKind
	message: string
	next?: NextSteps
	title?: string
	lines?: Line[]
	again?: string
	isFirst?: boolean
	back: ReturnType<typeof describeBack>
}

export const handle = {
	title: (loaded?: { page?: Page }) => loaded?.page?.heading ?? 'E-sign',
	area: (loaded?: { page?: Page }) => loaded?.page?.back.href,
}

/**
 * The page to which the e-sign provider sends the client back. Its address comes from a browser and proves nothing, so it asks the
 * broker for the state of the request. When the broker lacks that call or refuses the reference, it shows the status in the address, but
 * only to a client who had gone to the provider. After a refusal nothing is known, so the page does not show that status as a success.
 */
export async function loader({ request }: LoaderFunctionArgs) {
	const session = await requireSession(request)
	const broker = connectSession(request, session)
	const ref = readReference(request)
	const last = await openSigning(broker, readLastSigning(request))
	const asked = ref ? await loadPart<EsignStatus | null>(broker, getEsignStatus(broker, ref).catch(whenAbsent(null))) : { data: null }
	const { data: status, failure } = asked
	if (failure && !failure.isRefused) return data({ page: undefined, failure }, { status: failure.status })
	// The signature may have changed the profile, so cached replies may be out of date.
	await publishChange(session.id)

	if (!status) {
		const said = last && (saidBy(new URL(request.url).searchParams.get('status')) ?? (failure ? undefined : NOTHING_SAID))
		if (!said) throw createRefused(broker, failure, 'We do not know this e-sign.')
		const again = said.kind === 'success' ? undefined : readLastSigning(request)
		const page: Page = { ...said, ...(failure && { kind: 'info' }), title: last.title, back: describeBack(last.back), again }
		return data({ page: { ...page, lines: nameLines(last.lines, last.title, page.kind === 'success') }, failure })
	}
	await auditOnce(`${ref} ${status.status}`, 'esign_returned', request, broker.clientCode, { status: status.status })
	const { title, lines, esign_response } = status
	const isLast = last?.title === title
	const back = isLast ? last.back : '/myaccount/requests'
	const again = esign_response ? await sealSigning(broker, { response: esign_response, title, lines, back }) : undefined
	const headers = new Headers()
	if (isLast && status.status === 'SIGNED') {
		forgetSigning(headers)
		if (back === CLOSURE) {
			forgetDraft(headers)
			await dropUploads(broker.clientCode, CLOSURE)
		}
	}
	const isSigned = status.status === 'SIGNED'
	const masked = nameLines(lines, title, isSigned).map((line) => ({ ...line, value: showMasked(line.value) }))
	const firstPage = findFirstPage(title) ?? (isLast ? last.back : undefined)
	const page: Page = {
		...describeStatus(status, isBegun(request) || !(isLast || status.last_outcome)),
		next: isSigned ? await findNextSteps(broker, firstPage) : undefined,
		title,
		lines: masked,
		back: describeBack(isSigned ? findPageAfter(firstPage ?? back) : back),
		again,
		isFirst: !status.last_outcome,
	}
	return data({ page, failure: undefined }, { headers })
}

/** Names the values by what they are. After the signature the value of now is the one before. */
function nameLines(lines: readonly Line[], title: string, isSigned: boolean): Line[] {
	const subject = findSubject(title)
	const [now, before] = [labelNow(subject), subject ? `Old ${subject}` : 'Before']
	return lines.map((line) => {
		if (line.label === 'Now' || line.label === now) return { ...line, label: isSigned ? before : now }
		return subject && line.label === 'New' ? { ...line, label: `New ${subject}` } : line
	})
}

/** `begun`: the client opened the page to sign, and does not come back from the provider. */
function describeStatus(
	{ status, last_outcome, reason, ended_at, expires_at, reference }: EsignStatus,
	begun: boolean,
): Pick<Page, 'heading' | 'kind' | 'message'> {
	const until = `You can sign until ${tellDeadline(expires_at)}. Reference ${reference}.`
	if (status === 'SIGNED') {
		const signed = ended_at ? `Signed at ${formatMoment(ended_at)}` : 'Signed'
		return { heading: 'Signed', kind: 'success', message: `${signed}. Reference ${reference}.` }
	}
	if (status === 'LAPSED') {
		const message = `Not signed within 24 hours, so nothing has changed. Reference ${reference}.`
		return { heading: 'Not signed in time', kind: 'warning', message }
	}
	if (status === 'WITHDRAWN') {
		return {
			heading: 'Request withdrawn',
			kind: 'info',
			message: `You withdrew this request. Nothing has changed. Reference ${reference}.`,
		}
	}
	const why = reason ? `${reason.replace(/\.$/, '')}. ` : ''
	if (status !== 'WAITING') {
		const message = `${why}The broker states the status ${nameCode({}, status)}. Reference ${reference}.`
		return { heading: 'Result not known yet', kind: 'info', message }
	}
	const heading = begun ? 'Sign the request' : 'Not signed'
	if (last_outcome === 'FAILED') {
		return { heading, kind: 'error', message: `The e-sign failed. ${why}Nothing has changed. ${until}` }
	}
	const what = last_outcome === 'CANCELLED' ? 'You cancelled the e-sign.' : 'This has not been signed yet.'
	return { heading, kind: 'info', message: `${what} Nothing has changed. ${until}` }
}

/**
 * Returns the outcome from the status in the provider's address, for when the broker cannot be asked. The reference is not shown,
 * because anyone can write text into an address.
 */
function saidBy(status: string | null): Pick<Page, 'heading' | 'kind' | 'message'> | undefined {
	if (status === 'signed') {
		const message = 'The e-sign page says that you have signed. The change shows as soon as we have processed it.'
		return { heading: 'Sent back from e-sign', kind: 'success', message }
	}
	if (status === 'cancelled') return { heading: 'Not signed', kind: 'info', message: 'You cancelled the e-sign. Nothing has changed.' }
	if (status === 'failed') return { heading: 'Not signed', kind: 'error', message: 'The e-sign failed. Nothing has changed.' }
	return undefined
}

/** Used when neither the provider nor the broker says how the e-sign ended. */
const NOTHING_SAID = {
	heading: 'Sent back from e-sign',
	kind: 'info',
	message: 'The e-sign page did not say how it ended. A change that you have signed shows as soon as we have processed it.',
} as const

const WHAT = 'How the e-sign ended'

export default function Return() {
	const { page, failure } = useLoaderData<typeof loader>()
	if (!page) {
		return <FailedPage title="E-sign" what={WHAT} failure={failure} />
	}
	const { heading, kind, message, next, title, lines = [], again, isFirst, back }: Page = page
	return (
		<>
			<PageTitle title={heading} note={title} />
			<div className="max-w-160">
				<Banner kind={kind}>{message}</Banner>
				{failure && <Failed what={WHAT} failure={failure} />}
				{next && <WhatNext {...next} />}
				{lines.length > 0 && (
					<Section title="The request">
						<SummaryList items={lines} />
					</Section>
				)}
			</div>
			{again ? (
				<PostForm action="/esign" reloadDocument>
					<input type="hidden" name="signing" value={again} />
					<div className="actions">
						<SubmitButton>{isFirst ? 'Sign' : 'Sign again'}</SubmitButton>
						<a href={back.href}>{back.label}</a>
					</div>
				</PostForm>
			) : (
				<p>
					<a href={back.href}>{back.label}</a>
				</p>
			)}
		</>
	)
}

function WhatNext({ steps, files, follow }: NextSteps) {
	return (
		<Section title="What happens next">
			<ul className="list-disc space-y-1 pl-5">
				{steps.map((step) => (
					<li key={step}>{step}</li>
				))}
				{follow && (
					<li>
						<a href={follow.href}>{follow.label}</a> {follow.words}
					</li>
				)}
			</ul>
			{files && (
				<p className="mt-4">
					<a href="/reports/downloads" className="btn btn-primary max-sm:w-full">
						Download your year packs
					</a>
				</p>
			)}
		</Section>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="E-sign" />
}
