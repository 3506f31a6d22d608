import { type Submission, type SubmissionResult } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod/v4'
import { Token } from '#contract/common'
import { timeOfDay } from '#contract/values/dates'
import { BrokerRefusal, readFailure } from '~/broker/client.server'
import { requestPasswordReset, resendPasswordResetOtp, resetPassword, verifyPasswordResetOtp } from '~/broker/passwords.server'
import { PageProblem } from '~/components/page-problem'
import { PlainPage } from '~/components/plain-page'
import { asSentence, invalid, OtpTyped, readPublicForm, refused, UsernameTyped } from '~/forms/form.server'
import { clearPending, commitPending, newPending, readPending, resentPending } from '~/forms/pending-otp.server'
import { retryAfter } from '~/http/retry-after.server'
import { LONGEST, REQUIRED, TOO_LONG, UNEQUAL } from '~/lib/password-words'
import { audit } from '~/session/audit.server'
import { renewToken } from '~/session/csrf.server'
import { findClientByName } from '~/session/login-names.server'
import { askForResetCode, askWithOtp, forgiveClient, TooManyAttempts } from '~/session/rate-limits.server'
import { anonymousBroker, endSession, endSessionsOf } from '~/session/session.server'
import { flashCookie } from '~/session/toast.server'
import { ForgotPasswordForm } from './forgot-password-form'

export const handle = { title: 'Forgot password' }

export const headers = retryAfter

/** What waits between the steps: whose password, and after a right code the key that sets it. */
const Waiting = z.object({ username: z.string(), key: Token.optional() })

/** Nobody is signed in: the step belongs to the browser that holds it. */
const VISITOR = 'visitor'

/** The broker does not say it of these codes; domain rules of every code. In seconds. */
const TIMES = { message: '', expires_in: 600, resend_in: 30 }

const Identity = z.object({ username: UsernameTyped })
const Code = z.object({ otp: OtpTyped })
const Passwords = z
	.object({
		new_password: z.string(REQUIRED.new_password).max(LONGEST, TOO_LONG),
		confirm_password: z.string(REQUIRED.confirm_password).max(LONGEST, TOO_LONG),
	})
	.refine(({ new_password, confirm_password }) => new_password === confirm_password, UNEQUAL)

export async function loader({ request }: LoaderFunctionArgs) {
	const step = await readPending(request, 'password', VISITOR, Waiting)
	if (!step) return { step: 1 as const }
	if (step.value.key) return { step: 3 as const, id: step.id, until: clockOf(step.expiresAt) }
	const mayResendAt = step.resendAt > Date.now() ? timeOfDay(new Date(step.resendAt)) : undefined
	return { step: 2 as const, id: step.id, until: clockOf(step.expiresAt), mayResendAt }
}

const clockOf = (at: number) => `${timeOfDay(new Date(at)).slice(0, 5)} IST`

/** Three steps at one address. What each says and how long it takes is the same whether or not there is such a client. */
export async function action({ request, context }: ActionFunctionArgs) {
	const form = await readPublicForm(request)
	const intent = form.get('intent')
	if (intent === 'send_otp') return sendCode(request, form, context.address)
	const step = await readPending(request, 'password', VISITOR, Waiting)
	if (intent === 'start_again') return redirect('/forgot-password', { status: 303, headers: clearPending('password') })
	// Too late, out of order, or a form of a step that another tab has left behind: what there is to do now is shown.
	if (!step || form.get('step') !== step.id || (intent === 'reset') !== Boolean(step.value.key))
		return redirect('/forgot-password', {
			status: 303,
			headers: { 'set-cookie': await flashCookie({ kind: 'info', message: 'That step is over. Go on here.' }) },
		})
	if (intent === 'resend_otp') return resendCode(request, form, context.address, step)
	return intent === 'reset' ? setPassword(request, form, step) : checkCode(request, form, step)
}

type Step = NonNullable<Awaited<ReturnType<typeof readPending<typeof Waiting>>>>

async function sendCode(request: Request, form: FormData, address: string) {
	const submission = parseWithZod(form, { schema: Identity })
	if (submission.status !== 'success') return invalid(submission)
	const { username } = submission.value
	try {
		const sent = await askForResetCode(username, address, () => requestPasswordReset(anonymousBroker(request), username))
		audit('otp_sent', request, username, { of: 'password' })
		return await onward(commitPending(newPending('password', VISITOR, { username }, { ...TIMES, ...sent })))
	} catch (error) {
		return failed(submission, error)
	}
}

async function resendCode(request: Request, form: FormData, address: string, step: Step) {
	const submission = parseWithZod(form, { schema: z.object({}) })
	try {
		const ask = () => resendPasswordResetOtp(anonymousBroker(request), step.requestId ?? '')
		const sent = await askForResetCode(step.value.username, address, ask)
		const headers = await commitPending(resentPending(step, { ...TIMES, ...sent }))
		headers.append('set-cookie', await flashCookie({ kind: 'success', message: 'OTP sent again, if the client code exists.' }))
		return await onward(headers)
	} catch (error) {
		return isOver(error) ? startOver(error.message, error.status) : failed(submission, error)
	}
}

