import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod/v4'
import { NameInAddress } from '#contract/common'
import { type Broker } from '~/broker/client.server'
import { esignClosure, esignClosureWithTransfer, listClosureTasks, withdrawClosure } from '~/broker/closure.server'
import { Banner } from '~/components/banner'
import { ErrorSummary, SubmitButton } from '~/components/form'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { PostForm } from '~/components/post-form'
import { SummaryList } from '~/components/summary-list'
import { Unbroken } from '~/components/unbroken'
import { CLOSURE, type Draft, readDraft } from '~/forms/closure-draft.server'
import { redirectToSign, UNAPPROVED } from '~/forms/esign-confirm.server'
import { lookUp, openForm, replyWith, extendReply } from '~/forms/form.server'
import { readIdempotencyKey } from '~/forms/idempotency-key'
import { createIdempotencyKey, deriveKey, type Refused, runIdempotent } from '~/forms/idempotency.server'
import { readHeldUploads } from '~/forms/pending-uploads.server'
import { loadSidePart } from '~/http/partial-data.server'
import { audit } from '~/session/audit.server'
import { requireBroker } from '~/session/session.server'
import { redirectWithToast } from '~/session/toast.server'
import { ClosureStatus } from './closure-status'
import { describeClosure, tellHoldings, WITHDRAW } from './closure-tasks.server'
import { FORM_WIDTH, StepCard } from './step-card'

const TITLE = 'Check your answers'
const FORM = 'closure'

export const handle = { title: TITLE }
/** Returns the answers kept in this browser. Without them it redirects to the first page that lacks them. */
async function requireDraft(request: Request, broker: Broker): Promise<Draft> {
	const draft = await readDraft(request, broker)
	if (!draft) throw redirect('/myaccount/closure')
	if (draft.withTransfer && !draft.target) throw redirect('/myaccount/closure/transfer')
	return draft
}

/** The answers that the page shows, as its form sends them back. */
const listAsked = ({ reason, clouser_for, target }: Draft) => JSON.stringify([reason, clouser_for, target])

function listLines({ reason, clouser_for, target }: Draft) {
	const lines = [
		{ label: 'Close', value: clouser_for },
		{ label: 'Reason', value: reason },
		{ label: 'Holdings', value: target ? 'Close and transfer holdings' : 'Close the account' },
	]
	if (!target) return lines
	return [
		...lines,
		{ label: 'Target account', value: `${target.account_type} ${target.bo_id}` },
		{ label: 'Client master', value: target.shown.client_master ?? 'Received' },
		{ label: 'Signature', value: target.shown.signature ?? 'Received' },
	]
}

export async function loader({ request }: LoaderFunctionArgs) {
	const broker = await requireBroker(request)
	const draft = await requireDraft(request, broker)
	// Only adds figures to one line, so the page works without it.
	const told = draft.target && (await loadSidePart(broker, listClosureTasks(broker), null))
	const { key, headers } = createIdempotencyKey(request, FORM, broker)
	return data(
		{
			lines: listLines(draft),
			moves: told?.data ? tellHoldings(told.data.holdings) : undefined,
			withTransfer: draft.withTransfer,
			asked: listAsked(draft),
			key,
		},
		{ headers },
	)
}

/**
 * The content of the form. `replaces`, the reference of the unsigned request that the client gives up for this one, is no part of it: with
 * or without it this is the same order, so a retry keeps its key when the other request is already withdrawn.
 */
const Sent = z.object({})

/**
 * The reference that has to be withdrawn first: only while that request still awaits its e-sign. The client may sign it before the
 * withdrawal arrives, so the withdrawal names the status; a broker that ignores it then withdraws a signed request.
 */
async function findReplaced(broker: Broker, reference: string | undefined): Promise<string | undefined> {
	if (!reference) return undefined
	const { request } = await listClosureTasks(broker, { hardRefresh: true })
	return request?.reference === reference && request.status === 'WAITING' ? reference : undefined
}

/**
 * The form again. `withdrawn` is the reference of the request that was withdrawn before the failure. When the broker refused because a
 * request is pending (409), the page shows that request if the broker lists it, and what can be done with it.
 */
async function showAgain(request: Request, broker: Broker, { again, status }: Refused, withdrawn: string) {
	if (status !== 409) return extendReply(again, { withdrawn })
	const told = await loadSidePart(broker, listClosureTasks(broker, { hardRefresh: true }), null)
	const pending = told.data?.request ? describeClosure(told.data.request) : undefined
	const { key, headers } = createIdempotencyKey(request, WITHDRAW, broker, new Headers(again.init?.headers))
	return data({ ...again.data, withdrawn, pending, withdrawalKey: key }, { ...again.init, headers })
}

