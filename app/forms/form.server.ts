import { type Submission } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { data } from '@remix-run/node'
import { z } from 'zod/v4'
import { type Broker, BrokerRefusal, type Failure, readFailure } from '~/broker/client.server'
import { checkToken } from '~/session/csrf.server'
import { type TooManyAttempts } from '~/session/rate-limits.server'
import { requireBroker, requireKnownClient } from '~/session/session.server'
import { type UploadProblem } from './file-type.server'
import { throwBadForm, readFields } from './form-data.server'
import { checkFields, type FieldRules } from './form-fields.server'
import { isSecret, listTypedValues } from './typed-values.server'

/** The form as typed, with messages. Every reply to a form is made here, so that none sends a secret back. */
export function replyWith(submission: Submission<unknown>, messages?: { formErrors?: string[]; fieldErrors?: Record<string, string[]> }) {
	return submission.reply({ ...messages, hideFields: Object.keys(submission.payload).filter(isSecret) })
}

/** The fields of a POST to a private page (readForm), and the broker with the client's session. */
export async function openForm(request: Request): Promise<{ form: FormData; broker: Broker }> {
	const form = await readForm(request)
	return { form, broker: await requireBroker(request) }
}

/**
 * The fields of a POST to a private page; every such action reads them with this. A visitor without a session is redirected
 * to login and the body is not read. A form that the portal did not make for this browser is refused with 403, a form that no page of the
 * portal can send with 400. `rules` lists the fields beyond the usual ones.
 */
export async function readForm(request: Request, rules?: FieldRules): Promise<FormData> {
	await requireKnownClient(request)
	return await readPublicForm(request, rules)
}

/** The same for pages that need no session. */
export async function readPublicForm(request: Request, rules?: FieldRules): Promise<FormData> {
	const form = await readAllowedFields(request, rules)
	await checkToken(form, request)
	form.delete('csrf')
	return form
}

/**
 * The same for a post that does no harm. A page of an earlier session has an old token; the form counts when the browser itself says that
 * the page is ours.
 */
export async function readHarmlessForm(request: Request): Promise<FormData> {
	const form = await readAllowedFields(request)
	if (request.headers.get('sec-fetch-site') !== 'same-origin') await checkToken(form, request)
	return form
}

async function readAllowedFields(request: Request, rules?: FieldRules): Promise<FormData> {
	const form = await readFields(request)
	if (!checkFields(form, rules)) throwBadForm()
	return form
}

/** The same reply with more data for its page. */
export function extendReply<Data, More>({ data: shown, init }: ReturnType<typeof data<Data>>, more: More) {
	return data({ ...shown, ...more }, init ?? undefined)
}

/** A value or file is not valid: returns the form with its messages. */
export function invalid<Value>(submission: Submission<Value>, problem?: UploadProblem) {
	const fieldErrors = problem && Object.fromEntries([problem, ...problem.others].map(({ field, message }) => [field, [message]]))
	return data({ result: replyWith(submission, { fieldErrors }) }, { status: 400 })
}

/** The message when a limit is reached. `what` names the attempts, such as `incorrect OTPs`; `wait` is in seconds. */
export function sayTooMany(what: string, wait: number): string {
	const minutes = Math.ceil(wait / 60)
	return `Too many ${what}. Try again in ${minutes} ${minutes === 1 ? 'minute' : 'minutes'}.`
}

/** A limit is reached: returns the form with 429 and Retry-After. */
export function limited<Value>(submission: Submission<Value>, { wait }: TooManyAttempts, what: string) {
	const result = replyWith(submission, { formErrors: [sayTooMany(what, wait)] })
	return data({ result }, { status: 429, headers: { 'retry-after': String(wait) } })
}

/** A 404 to a post means that its target does not exist, or not for this client: a refusal. Every other error is returned unchanged. */
export async function toRefusal(error: unknown): Promise<unknown> {
	const failure = await readFailure(error)
	if (failure?.status !== 404) return error
	const message = failure.isAnswer ? failure.message : 'The broker did not find what this is about. Reload the page and check it.'
	return new BrokerRefusal(404, { status: 'error', message })
}

/** Status and headers of a refused form: 422, or 429 with Retry-After. */
export function createRefusalInit({ status, envelope }: BrokerRefusal): { status: number; headers?: Record<string, string> } {
	if (status !== 429) return { status: 422 }
	return { status: 429, headers: { 'retry-after': String(envelope.data?.retry_after ?? 60) } }
}

