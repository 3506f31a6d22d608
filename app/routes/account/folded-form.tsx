import { type ReactNode } from 'react'

type Props = {
	label: ReactNode
	/** Opens it at first: the client asked for it, or something in it was typed or wrong. */
	isOpen: boolean
	/** Classes of the button. */
	look?: string
	children: ReactNode
}

/** A long form behind a button, on a page that first shows what is registered. It opens without a script too. */
export function FoldedForm({ label, isOpen, look = 'btn mb-4', children }: Props) {
	return (
		<details open={isOpen}>
			<summary className={look}>{label}</summary>
			{children}
		</details>
	)
}
