import { Form, useNavigate } from '@remix-run/react'
import { type ReactNode, useEffect, useId, useRef } from 'react'
import { Icon } from './icon'

/**
 * A dialog has an address, and closing it is a form with nothing to fill in: it holds forms that must work without a script. With one, the page
 * behind is out of reach and Escape closes.
 */
export function Dialog({ title, closeHref, children }: { title: string; closeHref: string; children: ReactNode }) {
	const id = useId()
	const dialog = useRef<HTMLDialogElement>(null)
	const navigate = useNavigate()
	const [path, query] = closeHref.split('?')
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
					<Form method="get" action={path} preventScrollReset>
						{[...new URLSearchParams(query)].map(([name, value]) => (
							<input key={name + value} type="hidden" name={name} value={value} />
						))}
						<button type="submit" className="tool">
							<Icon name="close" />
							<span className="sr-only">Close</span>
						</button>
					</Form>
				</div>
				{children}
			</dialog>
		</div>
	)
}
