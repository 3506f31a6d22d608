import { Link, useNavigate } from '@remix-run/react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Icon } from './icon'

/**
 * A dialog has an address, and closing it is a link: it holds forms that must work without a script. With one, the page
 * behind is out of reach and Escape closes.
 */
export function Dialog({ title, closeHref, children }: { title: string; closeHref: string; children: ReactNode }) {
	const id = useId()
	const dialog = useRef<HTMLDialogElement>(null)
	const navigate = useNavigate()
	useEffect(() => {
		const { current } = dialog
		current?.close()
		current?.showModal()
		return () => current?.close()
	}, [])
	return (
		<div className="dialog-backdrop">
			<dialog
				open
				ref={dialog}
				className="dialog"
				aria-labelledby={id}
				onCancel={(event) => {
					event.preventDefault()
					navigate(closeHref, { preventScrollReset: true })
				}}
			>
				<div className="mb-4 flex items-center justify-between">
					<h2 id={id} tabIndex={-1} autoFocus>
						{title}
					</h2>
					<Link to={closeHref} preventScrollReset className="tool" role="button">
						<Icon name="close" />
						<span className="sr-only">Close</span>
					</Link>
				</div>
				{children}
			</dialog>
		</div>
	)
}
