import { type Submission } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirectDocument } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod/v4'
import { BrokerRefusal, readFailure } from '~/broker/client.server'
import { updatePassword } from '~/broker/passwords.server'
import { ChangePasswordForm } from '~/components/change-password'
import { PageProblem } from '~/components/page-problem'
import { PageTitle } from '~/components/page-title'
import { toRefusal, invalid, readForm, sayTooMany, replyWith } from '~/forms/form.server'
import { isTypedTwice, NEW_PASSWORD } from '~/forms/typed-fields.server'
import { readVisitor } from '~/http/request-id.server'
import { ownPath } from '~/lib/own-path'
import { LONGEST, REQUIRED, TOO_LONG, UNEQUAL } from '~/lib/password-words'
import { audit } from '~/session/audit.server'
import { renewToken } from '~/session/csrf.server'
import { askWithPassword, TooManyAttempts } from '~/session/rate-limits.server'
import { endClientSessions } from '~/session/ended-sessions.server'
import { connectSession, endSession, requireSession } from '~/session/session.server'
import { flashCookie } from '~/session/toast.server'

export const handle = { title: 'Change Password' }

const Passwords = z
	.object({ old_password: z.string(REQUIRED.old_password).max(LONGEST, TOO_LONG), ...NEW_PASSWORD })
	.refine(isTypedTwice, UNEQUAL)

/** The message in the specification for a failure without a message. */
const FAILED = 'An error occurred while processing your request.'
/** The change may have succeeded when its reply was lost. */
const PERHAPS = 'The password may have been changed all the same: if the old one no longer works, the new one does.'

/** Returns the page where the form was opened; never this page. */
function readFrom(request: Request): string {
	const from = ownPath(new URL(request.url).searchParams.get('from'))
	return from.startsWith('/change-password') ? '/dashboard' : from
}

export async function loader({ request }: LoaderFunctionArgs) {
	await requireSession(request)
	return { from: readFrom(request) }
}

/**
 * Receives the form of the dialog on every page, and of this page without a script. Success ends every session of the client, including
 * this one, and redirects to login. Any other result shows the form again, without the passwords.
 */
export async function action({ request }: ActionFunctionArgs) {
	const form = await readForm(request)
	const session = await requireSession(request)
	const submission = parseWithZod(form, { schema: Passwords })
	if (submission.status !== 'success') return invalid(submission)
	const { old_password, new_password } = submission.value

	// Counted apart from logins, so that a client who is locked out by the guesses of another person can still change the password here.
	const guesses = `change ${session.clientCode}`
	try {
		const ask = () => updatePassword(connectSession(request, session), { old_password, new_password })
		await askWithPassword(guesses, readVisitor(request), ask, isGuess)
	} catch (error) {
		if (error instanceof TooManyAttempts) {
			audit('password_limited', request, session.clientCode)
			return unchanged(submission, 429, [sayTooMany('attempts', error.wait)], error.wait)
		}
		const { status, messages } = await explainRefusal(error)
		// The sessions stay: the client who asked for the change is here, and knows the old password.
		audit(status >= 500 ? 'password_change_unknown' : 'password_refused', request, session.clientCode, { status })
		return unchanged(submission, status, messages, error instanceof BrokerRefusal ? error.envelope.data?.retry_after : undefined)
	}
	await endClientSessions(session.clientCode)
	audit('password_changed', request, session.clientCode)
	const headers = await endSession(request)
	headers.append('set-cookie', await renewToken())
	headers.set('clear-site-data', '"cache", "storage"')
	const message = 'Password changed successfully. Please log in with your new password.'
	headers.append('set-cookie', await flashCookie({ kind: 'success', message }))
	return redirectDocument('/login', { status: 303, headers })
}

/** The broker does not say which of the two passwords it refused. So every refusal except a rate limit may be a wrong guess. */
function isGuess(error: unknown): boolean {
	return error instanceof BrokerRefusal && error.status !== 429
}

/** Returns the status and messages of a failed change. Throws a 401 and every redirect. */
async function explainRefusal(thrown: unknown): Promise<{ status: number; messages: string[] }> {
	const error = await toRefusal(thrown)
	if (error instanceof BrokerRefusal) {
		const messages = [error.message, ...(error.envelope.data?.fields ?? []).map(({ message }) => message)]
		return { status: error.status === 429 ? 429 : 422, messages: error.answered < 400 ? [FAILED, ...messages] : messages }
	}
	const failure = await readFailure(error)
	if (!failure || failure.status < 500) throw error
	return { status: failure.status, messages: [failure.isSaid ? failure.message : FAILED, PERHAPS] }
}

/** Shows the form again with its errors; the first sentence is also a toast. */
function unchanged(submission: Submission<unknown>, status: number, messages: string[], retry_after?: number) {
	const result = replyWith(submission, { formErrors: messages })
	const toast = { kind: 'error' as const, message: messages[0] ?? FAILED }
	return data({ result, toast }, { status, headers: retry_after ? { 'retry-after': String(retry_after) } : {} })
}

export default function ChangePassword() {
	const { from } = useLoaderData<typeof loader>()
	const answered = useActionData<typeof action>()
	return (
		<>
			<PageTitle title="Change Password" />
			<div className="rounded-box border-line bg-base-100 max-w-md border px-5 pt-4 pb-5">
				<ChangePasswordForm from={from} answered={answered} />
			</div>
			<p className="mt-4">
				<a href={from}>Close</a>
			</p>
		</>
	)
}

export function ErrorBoundary() {
	return <PageProblem title="Change Password" />
}
