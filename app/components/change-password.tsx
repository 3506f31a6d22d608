import { useFetcher } from '@remix-run/react'
import { type FocusEvent, type FormEvent, useEffect, useState } from 'react'
import { AuthenticityTokenInput } from 'remix-utils/csrf/react'
import { CONFIRM_HELP, REQUIRED } from '~/lib/password-words'
import { ErrorSummary, PasswordField, SubmitButton } from './form'
import { SendingContext } from './post-form'
import { showToast, type ToastMessage } from './toast'
import { useRoot } from './use-root'

/** What the action returns when the password is unchanged. */
export type Unchanged = { result: { error?: Record<string, string[] | null> | null }; toast?: ToastMessage }

type Name = keyof typeof REQUIRED
const FIELDS: { name: Name; label: string; autoComplete: string }[] = [
	{ name: 'old_password', label: 'Current password', autoComplete: 'current-password' },
	{ name: 'new_password', label: 'New password', autoComplete: 'new-password' },
	{ name: 'confirm_password', label: 'Confirm password', autoComplete: 'new-password' },
]
const isName = (name: string): name is Name => name in REQUIRED

type Props = {
	/** The page where the form was opened, and where closing it leads. */
	from: string
	/** The action's reply to a form sent without a script. */
	answered?: Unchanged
}

/** Sent by a fetcher, so that with a script the page behind stays; without one the reply is a page with the same form. */
export function ChangePasswordForm({ from, answered }: Props) {
	const fetcher = useFetcher<Unchanged>({ key: 'change-password' })
	const last = fetcher.data ?? answered
	const error = last?.result.error ?? {}
	const [touched, setTouched] = useState<Partial<Record<Name, string>>>({})
	// The reply arrives before the page behind reloads. What is typed in between belongs to the next attempt.
	const [before, setBefore] = useState<Unchanged>()
	const isSending = fetcher.state !== 'idle' && fetcher.data === before

	useEffect(() => {
		if (fetcher.data?.toast) showToast(fetcher.data.toast)
	}, [fetcher.data])

	function check({ target, relatedTarget }: FocusEvent<HTMLFormElement>) {
		if (!(target instanceof HTMLInputElement) || !isName(target.name)) return
		// A line that appears above `Change Password` or `Close` must not move it while it is being pressed.
		if (relatedTarget instanceof Element && relatedTarget.matches('[type=submit], a')) return
		setTouched({ ...touched, [target.name]: target.value ? '' : REQUIRED[target.name] })
	}
	function mend({ target }: FormEvent<HTMLFormElement>) {
		if (target instanceof HTMLInputElement && isName(target.name) && target.value) setTouched({ ...touched, [target.name]: '' })
	}

	const { passwordRule } = useRoot().brand
	const fields = FIELDS.map((field) => {
		const id = `change-password-${field.name}`
		const help = { old_password: undefined, new_password: passwordRule, confirm_password: CONFIRM_HELP }[field.name]
		return { ...field, id, help, sent: error[field.name] ?? [], shown: listWords(touched[field.name], error[field.name]) }
	})
	return (
		<fetcher.Form
			method="post"
			action={`/change-password?${new URLSearchParams({ from })}`}
			noValidate
			onBlur={check}
			onInput={mend}
			onSubmit={(event) => {
				if (isSending) return event.preventDefault()
				setTouched({})
				setBefore(fetcher.data)
			}}
			aria-busy={isSending || undefined}
		>
			<ErrorSummary form={{ errors: error[''] ?? [] }} fields={fields.map(({ id, sent }) => ({ id, errors: sent }))} reply={last} />
			<AuthenticityTokenInput />
			<SendingContext.Provider value={isSending}>
				{fields.map(({ id, name, label, help, autoComplete, shown }) => (
					<PasswordField key={name} field={{ id, name, errors: shown }} label={label} help={help} autoComplete={autoComplete} required />
				))}
				<p className="mb-4 text-sm">You are then logged out. Log in with the new password.</p>
				<SubmitButton>Change Password</SubmitButton>
			</SendingContext.Provider>
		</fetcher.Form>
	)
}

/** The messages found when a field lost focus stay until the form is sent; '' means that the error was corrected. */
function listWords(touched: string | undefined, sent: string[] | null | undefined): string[] {
	if (touched === undefined) return sent ?? []
	return touched ? [touched] : []
}