/** The broker refused: shows its message in the form. Throws any other error. */
export async function refused<Value>(submission: Submission<Value>, thrown: unknown) {
	const error = await toRefusal(thrown)
	if (!(error instanceof BrokerRefusal)) throw error
	return data({ result: refusal(submission, error) }, createRefusalInit(error))
}

/** A message that says no more than the messages of the fields below it. */
const SAYS_NOTHING = /^(the |your )?request is (invalid|not valid)\.?$/i

/**
 * Shows a refusal in the form. A message about a field that was posted stands at the field. A broker may name fields in its own words;
 * their messages stand above the form, below the message of the whole if that adds something.
 */
export function refusal<Value>(submission: Submission<Value>, error: BrokerRefusal) {
	const fieldErrors: Record<string, string[]> = {}
	const others: string[] = []
	for (const { name, message } of error.envelope.data?.fields ?? []) {
		if (isPosted(submission.payload, name)) (fieldErrors[nameField(name)] ??= []).push(message)
		else others.push(message)
	}
	const whole = others.length > 0 && SAYS_NOTHING.test(error.message) ? [] : [error.message]
	const formErrors = others.length > 0 || Object.keys(fieldErrors).length === 0 ? [...new Set([...whole, ...others])] : undefined
	return replyWith(submission, { formErrors, fieldErrors })
}

/** The broker writes `nominees.0.pan` for the field `nominees[0].pan` of a form. */
const nameField = (name: string) => name.replace(/\.(\d+)(?=\.|$)/g, '[$1]')

function isPosted(payload: unknown, name: string): boolean {
	let value = payload
	for (const part of name.split('.')) {
		if (typeof value !== 'object' || value === null || !Object.hasOwn(value, part)) return false
		value = (value as Record<string, unknown>)[part]
	}
	return true
}

/** With a full stop, so that another sentence can follow. */
export function formatSentence(message: string): string {
	return /[.!?…]$/.test(message) ? message : `${message}.`
}

/** What the broker said, or that it said nothing: a sentence, so that another one can follow. */
export const quoteBroker = ({ answered, message }: Failure) => (answered ? formatSentence(message) : 'The broker did not answer.')

/** Like `refused`, and also shows the form when the broker did not answer, so that the client does not have to type everything again. */
export async function unanswered<Value>(submission: Submission<Value>, error: unknown) {
	const failure = await readFailure(error)
	if (!failure || failure.status < 500) return refused(submission, error)
	const formErrors = [`${formatSentence(failure.message)} Nothing was changed. Try again in a few minutes.`]
	return data({ result: replyWith(submission, { formErrors }) }, { status: failure.status })
}

/** The message of an idempotent form after a lost reply, or when it is unknown whether the work was done. */
export function describeUncertainResult(failure: Failure | undefined): string {
	if (!failure?.answered) return 'The broker did not answer, so this may already have been done. Trying again cannot do it twice.'
	return `${formatSentence(failure.message)} The request may already have been recorded; check your requests and history before trying again. Trying again cannot do it twice.`
}

/**
 * Looks up what a POST needs before it sends anything. When that fails, the action returns `failed`: the form as typed, with the reason
 * and the sentence that nothing was sent. `failed.kept` has the typed values, for a page that cannot draw its form without the same call.
 * Throws the redirect after a 401.
 */
export async function lookUp<Data>(form: FormData, asked: Promise<Data>) {
	try {
		return { found: await asked }
	} catch (thrown) {
		const error = await toRefusal(thrown)
		const failure = await readFailure(error)
		if (!(error instanceof BrokerRefusal) && !failure) throw error
		const said = error instanceof BrokerRefusal ? error.message : (failure?.message ?? '')
		// The broker refuses for a lasting reason, unless it was called too often.
		const willPass = !(error instanceof BrokerRefusal) || error.status === 429
		const formErrors = [`${formatSentence(said)} Nothing was sent.${willPass ? ' Try again in a few minutes.' : ''}`]
		const result = replyWith(parseWithZod(form, { schema: z.object({}) }), { formErrors })
		const init = error instanceof BrokerRefusal ? createRefusalInit(error) : { status: failure?.status ?? 502 }
		return { failed: data({ result, kept: listTypedValues(form) }, init) }
	}
}