async function checkCode(request: Request, form: FormData, step: Step) {
	const submission = parseWithZod(form, { schema: Code })
	if (submission.status !== 'success') return invalid(submission)
	const guesses = `forgotten ${await findClientByName(step.value.username)}`
	try {
		const ask = () => verifyPasswordResetOtp(anonymousBroker(request), step.requestId ?? '', submission.value.otp)
		const { pwdResetToken: key } = await askWithOtp(guesses, [step.requestId ?? '', submission.value.otp], ask, isWrongCode)
		const next = newPending('password', VISITOR, { username: step.value.username, key }, TIMES)
		return await onward(commitPending(next))
	} catch (error) {
		if (error instanceof TooManyAttempts) {
			audit('otp_limited', request, step.value.username, { of: 'password' })
			return limited(error.wait)
		}
		audit('otp_refused', request, step.value.username, { of: 'password' })
		if (isOver(error)) return startOver(error.message, error.status)
		const left = error instanceof BrokerRefusal ? error.envelope.data?.attempts_left : undefined
		if (left === undefined) return failed(submission, error)
		const message = `The OTP is incorrect. You have ${left} ${left === 1 ? 'attempt' : 'attempts'} left.`
		return data({ result: submission.reply({ fieldErrors: { otp: [message] }, hideFields: ['otp'] }) }, { status: 422 })
	}
}

/** An answer that got lost may have been a yes: then the key is used up, and so are the sessions. */
const PERHAPS = 'Your password may have been changed all the same. Try to log in with the new one; if that fails, try again here.'
const USED = 'If the new password lets you log in, it was set already; if not, start again.'

async function setPassword(request: Request, form: FormData, step: Step) {
	const submission = parseWithZod(form, { schema: Passwords })
	if (submission.status !== 'success') return invalid(submission)
	const { username, key = '' } = step.value
	try {
		await resetPassword(anonymousBroker(request), key, submission.value.new_password)
	} catch (error) {
		if (error instanceof BrokerRefusal && (error.status === 401 || error.status === 410))
			return startOver(`${error.message.replace(/\.$/, '')}. ${USED}`, 422)
		if (!(error instanceof Response) || error.status < 500) return failed(submission, error)
		audit('password_reset_unknown', request, username)
		await endSessionsOf(username)
		const failure = await readFailure(error)
		const said = failure?.answered ? asSentence(failure.message) : 'The broker did not answer.'
		return data({ result: submission.reply({ formErrors: [`${said} ${PERHAPS}`], hideFields: SECRET }) }, { status: error.status })
	}
	audit('password_reset', request, username)
	await Promise.all([endSessionsOf(username), forgiveClient(username)])
	const headers = clearPending('password', await endSession(request))
	headers.append('set-cookie', await renewToken())
	headers.append('set-cookie', await flashCookie({ kind: 'success', message: 'Your password has been reset. Log in.' }))
	return redirect('/login', { status: 303, headers })
}

async function onward(headers: Headers | Promise<Headers>) {
	return redirect('/forgot-password', { status: 303, headers: await headers })
}

/** What is too old is refused whatever the code was. */
function isWrongCode(error: unknown): boolean {
	return error instanceof BrokerRefusal && error.status !== 410
}

/** The request at the broker is dead: no code opens it, however often one is typed. */
function isOver(error: unknown): error is BrokerRefusal {
	return error instanceof BrokerRefusal && (error.status === 410 || (error.status === 429 && !error.envelope.data?.retry_after))
}

/** The first step again, with why. */
function startOver(message: string, status: number) {
	const words = /start again/i.test(message) ? message : `${message}. Start again.`
	const result: SubmissionResult<string[]> = { status: 'error', error: { '': [words] } }
	return data({ result, step: 1 as const }, { status: status === 410 ? 422 : status, headers: clearPending('password') })
}

function limited(wait: number) {
	const minutes = Math.ceil(wait / 60)
	const message = `Too many attempts. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`
	const result: SubmissionResult<string[]> = { status: 'error', error: { '': [message] } }
	return data({ result }, { status: 429, headers: { 'retry-after': String(wait) } })
}

/** The same step again: what the broker says, that it cannot be reached, or that it may not be asked yet. */
async function failed<Value>(submission: Submission<Value>, error: unknown) {
	if (error instanceof TooManyAttempts) return limited(error.wait)
	const failure = await readFailure(error)
	if (failure && failure.status >= 500) {
		const said = failure.answered ? asSentence(failure.message) : 'This is not available right now.'
		const formErrors = [`${said} Try again in a few minutes.`]
		return data({ result: submission.reply({ formErrors, hideFields: SECRET }) }, { status: failure.status })
	}
	return await refused(submission, error)
}

const SECRET = ['otp', 'new_password', 'confirm_password']

export default function ForgotPassword() {
	const given = useLoaderData<typeof loader>()
	const answered = useActionData<typeof action>()
	const step = answered && 'step' in answered ? { step: 1 as const } : given
	return (
		<PlainPage title="Forgot password">
			<ForgotPasswordForm key={step.step} {...step} answered={answered?.result} />
		</PlainPage>
	)
}

export function ErrorBoundary() {
	return <PageProblem />
}
