import { randomUUID } from 'node:crypto'
import { type Submission } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod/v4'
import { timeOfDay } from '#contract/values/dates'
import { BrokerRefusal, readFailure } from '~/broker/client.server'
import { resendStockVerificationOtp, verifyStockVerificationOtp } from '~/broker/depository.server'
import { ErrorSummary } from '~/components/form'
import { OtpForm } from '~/components/otp-form'
import { PageDialog } from '~/components/page-dialog'
import { PageProblem } from '~/components/page-problem'
import { Answers } from '~/components/summary-list'
import { asSentence, mayBeDone, OtpTyped, readForm, refusal } from '~/forms/form.server'
import { clearPending, commitPending, type Pending, readPending, resentPending } from '~/forms/pending-otp.server'
import { retryAfter } from '~/http/retry-after.server'
import { audit } from '~/session/audit.server'
import { askWithOtp, TooManyAttempts } from '~/session/rate-limits.server'
import { requireBroker } from '~/session/session.server'
import { flashCookie, type Toast } from '~/session/toast.server'
import { PendingVerification, RESEND_WAIT_S } from './edis-form.server'

export const handle = { title: 'DP Process' }
export const headers = retryAfter

const BACK = '/dpprocess'
const HERE = '/dpprocess/otp'
const TITLE = 'Verify with the OTP'
const HIDDEN = ['otp']

const Typed = z.object({ otp: OtpTyped, idempotency_key: z.uuid() })

async function leave(to: string, toast: Toast, headers = new Headers()): Promise<Response> {
	headers.append('set-cookie', await flashCookie(toast))
	return redirect(to, { status: 303, headers })
}

export async function loader({ request }: LoaderFunctionArgs) {
	const { clientCode } = await requireBroker(request)
	const step = await readPending(request, 'edis', clientCode, PendingVerification)
	if (!step) throw redirect(BACK)
	const { lines, more } = step.value
	return {
		lines: [
			...lines.map(({ name, qty }) => ({ label: name, value: String(qty) })),
			...(more > 0 ? [{ label: 'And', value: `${more} more` }] : []),
		],
		form: {
			step: step.id,
			sentTo: step.message.replace(/\.$/, ''),
			until: `${timeOfDay(new Date(step.expiresAt)).slice(0, 5)} IST`,
			resendAt: step.resendAt > Date.now() ? timeOfDay(new Date(step.resendAt)) : undefined,
			attemptsLeft: step.attemptsLeft,
		},
		key: randomUUID(),
	}
}

export async function action({ request }: ActionFunctionArgs) {
	const broker = await requireBroker(request)
	const form = await readForm(request)
	const step = await readPending(request, 'edis', broker.clientCode, PendingVerification)
	const intent = form.get('intent')
	if (intent === 'start_again') return redirect(BACK, { status: 303, headers: clearPending('edis') })
	// Too late, or a form of a step that another tab has left behind.
	if (!step?.requestId || form.get('step') !== step.id)
		return await leave(step ? HERE : BACK, { kind: 'warning', message: 'This OTP request is no longer valid. Nothing was verified by it.' })
	const { requestId } = step

	if (intent === 'resend_otp') {
		const submission = parseWithZod(form, { schema: z.object({}) })
		try {
			const message = await resendStockVerificationOtp(broker, requestId)
			audit('otp_sent', request, broker.clientCode, { of: 'edis' })
			const headers = await commitPending(resentPending(step, { message, expires_in: step.value.expiresIn, resend_in: RESEND_WAIT_S }))
			return await leave(HERE, { kind: 'success', message: 'OTP sent again.' }, headers)
		} catch (error) {
			return notDone(submission, error, step)
		}
	}

	const submission = parseWithZod(form, { schema: Typed })
	if (submission.status !== 'success') return data({ key: randomUUID(), result: submission.reply({ hideFields: HIDDEN }) }, { status: 400 })
	const { otp, idempotency_key: key } = submission.value
	try {
		const ask = () => verifyStockVerificationOtp(broker, requestId, otp, key)
		const results = await askWithOtp(broker.clientCode, [key, otp], ask, isWrongCode)
		audit('otp_verified', request, broker.clientCode, { of: 'edis' })
		return await leave(BACK, outcomeOf(results), clearPending('edis'))
	} catch (error) {
		if (error instanceof TooManyAttempts) {
			audit('otp_limited', request, broker.clientCode, { of: 'edis' })
			const minutes = Math.ceil(error.wait / 60)
			const formErrors = [`Too many incorrect OTPs. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`]
			const result = submission.reply({ formErrors, hideFields: HIDDEN })
			return data({ key: randomUUID(), result }, { status: 429, headers: { 'retry-after': String(error.wait) } })
		}
		audit('otp_refused', request, broker.clientCode, { of: 'edis' })
		return await notDone(submission, error, step, key)
	}
}

