import { randomUUID } from 'node:crypto'
import { type Submission, type SubmissionResult } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { data, redirect } from '@remix-run/node'
import { z } from 'zod/v4'
import { timeOfDay } from '#contract/values/dates'
import { formatTime } from '#contract/values/moments'
import { BrokerRefusal, readFailure } from '~/broker/client.server'
import { toBrokersTime } from '~/broker/clock.server'
import { showMasked } from '~/lib/masks'
import { audit } from '~/session/audit.server'
import { askWithOtp, findOtpWait, TooManyAttempts } from '~/session/rate-limits.server'
import { createDraft } from '~/session/drafts.server'
import { redirectWithToast, type Toast } from '~/session/toast.server'
import { UploadProblem } from './file-type.server'
import { formatSentence, toRefusal, invalid, limited, describeUncertainResult, refusal, createRefusalInit, replyWith } from './form.server'
import { clearPending, type Pending, type PendingKind } from './pending-otp.server'
import { type Uploads } from './uploads.server'

/* The OTP step of a journey: a change of the account, a stock verification, a forgotten password. */

export type OtpReply = {
	result?: SubmissionResult<string[]>
	/** The new key for a form shown again whose posted key must not be reused. */
	key?: string
	/** No code can complete the request any more: the journey starts again. */
	isOver?: true
	/** The broker also needs the MICR code. */
	needsMicr?: true
	/** The PDF that the broker sent, when it is kept nowhere else than in this reply. */
	file?: { name: string; base64: string }
}

/**
 * The addresses of a journey, and its message for a form that is out of date. `doneBy`: the client for whom a finished step is
 * remembered.
 */
export type OtpJourney = { kind: PendingKind; start: string; here: string; outOfDate: Toast; doneBy?: string }

/** The last step that a client finished in this browser, and the page it led to. After the back button its form may be posted again. */
const finished = createDraft('otp-done', 'pending', z.object({ step: z.string(), to: z.string() }))
const FINISHED_MS = 3_600_000
const FINISHED: Toast = { kind: 'info', message: 'This OTP was accepted already. Nothing was done twice.' }

type Typed = { otp: string }
type Sent = Submission<unknown>
type Reply = ReturnType<typeof data<OtpReply>>

/** How the broker ended a request for good: the message for the client, and the status of the page. */
export type Ending = { message: string; status: number }

/** The functions of one journey at its OTP step, with its own handling of refusals. */
export type OtpStep<Value extends Typed, Answer> = OtpJourney & {
	/** A client code, or the name that a visitor typed. */
	client: string
	/** The name under which wrong codes are counted; `client` by default. */
	guesser?: string
	Value: z.ZodType<Value>
	/** Identifies this post, together with its code. */
	post(value: Value): string
	verify(value: Value): Promise<Answer>
	/** Called after a correct code. */
	leave(answer: Answer): Promise<Response | Reply>
	/** Sends another code; the headers keep the step. */
	resend(): Promise<Headers>
	/** The toast after another code was sent. */
	sentAgain?: string
	/** Milliseconds since 1970. Before it the broker is not asked for another code. */
	resendAt?: number
	/** The attempts that were too many, for the message at the limit; `incorrect OTPs` by default. */
	tooMany?: string
	/** Whether a failure counts as a wrong code. */
	isWrongCode(error: unknown): boolean
	/** By default an expired request and too many attempts. */
	findEnding?(error: unknown): Promise<Ending | undefined>
	/** Headers that keep the number of wrong codes still allowed. */
	keep(known: { attemptsLeft: number }): Promise<Headers>
	/** The reply to a failure that this journey handles itself; a 404 comes as a refusal. */
	answerFailure?(submission: Sent, error: unknown): Promise<Reply | undefined>
	answerFailedResend(submission: Sent, error: unknown): Promise<Reply>
}

/** The facts about the code that the page of a step shows. Times are on the broker's clock, as in the message with the code. */
export function describeStep({ id, message, expiresAt, isEndKnown, resendAt, attemptsLeft }: Omit<Pending, 'value' | 'kind' | 'client'>) {
	return {
		step: id,
		sentTo: showMasked(message.replace(/\.$/, '')) || 'OTP sent',
		until: isEndKnown ? `${formatTime(toBrokersTime(expiresAt))} IST` : undefined,
		resendAt: resendAt > Date.now() ? timeOfDay(toBrokersTime(resendAt)) : undefined,
		resendIn: Math.max(0, Math.ceil((resendAt - Date.now()) / 1000)),
		attemptsLeft,
	}
}

