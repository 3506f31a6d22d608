import { Form, type FormProps, useLocation } from '@remix-run/react'
import { createContext, type FormEvent, useState } from 'react'
import { AuthenticityTokenInput } from 'remix-utils/csrf/react'
import { useLastAnswer } from './use-page-state'

/**
 * True while the surrounding form is being sent. Its buttons stay enabled, because a disabled one sends no value; a second submit is
 * dropped instead.
 */
export const SendingContext = createContext(false)

type Props = Omit<FormProps, 'method'> & {
	/** The idempotency key of a form that moves money or securities: a repeated post is the same order. */
	idempotencyKey?: string
}

/**
 * A form that is sent once: a second submit is dropped while the first is under way. A button with `data-view` only searches or sorts,
 * so the next click may replace it. `discover="none"`: the browser asks where the form leads when it is sent, not on every page that has
 * the form.
 */
export function PostForm({ idempotencyKey, children, onSubmit, ...props }: Props) {
	const { key } = useLocation()
	const answer = useLastAnswer()
	// The page's key and answer when the form was sent. A reply changes the answer; a redirect or another page changes the key. The
	// navigation's state is not reliable here: a busy browser may never draw it, and the form would refuse every later click.
	const [sent, setSent] = useState<{ key: string; answer: unknown }>()
	const isSending = sent !== undefined && sent.key === key && sent.answer === answer

	function submitOnce(event: FormEvent<HTMLFormElement>) {
		if (isSending) return event.preventDefault()
		onSubmit?.(event)
		const { submitter } = event.nativeEvent as SubmitEvent
		// A form that leaves the page, or returns a file, never reports that it is done.
		if (!event.defaultPrevented && !props.reloadDocument && !submitter?.hasAttribute('data-view')) setSent({ key, answer })
	}

	return (
		<Form {...props} method="post" discover="none" onSubmit={submitOnce} aria-busy={isSending || undefined}>
			<AuthenticityTokenInput />
			{idempotencyKey && <input type="hidden" name="idempotency_key" value={idempotencyKey} />}
			<SendingContext.Provider value={isSending}>{children}</SendingContext.Provider>
		</Form>
	)
}