function outcomeOf(results: { status: string }[]): Toast {
	const failed = results.filter(({ status }) => status !== 'SUCCESS').length
	if (failed === 0) return { kind: 'success', message: 'Stocks verified successfully' }
	const message = `${failed} of ${results.length} could not be verified: those units are not free any more. See what is verified below.`
	return { kind: 'warning', message }
}

function isWrongCode(error: unknown): boolean {
	return error instanceof BrokerRefusal && (error.envelope.data?.attempts_left !== undefined || isOver(error))
}

/** The request at the broker is dead for good: no code opens it. */
function isOver(error: BrokerRefusal): boolean {
	return error.status === 410 || error.status === 404 || (error.status === 429 && error.envelope.data?.retry_after === undefined)
}

/**
 * The same step again, with why; or its end. The key stays when an answer got lost; after a refusal another code is another question, and
 * the broker would refuse it under the key of the first. A script does not load the page anew, so the answer says the key.
 */
async function notDone(submission: Submission<unknown>, error: unknown, step: Pending, key?: string) {
	const reply = (errors: { fieldErrors?: Record<string, string[]>; formErrors?: string[] }) =>
		submission.reply({ ...errors, hideFields: HIDDEN })
	const failure = await readFailure(error)
	if (failure?.isMaintenance) throw error
	if (failure?.status === 404)
		return over(
			reply,
			422,
			`${failure.isAnswer ? asSentence(failure.message) : 'The broker does not know this request any more.'} Start again.`,
		)
	if (failure) {
		const said = failure.answered ? asSentence(failure.message) : 'The broker did not answer.'
		const message = key ? mayBeDone(failure) : `${said} Another OTP may be on its way.`
		return data({ result: reply({ formErrors: [message] }), key: key ?? randomUUID() }, { status: failure.status })
	}
	if (!(error instanceof BrokerRefusal)) throw error
	if (isOver(error)) {
		if (error.status === 429) return over(reply, 429, 'Too many incorrect attempts. Start again.')
		return over(reply, 422, 'The OTP has expired or was used already. See what is verified, or start again.')
	}
	const left = error.envelope.data?.attempts_left
	if (left !== undefined) {
		const message = `The OTP is incorrect. You have ${left} ${left === 1 ? 'attempt' : 'attempts'} left.`
		const headers = await commitPending({ ...step, attemptsLeft: left })
		return data({ result: reply({ fieldErrors: { otp: [message] } }), key: randomUUID() }, { status: 422, headers })
	}
	if (error.status !== 429) return data({ result: refusal(submission, error), key: randomUUID() }, { status: 422 })
	const wait = error.envelope.data?.retry_after ?? 60
	const headers = await commitPending({ ...step, resendAt: Date.now() + wait * 1000 })
	headers.set('retry-after', String(wait))
	return data({ result: refusal(submission, error), key: randomUUID() }, { status: 429, headers })
}

function over(reply: (errors: { formErrors: string[] }) => ReturnType<Submission<unknown>['reply']>, status: number, message: string) {
	return data({ result: reply({ formErrors: [message] }), isOver: true }, { status, headers: clearPending('edis') })
}

export default function OtpDialog() {
	const { lines, form, key } = useLoaderData<typeof loader>()
	const said = useActionData<typeof action>()
	if (said && 'isOver' in said)
		return (
			<PageDialog title={TITLE} from={BACK}>
				<ErrorSummary form={{ errors: said.result.error?.[''] ?? undefined }} />
				<p>
					<a href={BACK} className="btn btn-primary">
						Start again
					</a>
				</p>
			</PageDialog>
		)
	return (
		<PageDialog title={TITLE} from={BACK}>
			<Answers answers={lines} />
			<OtpForm
				{...form}
				needsMicr={false}
				proofTypes={[]}
				proofs={[]}
				idempotencyKey={said && 'key' in said ? said.key : key}
				result={said?.result}
			/>
		</PageDialog>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="DP Process" />
}