/**
 * The reply to a form that goes back to the start, came too late, is posted again after its step was finished, or belongs to a step that
 * another tab has left. Undefined for a form of the step `id`.
 */
export async function leaveOtp(request: Request, form: FormData, journey: OtpJourney, id: string | undefined) {
	const { kind, start, here, outOfDate, doneBy } = journey
	if (form.get('intent') === 'start_again') return redirect(start, { status: 303, headers: clearPending(kind) })
	const step = form.get('step')
	if (id !== undefined && step === id) return undefined
	const done = doneBy === undefined ? undefined : await finished.read(request, doneBy)
	if (done?.step === step) return await redirectWithToast(done.to, FINISHED)
	return await redirectWithToast(id === undefined ? start : here, outOfDate)
}

/** Sends another code or checks the typed one, by the form's `intent`. Call `leaveOtp` first. */
export async function answerOtp<Value extends Typed, Answer>(
	request: Request,
	form: FormData,
	step: OtpStep<Value, Answer>,
	uploads?: Uploads,
): Promise<Response | Reply> {
	if (form.get('intent') === 'resend_otp') return resendCode(request, form, step)
	const submission = parseWithZod(form, { schema: step.Value })
	if (submission.status !== 'success' || uploads?.problem) return invalid(submission, uploads?.problem)
	const { otp } = submission.value
	let isVerified = false
	try {
		const ask = () => step.verify(submission.value)
		const answer = await askWithOtp(step.guesser ?? step.client, [step.post(submission.value), otp], ask, step.isWrongCode)
		isVerified = true
		audit('otp_verified', request, step.client, { of: step.kind })
		return await finish(form, step, await step.leave(answer))
	} catch (error) {
		if (error instanceof UploadProblem) return invalid(submission, error)
		if (error instanceof TooManyAttempts) {
			audit('otp_limited', request, step.client, { of: step.kind })
			return limited(submission, error, step.tooMany ?? 'incorrect OTPs')
		}
		const event = isVerified ? undefined : await nameFailure(error)
		if (event) audit(event, request, step.client, { of: step.kind })
		return (await readEnding(submission, error, step)) ?? (await answerFailure(submission, error, step))
	}
}

/** The audit event of a failure: the broker refused the code, or may have accepted it. None for a session that has ended. */
async function nameFailure(error: unknown): Promise<'otp_refused' | 'otp_unknown' | undefined> {
	if ((await toRefusal(error)) instanceof BrokerRefusal) return 'otp_refused'
	return ((await readFailure(error))?.status ?? 0) >= 500 ? 'otp_unknown' : undefined
}

/** The same reply, which also keeps the step as finished. */
async function finish(form: FormData, { doneBy, start }: OtpJourney, reply: Response | Reply) {
	if (doneBy === undefined) return reply
	const to = (reply instanceof Response && reply.headers.get('location')) || start
	const headers = reply instanceof Response ? reply.headers : new Headers(reply.init?.headers)
	await finished.keep(doneBy, { step: String(form.get('step')), to }, Date.now() + FINISHED_MS, headers)
	return reply instanceof Response ? reply : data(reply.data, { ...reply.init, headers })
}

async function resendCode<Value extends Typed, Answer>(request: Request, form: FormData, step: OtpStep<Value, Answer>) {
	const submission = parseWithZod(form, { schema: z.object({}) })
	const wait = (step.resendAt ?? 0) - Date.now()
	if (wait > 0) {
		const message = `You can ask for a new OTP at ${timeOfDay(toBrokersTime(Date.now() + wait))}.`
		const headers = { 'retry-after': String(Math.ceil(wait / 1000)) }
		return data<OtpReply>({ result: replyWith(submission, { formErrors: [message] }) }, { status: 429, headers })
	}
	try {
		const headers = await step.resend()
		audit('otp_sent', request, step.client, { of: step.kind })
		return await redirectWithToast(step.here, { kind: 'success', message: step.sentAgain ?? 'OTP sent again.' }, { headers })
	} catch (error) {
		// After the last resend the earlier codes stay valid, so the step is kept.
		const ending = isDead(error) ? undefined : await readEnding(submission, error, step)
		return ending ?? (await step.answerFailedResend(submission, error))
	}
}

