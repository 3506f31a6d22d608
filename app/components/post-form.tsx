import { Form, type FormProps, useNavigation } from '@remix-run/react'
import { createContext, type FormEvent, useEffect, useState } from 'react'
import { AuthenticityTokenInput } from 'remix-utils/csrf/react'

/**
 * Whether the surrounding form is being sent. Its buttons stay enabled (a disabled one sends no value): a second submit is dropped instead.
 */
export const SendingContext = createContext(false)

type Props = Omit<FormProps, 'method'> & {
	/** Idempotency key, where money or securities move: a repeat of this post is the same order. */
	idempotencyKey?: string
}

export function PostForm({ idempotencyKey, children, onSubmit, ...props }: Props) {
	const { state } = useNavigation()
	const [isSending, setSending] = useState(false)
	useEffect(() => {
		if (state === 'idle') setSending(false)
	}, [state])

	function submitOnce(event: FormEvent<HTMLFormElement>) {
		if (isSending) return event.preventDefault()
		onSubmit?.(event)
		// A form that leaves the page, or returns a file, never reports that it is done.
		if (!event.defaultPrevented && !props.reloadDocument) setSending(true)
	}

	return (
		<Form {...props} method="post" onSubmit={submitOnce} aria-busy={isSending || undefined}>
			<AuthenticityTokenInput />
			{idempotencyKey && <input type="hidden" name="idempotency_key" value={idempotencyKey} />}
			<SendingContext.Provider value={isSending}>{children}</SendingContext.Provider>
		</Form>
	)
}
