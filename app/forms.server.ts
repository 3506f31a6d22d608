import { type Submission } from '@conform-to/react'
import { data } from '@remix-run/node'
import { z } from 'zod/v4'
import { BrokerRefusal } from '~/broker/client.server'
import { checkToken } from '~/csrf.server'
import { paiseOf } from '~/lib/money'

/** Never sent back to the browser, however the form fails. */
const SECRETS = ['otp', 'password', 'old_password', 'new_password', 'confirm_password', 'csrf']

/** The fields of a post. Every action begins here: a form that was not made by us for this browser is refused with 403. */
export async function readForm(request: Request): Promise<FormData> {
	const form = await request.formData().catch(badForm)
	await checkToken(form, request)
	form.delete('csrf')
	return form
}

/** Throws a 400: what arrived is no form of ours, or not the whole of it. */
export function badForm(): never {
	throw Response.json({ message: 'The form did not arrive whole. Go back and try again.' }, { status: 400 })
}

/** What was typed does not fit the schema: show the form again with its messages. */
export function invalid<Value>(submission: Submission<Value>) {
	return data({ result: submission.reply({ hideFields: SECRETS }) }, { status: 400 })
}

/** The broker said no: show its message in the form. Anything else is not the form's business and is thrown on. */
export function refused<Value>(submission: Submission<Value>, error: unknown, init: ResponseInit = { status: 422 }) {
	return data({ result: refusal(submission, error) }, init)
}

export function refusal<Value>(submission: Submission<Value>, error: unknown) {
	if (!(error instanceof BrokerRefusal)) throw error
	const fields = error.envelope.data?.fields ?? []
	if (fields.length === 0) return submission.reply({ formErrors: [error.message], hideFields: SECRETS })
	return submission.reply({ fieldErrors: Object.fromEntries(fields.map(({ name, message }) => [name, [message]])), hideFields: SECRETS })
}

/** What a client logs in with: a code, or the e-mail of some brokers. Blanks around it and its case do not count. */
export const UsernameTyped = z
	.string('Enter your client code')
	.trim()
	.max(60, 'Enter your client code')
	.regex(/^[A-Za-z0-9@._-]{3,}$/, 'Enter a client code in the correct format, like AB1234')
	.transform((code) => code.toUpperCase())

/** Six digits, typed as they were read: blanks and hyphens between them do not count. */
export const OtpTyped = z
	.string('Enter the OTP')
	.transform((typed) => typed.replace(/[\s-]/g, ''))
	.pipe(
		z
			.string()
			.min(1, 'Enter the OTP')
			.regex(/^[0-9]*$/, 'The OTP must be 6 numbers')
			.min(6, 'You’ve not entered enough numbers, the OTP must be 6 numbers')
			.max(6, 'You’ve entered too many numbers, the OTP must be 6 numbers'),
	)

/** The same, and when the broker did not answer: nobody should type it all again for that. */
export async function unanswered<Value>(submission: Submission<Value>, error: unknown) {
	if (!(error instanceof Response) || error.status < 500) return refused(submission, error)
	const said = z.object({ message: z.string(), isMaintenance: z.boolean().optional() }).safeParse(await error.clone().json()).data
	if (!said || said.isMaintenance) throw error
	const formErrors = [`${said.message} Nothing was changed. Try again in a few minutes.`]
	return data({ result: submission.reply({ formErrors, hideFields: SECRETS }) }, { status: error.status })
}

/** Text as the wire takes it, refused in words for the client. */
export function textLike(Wire: z.ZodType, message: string) {
	return z.string().refine((text) => Wire.safeParse(text).success, message)
}

/** Rupees as they are typed, with or without ₹ and commas, as paise. Digits of other scripts, signs and exponents are no amount. */
export const AmountTyped = z
	.string('Enter an amount')
	.transform((typed) => typed.replace(/[₹,\s]/g, ''))
	.pipe(
		z
			.string()
			// Each of these ends it: what is no amount is within no limit either, and one message is enough.
			.regex(/^-?[0-9]{1,9}(\.[0-9]*)?$/, { error: 'Enter an amount in rupees, like 25,000.50', abort: true })
			.refine((typed) => (typed.split('.')[1] ?? '').length <= 2, { error: 'Amount must have no more than 2 decimals', abort: true })
			.transform((typed) => paiseOf(Number(typed)))
			.refine((paise) => paise > 0, 'Amount must be more than zero'),
	)
