import { useNavigate } from '@remix-run/react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Icon } from './icon'

/** Classes that print the dialog as a normal part of the page. */
const ON_PAPER =
	'print:static! print:m-0! print:size-auto! print:max-h-none! print:max-w-none! print:border-0! print:p-0! print:[box-shadow:none]!'

/**
 * A step shown over the page where it began: a modal dialog with a script, a normal page without one, since only a script can open a
 * modal dialog. `from` is where closing it leads. `opener` is the form on the page behind whose main button opened it: closing it gives the
 * focus back.
 */
export function PageDialog({ title, from, opener, children }: { title: string; from: string; opener?: string; children: ReactNode }) {
	const id = useId()
	const navigate = useNavigate()
	const dialog = useRef<HTMLDialogElement>(null)
	useEffect(() => {
		const element = dialog.current
		element?.close()
		element?.showModal()
		// Without a field the heading, not the link that closes it, so that a screen reader reads on from there.
		const first = element?.querySelector<HTMLElement>('input:not([type="hidden"])') ?? element?.querySelector('h2')
		first?.focus()
		// A modal dialog prints only its first page; a non-modal one prints all of them.
		const lay = () => {
			element?.close()
			element?.show()
		}
		const raise = () => {
			element?.close()
			element?.showModal()
		}
		window.addEventListener('beforeprint', lay)
		window.addEventListener('afterprint', raise)
		return () => {
			window.removeEventListener('beforeprint', lay)
			window.removeEventListener('afterprint', raise)
			element?.close()
			// Its first submit button is only for the Enter key.
			if (opener) document.querySelector<HTMLElement>(`#${opener} [type=submit]:not([tabindex])`)?.focus()
		}
	}, [opener])
	return (
		<dialog
			open
			ref={dialog}
			className={`page-dialog over rounded-box border-line bg-base-100 static m-0 mb-6 w-auto max-w-136 border px-6 pt-5 pb-6 text-inherit ${ON_PAPER}`}
			aria-labelledby={id}
			onCancel={(event) => {
				event.preventDefault()
				navigate(from, { preventScrollReset: true })
			}}
		>
			<div className="mb-4 flex items-center justify-between">
				<h2 id={id} tabIndex={-1}>
					{title}
				</h2>
				<a href={from} data-keep-scroll className="btn btn-ghost btn-square" role="button">
					<Icon name="close" />
					<span className="sr-only">Close</span>
				</a>
			</div>
			{children}
		</dialog>
	)
}