type Ended = Pick<OtpStep<Typed, unknown>, 'findEnding' | 'kind' | 'client' | 'guesser'>

/** The end of the journey: the page shows why, and its step is deleted. A 429 says how long a new code would be refused, if it would. */
async function readEnding(submission: Sent, error: unknown, step: Ended) {
	const ending = await (step.findEnding ?? findEnding)(error)
	if (!ending) return undefined
	const result = replyWith(submission, { formErrors: [ending.message] })
	const headers = clearPending(step.kind)
	const wait = ending.status === 429 ? await findOtpWait(step.guesser ?? step.client) : 0
	if (wait > 0) headers.set('retry-after', String(wait))
	return data<OtpReply>({ result, isOver: true }, { status: ending.status, headers })
}

/** Shows the same step with the reason. A refusal uses up its key: with the same key the correct code would count as another request. */
async function answerFailure<Value extends Typed, Answer>(submission: Sent, thrown: unknown, step: OtpStep<Value, Answer>): Promise<Reply> {
	const error = await toRefusal(thrown)
	const left = error instanceof BrokerRefusal ? error.envelope.data?.attempts_left : undefined
	if (error instanceof BrokerRefusal && left !== undefined) {
		const result = replyWith(submission, { fieldErrors: { otp: [describeWrongCode(error.message, left)] } })
		return data({ result, key: randomUUID() }, { status: 422, headers: await step.keep({ attemptsLeft: left }) })
	}
	const own = await step.answerFailure?.(submission, error)
	if (own) return own
	if (error instanceof BrokerRefusal) return data({ result: refusal(submission, error), key: randomUUID() }, createRefusalInit(error))
	const failure = await readFailure(error)
	if (!failure) throw error
	return data({ result: replyWith(submission, { formErrors: [describeUncertainResult(failure)] }) }, { status: failure.status })
}

/** A message that says no more than that the code is wrong. */
const SAYS_WRONG = /^(the )?((invalid|incorrect|wrong) (otp|code)|(otp|code) (is )?(invalid|incorrect|wrong|not valid))[.!]?$/i

/** The broker's message about a wrong code, with the attempts that are left unless it names them. */
function describeWrongCode(message: string, left: number): string {
	if (/\b(attempt|tr(y|ies))/i.test(message) && message.includes(String(left))) return formatSentence(message)
	const said = SAYS_WRONG.test(message) ? 'The OTP is incorrect.' : formatSentence(message)
	return `${said} You have ${left} ${left === 1 ? 'attempt' : 'attempts'} left.`
}

/** True for a 429 without a time to retry: no other code can complete the request, or none can be sent. */
export function isDead(error: unknown): error is BrokerRefusal {
	return error instanceof BrokerRefusal && error.status === 429 && error.envelope.data?.retry_after === undefined
}

async function findEnding(error: unknown): Promise<Ending | undefined> {
	const isExpired = error instanceof BrokerRefusal && error.status === 410
	return isExpired || isDead(error) ? { message: withStartAgain(error.message), status: isExpired ? 422 : 429 } : undefined
}

/** The broker's message for a request that is over, with what to do next. */
export const withStartAgain = (message: string) => (/start again/i.test(message) ? message : `${formatSentence(message)} Start again.`)

/** The statuses with which a broker refuses a code, a refusal inside a 200 included; the others are about the request. */
const OF_CODE = new Set([400, 403, 422])

/**
 * Whether a failure counts as a wrong code. A broker need not say how many attempts are left, so every refusal of the code counts, unless
 * it is about another field or about the time.
 */
export function isCounted(error: unknown): boolean {
	if (!(error instanceof BrokerRefusal)) return false
	const { attempts_left: left, retry_after: wait, fields = [] } = error.envelope.data ?? {}
	if (left !== undefined || (error.status === 429 && wait === undefined)) return true
	return OF_CODE.has(error.status) && wait === undefined && fields.every(({ name }) => /otp/i.test(name))
}
