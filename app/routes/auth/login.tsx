import { useForm } from '@conform-to/react'
import { parseWithZod } from '@conform-to/zod/v4'
import { type ActionFunctionArgs, data, type LoaderFunctionArgs, redirect } from '@remix-run/node'
import { useActionData, useLoaderData } from '@remix-run/react'
import { z } from 'zod/v4'
import { login } from '~/broker/auth.server'
import { BrokerRefusal, readFailure } from '~/broker/client.server'
import { ErrorSummary, PasswordField, SubmitButton } from '~/components/form'
import { PageProblem } from '~/components/page-problem'
import { PlainPage } from '~/components/plain-page'
import { PostForm } from '~/components/post-form'
import { useRoot } from '~/components/use-root'
import { settings } from '~/config/env.server'
import { formatSentence, invalid, limited, readPublicForm, refused, replyWith } from '~/forms/form.server'
import { UsernameTyped } from '~/forms/typed-fields.server'
import { readVisitor } from '~/http/request-id.server'
import { formatDuration } from '~/lib/durations'
import { pathAfterLogin } from '~/lib/own-path'
import { LONGEST, TOO_LONG } from '~/lib/password-words'
import { audit } from '~/session/audit.server'
import { renewToken } from '~/session/csrf.server'
import { forgetYear } from '~/session/preferences.server'
import { askWithPassword, joinLoginName, TooManyAttempts } from '~/session/rate-limits.server'
import { connectAnonymousBroker, endSession, getSession, startSession } from '~/session/session.server'
import { redirectWithToast } from '~/session/toast.server'
import { CallLine } from './call-line'
import { ClientCodeField } from './client-code-field'

export const handle = { title: 'Login' }

const Credentials = z.object({
	username: UsernameTyped,
	password: z.string('Enter your password').min(1, 'Enter your password').max(LONGEST, TOO_LONG),
	redirectTo: z.string().optional(),
})

/** The reason why the portal ended a session, by `reason` in the address. */
const ENDED = new Map([
	['idle', `You were logged out after ${formatDuration(settings.IDLE_MS)} without activity.`],
	['limit', `You were logged out ${formatDuration(settings.SESSION_MAX_MS)} after you logged in. Log in again to continue.`],
])

/** When the broker refused the login without a message. */
const WRONG = 'The client code or the password is not right.'

export async function loader({ request }: LoaderFunctionArgs) {
	const url = new URL(request.url)
	const session = await getSession(request)
	if (session) throw redirect(session.isDormate ? '/rekyc' : '/dashboard')
	return {
		redirectTo: pathAfterLogin(url.searchParams.get('redirectTo')),
		ended: ENDED.get(url.searchParams.get('reason') ?? ''),
		hint: settings.LOGIN_HINT?.split('\n') ?? [],
	}
}

export async function action({ request }: ActionFunctionArgs) {
	const session = await getSession(request)
	const form = await readPublicForm(request).catch(async (refusal: unknown) => {
		// After a login in another tab this form is out of date. A browser that says that the form is ours is led on.
		if (!session || request.headers.get('sec-fetch-site') !== 'same-origin') throw refusal
		throw await redirectWithToast(session.isDormate ? '/rekyc' : '/dashboard', { kind: 'info', message: 'You are logged in already.' })
	})
	const submission = parseWithZod(form, { schema: Credentials })
	if (submission.status !== 'success') return invalid(submission)
	const { username, password, redirectTo } = submission.value

	try {
		const ask = () => login(connectAnonymousBroker(request), { username, password })
		const granted = await askWithPassword(username, readVisitor(request), ask, isWrongPassword)
		await joinLoginName(username, granted.clientCode)
		audit('login', request, granted.clientCode)
		const headers = await startSession(request, granted, username, await endSession(request))
		headers.append('set-cookie', await renewToken())
		// A new session begins with the current financial year, also when another client uses this browser.
		headers.append('set-cookie', forgetYear())
		return redirect(granted.isDormate ? '/rekyc' : pathAfterLogin(redirectTo), { status: 303, headers })
	} catch (error) {
		if (error instanceof TooManyAttempts) {
			audit('login_limited', request, username)
			return limited(submission, error, 'wrong passwords')
		}
		const failure = await readFailure(error)
		const isWrong = await isWrongPassword(error)
		if (isWrong || error instanceof BrokerRefusal)
			audit('login_refused', request, username, { status: error instanceof BrokerRefusal ? error.status : failure?.answered })
		if (isWrong && failure && failure.status >= 500)
			return data({ result: replyWith(submission, { formErrors: [WRONG] }) }, { status: 422 })
		if (failure && failure.status >= 500) {
			const said = failure.answered ? formatSentence(failure.message) : 'Login is not available right now.'
			const message = `${said} Nothing is wrong with your password. Try again in a few minutes.`
			return data({ result: replyWith(submission, { formErrors: [message] }) }, { status: failure.status })
		}
		// A refused login is a refused form (422), not HTTP authentication (401).
		return await refused(submission, error)
	}
}

/**
 * True for a wrong password. Brokers answer it with any refusal (401, 400, 403, 404, 422, their own lock 423), so all but "too many
 * requests" count, also without a message. A 404 without one is from a gateway whose broker is away.
 */
async function isWrongPassword(error: unknown): Promise<boolean> {
	if (error instanceof BrokerRefusal) return error.status !== 429
	const { answered = 0, isAnswer } = (await readFailure(error)) ?? {}
	return answered === 404 ? isAnswer === true : answered >= 400 && answered < 500
}

export default function Login() {
	const { redirectTo, ended, hint } = useLoaderData<typeof loader>()
	const { toast } = useRoot()
	const [form, fields] = useForm<z.input<typeof Credentials>>({ id: 'login', lastResult: useActionData<typeof action>()?.result })
	const [about, first, ...others] = hint
	const notice = ended ?? toast?.message
	return (
		<PlainPage title="Login" notice={notice && { kind: toast?.kind ?? 'info', message: notice }}>
			<ErrorSummary form={form} fields={[fields.username, fields.password]} />
			<PostForm id={form.id} noValidate>
				<input type="hidden" name="redirectTo" value={redirectTo} />
				<ClientCodeField field={fields.username} />
				<PasswordField field={fields.password} label="Password" autoComplete="current-password" required />
				<SubmitButton>Login</SubmitButton>
			</PostForm>
			<p className="mt-4">
				<a href="/forgot-password">Forgot password?</a>
			</p>
			<CallLine />
			{about && (
				<section aria-labelledby="personas" className="border-line mt-7 border-t text-xs">
					<h2 id="personas">Try it as</h2>
					<p>{about}</p>
					{first && <Personas lines={[first]} />}
					{others.length > 0 && (
						<details className="-mb-2.5">
							<summary className="text-primary w-fit py-2.5">{`${others.length} more ${others.length === 1 ? 'client' : 'clients'}`}</summary>
							<div className="pb-2">
								<Personas lines={others} />
							</div>
						</details>
					)}
				</section>
			)}
		</PlainPage>
	)
}

/** Clients of the sandbox, each with what it shows. */
function Personas({ lines }: { lines: readonly string[] }) {
	return (
		<ul className={lines.length > 1 ? 'list-disc pl-5' : undefined}>
			{lines.map((line) => {
				const [code = line, ...words] = line.split(': ')
				return (
					<li key={line}>
						<b>{code}</b>
						{words.length > 0 && `: ${words.join(': ')}`}
					</li>
				)
			})}
		</ul>
	)
}

export function ErrorBoundary() {
	return <PageProblem />
}
