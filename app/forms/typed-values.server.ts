/** Whether a field of this name is never sent back to the browser, however its form fails. */
export const isSecret = (name: string) => /otp|password|csrf/i.test(name)

/** Fields that belong to a single post. */
const OF_ONE_POST = /idempotency_key|__intent__|^intent$/i

/** Names and values of a form to be shown again, without files, without secrets and without the fields that belong to a single post. */
export function listTypedValues(form: FormData): [name: string, value: string][] {
	return [...form].filter(
		(each): each is [string, string] => typeof each[1] === 'string' && !isSecret(each[0]) && !OF_ONE_POST.test(each[0]),
	)
}
