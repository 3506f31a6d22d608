import { randomUUID } from 'node:crypto'
import { type Submission } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod/v4'
import { Micr, ProofType } from '#contract/modifications'
import { timeOfDay } from '#contract/values/dates'
import { BrokerRefusal, forgetReports, readFailure } from '~/broker/client.server'
import { getPennyDrop } from '~/broker/modifications.server'
import { ErrorSummary } from '~/components/form'
import { OtpForm } from '~/components/otp-form'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { Answers } from '~/components/summary-list'
import { handOver } from '~/forms/esign-handover.server'
import { asRefusal, mayBeDone, OtpTyped, refusal, refusedInit, textLike, unanswered } from '~/forms/form.server'
import { UploadProblem, type Uploads, withUploads } from '~/forms/uploads.server'
import { sidePart } from '~/http/partial-data.server'
import { keepFile } from '~/http/pending-file.server'
import { retryAfter } from '~/http/retry-after.server'
import { audit } from '~/session/audit.server'
import { askWithOtp, TooManyAttempts } from '~/session/rate-limits.server'
import { brokerOf, requestIdOf, requireSession } from '~/session/session.server'
import { flashCookie } from '~/session/toast.server'
import { requireChange } from './change-definitions.server'
import { type Step } from './change-journey.server'

export const handle = { title: (loaded?: { title?: string }) => loaded?.title ?? 'OTP' }

export const headers = retryAfter

const INVALID_MICR = 'Invalid MICR code.'

/** The second step: it is entered only from the first, since only that leaves a step behind. */
export async function loader({ request, params }: LoaderFunctionArgs) {
	const change = requireChange(params.change)
	const broker = brokerOf(request, await requireSession(request))
	const step = await change.open(request, broker)
	if (!step) throw redirect(change.path)
	const drop = change.kind === 'bank' ? (await sidePart(getPennyDrop(broker), requestIdOf(request))).data : undefined
	return {
		title: change.title,
		what: change.what,
		path: change.path,
		lines: [
			...step.lines,
			...(drop
				? [
						{ label: 'Bank', value: `${drop.bank_name}, ${drop.branch}` },
						{ label: 'Name at your bank', value: drop.name_at_bank ?? 'The bank did not confirm the account' },
						{ label: 'Name on your account here', value: drop.name_here },
					]
				: []),
		],
		form: {
			step: step.id,
			sentTo: step.message.replace(/\.$/, ''),
			until: `${timeOfDay(new Date(step.expiresAt)).slice(0, 5)} IST`,
			resendAt: step.resendAt > Date.now() ? timeOfDay(new Date(step.resendAt)) : undefined,
			attemptsLeft: step.attemptsLeft,
			needsMicr: step.needsMicr,
			proofTypes: step.hasProofType ? ProofType.options : [],
			proofs: step.proofs,
		},
		key: randomUUID(),
	}
}

export async function action({ request, params }: ActionFunctionArgs) {
	const change = requireChange(params.change)
	const session = await requireSession(request)
	const broker = brokerOf(request, session)
	const step = await change.open(request, broker)
	const rules = Object.fromEntries((step?.proofs ?? []).map(({ name, required }) => [name, { required }]))

	const isOver = (form: FormData) => !step || form.get('step') !== step.id
	const answer = async (form: FormData, uploads: Uploads) => {
		const intent = form.get('intent')
		if (intent === 'start_again') return redirect(change.path, { status: 303, headers: change.leave() })
		// Too late, or a form of a step that another tab has left behind: what there is to do now is shown.
		if (!step || isOver(form)) {
			const toast = { kind: 'warning', message: 'This OTP request is no longer valid. Nothing was changed by it.' } as const
			return redirect(step ? `${change.path}/otp` : change.path, { status: 303, headers: { 'set-cookie': await flashCookie(toast) } })
		}
		if (intent === 'resend_otp') return await resend(step, parseWithZod(form, { schema: z.object({}) }), `${change.path}/otp`)

		const submission = parseWithZod(form, { schema: answersTo(step) })
		const wrong = uploads.problem
		if (submission.status !== 'success' || wrong) return unfit(submission, wrong)

		const { otp, micr_code: micr, file_type: proofType, idempotency_key: idempotencyKey } = submission.value
		try {
			const ask = () => step.verify({ otp, micr, proofType, idempotencyKey, files: uploads.files() })
			const outcome = await askWithOtp(session.clientCode, [idempotencyKey, otp], ask, isWrongCode)
			audit('otp_verified', request, session.clientCode, { of: change.kind })
			forgetReports(session.id)
			if ('esign' in outcome) {
				const response = await handOver(broker, { response: outcome.esign, title: change.what, lines: step.lines, back: change.path })
				return withCookies(response, change.leave())
			}
			const headers = change.leave()
			if ('pdf' in outcome) {
				await keepFile(session.id, change.kind, outcome.pdf)
				return redirect(`${change.path}?done=1`, { status: 303, headers })
			}
			headers.append('set-cookie', await flashCookie({ kind: 'success', message: outcome.message }))
			return redirect(`${change.path}?done=1`, { status: 303, headers })
		} catch (error) {
			if (error instanceof UploadProblem) return unfit(submission, error)
			if (error instanceof TooManyAttempts) {
				audit('otp_limited', request, session.clientCode, { of: change.kind })
				return limited(submission, error.wait)
			}
			audit('otp_refused', request, session.clientCode, { of: change.kind })
			return await notDone(step, submission, error, idempotencyKey, change.leave())
		}
	}
	return await withUploads(request, rules, answer, isOver)
}

