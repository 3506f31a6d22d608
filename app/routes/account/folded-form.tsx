import { type ReactNode } from 'react'

type Props = {
	label: string
	/** Opens it at first: the client asked for it, or something in it was typed or wrong. */
	isOpen: boolean
	children: ReactNode
}

/** A long form behind a button, on a page that first shows what is registered. It opens without a script too. */
export function FoldedForm({ label, isOpen, children }: Props) {
	return (
		<details open={isOpen}>
			<summary className="btn mb-4">{label}</summary>
			{children}
		</details>
	)
}
