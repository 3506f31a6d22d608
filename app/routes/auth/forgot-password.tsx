import { type Submission } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod/v4'
import { Token } from '#contract/common'
import { BrokerRefusal, type Failure, readFailure } from '~/broker/client.server'
import { requestPasswordReset, resendPasswordResetOtp, resetPassword, verifyPasswordResetOtp } from '~/broker/passwords.server'
import { PageProblem } from '~/components/page-problem'
import { PlainPage } from '~/components/plain-page'
import { formatSentence, quoteBroker, invalid, limited, readPublicForm, refused, replyWith } from '~/forms/form.server'
import { answerOtp, describeStep, leaveOtp, type OtpJourney, withStartAgain } from '~/forms/otp-step.server'
import { clearPending, commitPending, createPendingOtp, readPending, renewPendingOtp } from '~/forms/pending-otp.server'
import { isTypedTwice, NEW_PASSWORD, OtpTyped, UsernameTyped } from '~/forms/typed-fields.server'
import { readVisitor } from '~/http/request-id.server'
import { UNEQUAL } from '~/lib/password-words'
import { audit } from '~/session/audit.server'
import { renewToken } from '~/session/csrf.server'
import { findClientByName } from '~/session/login-names.server'
import { askForResetCode, forgiveClient, TooManyAttempts } from '~/session/rate-limits.server'
import { endClientSessions } from '~/session/ended-sessions.server'
import { connectAnonymousBroker, endSession } from '~/session/session.server'
import { redirectWithToast } from '~/session/toast.server'
import { ForgotPasswordForm } from './forgot-password-form'

export const handle = { title: 'Forgot password' }

const HERE = '/forgot-password'
const JOURNEY: OtpJourney = {
	kind: 'password',
	start: HERE,
	here: HERE,
	outOfDate: { kind: 'info', message: 'That step has expired. Continue here.' },
}

/** Kept between the steps: the client, and after a correct code the key that sets the password. */
const Waiting = z.object({ username: z.string(), key: Token.optional() })

/** No client is logged in here: the step belongs to the browser that holds its cookie. */
const VISITOR = 'visitor'

/** In seconds. The broker does not state these times for a reset code, so the domain rules for every code apply. */
const TIMES = { message: '', expires_in: 600, resend_in: 30 }

const Identity = z.object({ username: UsernameTyped })
const Code = z.object({ otp: OtpTyped })
const Passwords = z.object(NEW_PASSWORD).refine(isTypedTwice, UNEQUAL)

export async function loader({ request }: LoaderFunctionArgs) {
	const step = await readPending(request, 'password', VISITOR, Waiting)
	if (!step) return { step: 1 as const }
	return { step: step.value.key ? (3 as const) : (2 as const), form: describeStep(step) }
}

/** Three steps at one address. The text and the time of each reply are the same whether or not the client exists. */
export async function action({ request }: ActionFunctionArgs) {
	const form = await readPublicForm(request)
	const intent = form.get('intent')
	if (intent === 'send_otp') return sendCode(request, form)
	const step = await readPending(request, 'password', VISITOR, Waiting)
	const isInOrder = (intent === 'reset') === Boolean(step?.value.key)
	const left = await leaveOtp(request, form, JOURNEY, isInOrder ? step?.id : undefined)
	if (left || !step) return left ?? redirect(HERE, 303)
	return intent === 'reset' ? setPassword(request, form, step) : checkCode(request, form, step)
}

type Step = NonNullable<Awaited<ReturnType<typeof readPending<typeof Waiting>>>>

async function sendCode(request: Request, form: FormData) {
	const submission = parseWithZod(form, { schema: Identity })
	if (submission.status !== 'success') return invalid(submission)
	const { username } = submission.value
	try {
		const sent = await askForResetCode(username, readVisitor(request), () =>
			requestPasswordReset(connectAnonymousBroker(request), username),
		)
		audit('otp_sent', request, username, { of: 'password' })
		return await onward(commitPending(createPendingOtp('password', VISITOR, { username }, { ...TIMES, ...sent })))
	} catch (error) {
		return failed(submission, error)
	}
}