/** What the form of this step must hold. */
function answersTo({ needsMicr, hasProofType }: Step) {
	return z.object({
		otp: OtpTyped,
		micr_code: needsMicr
			? z.string('Enter the MICR code').trim().pipe(textLike(Micr, 'MICR code must be 9 numbers'))
			: z.undefined().optional(),
		file_type: hasProofType ? z.enum(ProofType.options, 'Select the type of proof') : z.undefined().optional(),
		idempotency_key: z.uuid(),
	})
}

const HIDDEN = ['otp']

function unfit(submission: Submission<unknown>, wrong: UploadProblem | undefined) {
	const fieldErrors = wrong ? { [wrong.field]: [wrong.message] } : undefined
	return data({ result: submission.reply({ fieldErrors, hideFields: HIDDEN }) }, { status: 400 })
}

function limited(submission: Submission<unknown>, wait: number) {
	const minutes = Math.ceil(wait / 60)
	const message = `Too many incorrect OTPs. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`
	const headers = { 'retry-after': String(wait) }
	return data({ result: submission.reply({ formErrors: [message], hideFields: HIDDEN }) }, { status: 429, headers })
}

async function resend(step: Step, submission: Submission<unknown>, to: string) {
	if (step.resendAt > Date.now()) {
		const message = `You can ask for a new OTP at ${timeOfDay(new Date(step.resendAt))}.`
		const headers = { 'retry-after': String(Math.ceil((step.resendAt - Date.now()) / 1000)) }
		return data({ result: submission.reply({ formErrors: [message] }) }, { status: 429, headers })
	}
	try {
		const headers = await step.resend()
		headers.append('set-cookie', await flashCookie({ kind: 'success', message: 'OTP sent again.' }))
		return redirect(to, { status: 303, headers })
	} catch (error) {
		return await unanswered(submission, error)
	}
}

function isWrongCode(error: unknown): boolean {
	return error instanceof BrokerRefusal && (error.envelope.data?.attempts_left !== undefined || isOver(error))
}

/** The request at the broker is dead for good: no code opens it, however often one is typed. */
function isOver(error: BrokerRefusal): boolean {
	return error.status === 429 && error.envelope.data?.retry_after === undefined
}

/** The same step again, with why; or its end, when no code opens it any more. */
async function notDone(step: Step, submission: Submission<unknown>, thrown: unknown, key: string, leave: Headers) {
	const error = await asRefusal(thrown)
	const failure = await readFailure(error)
	const reply = (errors: { fieldErrors?: Record<string, string[]>; formErrors?: string[] }) =>
		submission.reply({ ...errors, hideFields: HIDDEN })
	if (failure && !failure.isMaintenance)
		return data({ result: reply({ formErrors: [mayBeDone(failure)] }), key }, { status: failure.status })
	if (!(error instanceof BrokerRefusal)) throw error
	// A refusal is the end of its key: under the same one the right code would be another request.
	const fresh = randomUUID()
	if (error.status === 410 || isOver(error)) {
		const message = error.status === 410 ? 'The OTP has expired. Start again.' : 'Too many incorrect attempts. Start again.'
		return data({ result: reply({ formErrors: [message] }), isOver: true }, { status: error.status === 410 ? 422 : 429, headers: leave })
	}
	if (error.message === INVALID_MICR) {
		const headers = await step.keep({ needsMicr: true })
		return data({ result: reply({ fieldErrors: { micr_code: [INVALID_MICR] } }), needsMicr: true, key: fresh }, { status: 422, headers })
	}
	const left = error.envelope.data?.attempts_left
	if (left !== undefined) {
		const message = `The OTP is incorrect. You have ${left} ${left === 1 ? 'attempt' : 'attempts'} left.`
		const headers = await step.keep({ attemptsLeft: left })
		return data({ result: reply({ fieldErrors: { otp: [message] } }), key: fresh }, { status: 422, headers })
	}
	// A field of the first step is not on this page: what is wrong with it is said all the same.
	const fields = error.envelope.data?.fields ?? []
	const isShown =
		fields.length > 0 && fields.every(({ name }) => ['otp', 'file_type', ...step.proofs.map((proof) => proof.name)].includes(name))
	const result = isShown ? refusal(submission, error) : reply({ formErrors: [error.message] })
	return data({ result, key: fresh }, refusedInit(error))
}

function withCookies(response: Response, cookies: Headers): Response {
	for (const cookie of cookies.getSetCookie()) response.headers.append('set-cookie', cookie)
	return response
}

export default function OtpStep() {
	const { title, what, path, lines, form, key } = useLoaderData<typeof loader>()
	const answered = useActionData<typeof action>()
	const said = answered && 'result' in answered ? answered : undefined
	if (said && 'isOver' in said) {
		return (
			<>
				<PageTitle title={title} note={what} />
				<ErrorSummary form={{ errors: said.result.error?.[''] ?? undefined }} />
				<p>
					<a href={path} className="btn btn-primary">
						Start again
					</a>
				</p>
			</>
		)
	}
	return (
		<>
			<PageTitle title={title} note={`${what} · Step 2 of 2`} />
			<Answers answers={lines} />
			<OtpForm
				{...form}
				needsMicr={form.needsMicr || (said !== undefined && 'needsMicr' in said)}
				idempotencyKey={said && 'key' in said ? said.key : key}
				result={said?.result}
			/>
		</>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="OTP" />
}
