import { Form, type FormProps, useLocation } from '@remix-run/react'
import { createContext, type FormEvent, useState } from 'react'
import { AuthenticityTokenInput } from 'remix-utils/csrf/react'
import { useLastAnswer } from './use-page-state'

/**
 * Whether the surrounding form is being sent. Its buttons stay enabled (a disabled one sends no value): a second submit is dropped instead.
 */
export const SendingContext = createContext(false)

type Props = Omit<FormProps, 'method'> & {
	/** Idempotency key, where money or securities move: a repeat of this post is the same order. */
	idempotencyKey?: string
}

/**
 * A button with `data-view` only searches or sorts: the next click replaces it. Where the form leads is asked for when it is sent, not on
 * every page that has it.
 */
export function PostForm({ idempotencyKey, children, onSubmit, ...props }: Props) {
	const { key } = useLocation()
	const answer = useLastAnswer()
	// What was shown when the form was sent: a reply changes the answer, a redirect or another page the key. The navigation's state does
	// not tell: a busy browser may never draw it, and the form would refuse every later click.
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