async function checkCode(request: Request, form: FormData, step: Step) {
	const { requestId = '', value } = step
	const broker = connectAnonymousBroker(request)
	return await answerOtp(request, form, {
		...JOURNEY,
		client: value.username,
		guesser: `forgotten ${await findClientByName(value.username)}`,
		Value: Code,
		post: () => requestId,
		verify: ({ otp }) => verifyPasswordResetOtp(broker, requestId, otp),
		leave: ({ pwdResetToken: key }) =>
			onward(commitPending(createPendingOtp('password', VISITOR, { username: value.username, key }, TIMES))),
		async resend() {
			const sent = await askForResetCode(value.username, readVisitor(request), () => resendPasswordResetOtp(broker, requestId))
			return await commitPending(renewPendingOtp(step, { ...TIMES, ...sent }))
		},
		sentAgain: 'OTP sent again, if the client code exists.',
		tooMany: 'attempts',
		isWrongCode,
		keep: async () => new Headers(),
		answerFailure: failedCheck,
		answerFailedResend: failed,
	})
}

/** The reset may have succeeded when its reply was lost. Then the key is used and the sessions have ended. */
const PERHAPS = 'Your password may have been changed all the same. Try to log in with the new one; if that fails, try again here.'
const USED = 'If the new password lets you log in, it was set already; if not, start again.'

async function setPassword(request: Request, form: FormData, step: Step) {
	const submission = parseWithZod(form, { schema: Passwords })
	if (submission.status !== 'success') return invalid(submission)
	const { username, key = '' } = step.value
	try {
		await resetPassword(connectAnonymousBroker(request), key, submission.value.new_password)
	} catch (error) {
		if (error instanceof BrokerRefusal && (error.status === 401 || error.status === 410))
			return startOver(submission, `${error.message.replace(/\.$/, '')}. ${USED}`)
		const failure = await readFailure(error)
		if (!failure || failure.status < 500 || isFinal(failure)) return failed(submission, error)
		audit('password_reset_unknown', request, username)
		await endClientSessions(username)
		return data({ result: replyWith(submission, { formErrors: [`${quoteBroker(failure)} ${PERHAPS}`] }) }, { status: failure.status })
	}
	audit('password_reset', request, username)
	await Promise.all([endClientSessions(username), forgiveClient(username)])
	const headers = clearPending('password', await endSession(request))
	headers.append('set-cookie', await renewToken())
	return await redirectWithToast('/login', { kind: 'success', message: 'Your password has been reset. Log in.' }, { headers })
}

/** True when the password is certainly not set: the broker got nothing, said so, or refused the call without a message. */
function isFinal({ isUnsent, isAnswer, answered = 0 }: Failure): boolean {
	return isUnsent === true || isAnswer === true || (answered >= 400 && answered < 500)
}

/** A code whose reply was lost may have been used, and is then refused as expired. */
async function failedCheck(submission: Submission<unknown>, error: unknown) {
	const failure = await readFailure(error)
	if (!failure || failure.status < 500 || isFinal(failure)) return await failed(submission, error)
	const formErrors = [
		`${quoteBroker(failure)} The OTP may have been accepted all the same. Try it again; if it is refused now, start again.`,
	]
	return data({ result: replyWith(submission, { formErrors }) }, { status: failure.status })
}

async function onward(headers: Headers | Promise<Headers>) {
	return redirect(HERE, { status: 303, headers: await headers })
}

/** An expired request is refused whatever the code is, so it does not count as a wrong code. */
function isWrongCode(error: unknown): boolean {
	return error instanceof BrokerRefusal && error.status !== 410
}

/** Shows the first step again, with the reason. */
function startOver(submission: Submission<unknown>, message: string) {
	const result = replyWith(submission, { formErrors: [withStartAgain(message)] })
	return data({ result, isOver: true as const }, { status: 422, headers: clearPending('password') })
}

/** Shows the same step again, with the reason: the message of the broker, no answer from the broker, or a limit that is reached. */
async function failed(submission: Submission<unknown>, error: unknown) {
	if (error instanceof TooManyAttempts) return limited(submission, error, 'attempts')
	const failure = await readFailure(error)
	if (failure && failure.status >= 500) {
		const said = failure.answered ? formatSentence(failure.message) : 'This is not available right now.'
		const formErrors = [`${said} Try again in a few minutes.`]
		return data({ result: replyWith(submission, { formErrors }) }, { status: failure.status })
	}
	return await refused(submission, error)
}

export default function ForgotPassword() {
	const given = useLoaderData<typeof loader>()
	const answered = useActionData<typeof action>()
	const at = answered && 'isOver' in answered && answered.isOver ? { step: 1 as const } : given
	return (
		<PlainPage title="Forgot password">
			<ForgotPasswordForm key={at.step} {...at} answered={answered?.result} />
		</PlainPage>
	)
}

export function ErrorBoundary() {
	return <PageProblem />
}
