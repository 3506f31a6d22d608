import { useNavigate } from '@remix-run/react'
import { type KeyboardEvent, useEffect, useRef } from 'react'
import { ChangePasswordForm } from './change-password'
import { Icon } from './icon'

/**
 * Opens over a page of the shell. That page is inert, so the focus stays in the dialog even without a script. With a script, Escape
 * closes the dialog and the focus returns to the menu that opened it.
 */
export default function ChangePasswordDialog({ from }: { from: string }) {
	const navigate = useNavigate()
	useEffect(() => {
		const onKey = ({ key }: globalThis.KeyboardEvent) => key === 'Escape' && navigate(from, { preventScrollReset: true })
		addEventListener('keydown', onKey)
		return () => removeEventListener('keydown', onKey)
	}, [from, navigate])
	const dialog = useRef<HTMLDialogElement>(null)
	useEffect(() => {
		dialog.current?.querySelector<HTMLElement>('input:not([type="hidden"])')?.focus()
		return () => document.querySelector<HTMLElement>('[popovertarget="user-menu"]')?.focus()
	}, [])
	return (
		<div className="dialog-backdrop z-modal fixed inset-0 grid place-items-center bg-[oklch(17%_0.013_262/0.45)] [backdrop-filter:blur(6px)]">
			<dialog
				open
				ref={dialog}
				className="sheet over bg-base-100 p-6 text-inherit"
				aria-modal="true"
				aria-labelledby="change-password"
				onKeyDown={turnAround}
			>
				<div className="mb-4 flex items-center justify-between">
					<h2 id="change-password" className="max-sm:text-2xl">
						Change Password
					</h2>
					<a href={from} data-keep-scroll className="btn btn-ghost btn-square -mr-3.75" role="button">
						<Icon name="close" />
						<span className="sr-only">Close</span>
					</a>
				</div>
				<ChangePasswordForm from={from} />
			</dialog>
		</div>
	)
}

/**
 * Moves the focus from the last field to the first and back, so that the Tab key does not leave the dialog for the browser's buttons.
 */
function turnAround(event: KeyboardEvent<HTMLDialogElement>) {
	if (event.key !== 'Tab') return
	const stops = event.currentTarget.querySelectorAll<HTMLElement>('a, button, input:not([type="hidden"])')
	const [first, last] = [stops[0], stops[stops.length - 1]]
	const { activeElement } = document
	if (activeElement !== (event.shiftKey ? first : last)) return
	event.preventDefault()
	;(event.shiftKey ? last : first)?.focus()
}