export async function action({ request }: ActionFunctionArgs) {
	const { form, broker } = await openForm(request)
	const draft = await requireDraft(request, broker)
	const submission = parseWithZod(form, { schema: Sent })
	if (form.get('asked') !== listAsked(draft)) {
		const message = 'Your answers were changed in another tab. These are the latest: check them again.'
		return data({ result: replyWith(submission, { formErrors: [message] }) }, { status: 422 })
	}
	const { reason, clouser_for, target } = draft
	const files = target && (await readHeldUploads(broker.clientCode, CLOSURE, target.files))
	if (target && !files) {
		const message = 'Your files are kept for half an hour only. Select them again.'
		return await redirectWithToast('/myaccount/closure/transfer', { kind: 'warning', message })
	}
	const looked = await lookUp(form, findReplaced(broker, NameInAddress.safeParse(form.get('replaces')).data))
	if (looked.failed) return looked.failed
	const { found: replaced } = looked
	let withdrawn = ''
	const done = await runIdempotent({ broker, name: FORM, form, submission }, async (idempotencyKey) => {
		if (replaced) {
			const key = deriveKey(idempotencyKey, [WITHDRAW, replaced])
			await withdrawClosure(broker, { reference: replaced, status: 'WAITING', idempotencyKey: key })
			audit('closure_withdrawn', request, broker.clientCode)
			withdrawn = replaced
		}
		return target && files
			? await esignClosureWithTransfer(broker, { reason, clouser_for, ...target, idempotencyKey, files })
			: await esignClosure(broker, { reason, clouser_for, idempotencyKey })
	})
	if ('again' in done) return await showAgain(request, broker, done, withdrawn)
	audit('closure_asked', request, broker.clientCode)
	const signing = { response: done.answer, title: 'Account closure', lines: listLines(draft), back: CLOSURE }
	const away = await redirectToSign(request, broker, signing, done.headers)
	if (!away) return data({ result: replyWith(submission, { formErrors: [UNAPPROVED] }), withdrawn }, { status: 502 })
	return away
}

type Refusal = { withdrawn?: string; pending?: ReturnType<typeof describeClosure>; withdrawalKey?: string }
type Result = { error?: Record<string, string[] | null> | null; initialValue?: Record<string, unknown> | null }

export default function Check() {
	const { lines, moves, withTransfer, asked, key } = useLoaderData<typeof loader>()
	const sent = useActionData<typeof action>()
	const { pending, withdrawalKey, withdrawn }: Refusal = sent ?? {}
	// The error may be about a field of an earlier page.
	const result: Result | undefined = sent?.result
	const errors = Object.values(result?.error ?? {}).flatMap((messages) => messages ?? [])
	if (withdrawn) errors.push(`Request ${withdrawn} is withdrawn.`)
	const typed = result?.initialValue?.replaces
	const replaces = pending?.reference ?? (typeof typed === 'string' && typed !== withdrawn ? typed : undefined)
	const changes: Record<string, string> = withTransfer
		? {
				'Target account': '/myaccount/closure/transfer',
				'Client master': '/myaccount/closure/transfer',
				Signature: '/myaccount/closure/transfer',
			}
		: {}
	const answers = lines.map(({ label, value }) => ({
		label,
		value,
		note: label === 'Holdings' && moves ? <span className="text-muted">{moves}</span> : undefined,
		change: { href: changes[label] ?? '/myaccount/closure', label: label.toLowerCase() },
	}))
	return (
		<>
			<PageTitle title={TITLE} note="Account closure" />
			<ErrorSummary form={{ errors: errors.length > 0 ? errors : undefined }} />
			{pending && withdrawalKey && (
				<div className={FORM_WIDTH}>
					<ClosureStatus {...pending} action="/myaccount/closure" idempotencyKey={withdrawalKey} />
				</div>
			)}
			{/* A signed request can only be withdrawn. */}
			{(!pending || pending.status === 'WAITING') && (
				<StepCard change={withTransfer ? 'transfer' : 'closure'} step={withTransfer ? 3 : 2}>
					<SummaryList items={answers} />
					<ul className="list-disc space-y-1 pl-5">
						<li>
							<Unbroken text="Next you sign with Aadhaar at the e-sign provider." />
						</li>
						<li>The account closes within 3 working days after that.</li>
						<li>Until it has closed, you can withdraw the request on the closure page.</li>
						{withTransfer && <li>By signing you say that the target account is in your name alone, under the same PAN.</li>}
					</ul>
					<Banner kind="warning">A closed account cannot be reopened.</Banner>
					{/* A full-page post, because the reply redirects to another site. */}
					<PostForm reloadDocument idempotencyKey={readIdempotencyKey(sent, key)}>
						<input type="hidden" name="asked" value={asked} />
						{replaces && <input type="hidden" name="replaces" value={replaces} />}
						{replaces && (
							<p className="mb-3">
								Replace request {replaces}
								{pending && <Unbroken text=", which awaits your e-sign," />} with this one?
							</p>
						)}
						<div className="actions mt-0">
							<SubmitButton kind={pending && 'plain'}>{replaces ? 'Replace it and e-sign' : 'Proceed to e-sign'}</SubmitButton>
							<a href="/myaccount/closure">{replaces || withdrawalKey ? 'See your closure request' : 'Not now'}</a>
						</div>
					</PostForm>
				</StepCard>
			)}
		</>
	)
}

export function ErrorBoundary() {
	return <PageProblem title={TITLE} />
}
