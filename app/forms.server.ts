import { type Submission } from '@conform-to/react'
import { data } from '@remix-run/node'
import { BrokerRefusal } from '~/broker/client.server'
import { checkToken } from '~/csrf.server'

/** Never sent back to the browser, however the form fails. */
const SECRETS = ['otp', 'password', 'old_password', 'new_password', 'confirm_password', 'csrf']

/** The fields of a post. Every action begins here: a form that was not made by us for this browser is refused with 403. */
export async function readForm(request: Request): Promise<FormData> {
	const form = await request.formData()
	await checkToken(form, request)
	form.delete('csrf')
	return form
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
