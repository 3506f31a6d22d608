import { type ReactNode } from 'react'

type Props = {
	/** What is inside, and how much of it. */
	label: ReactNode
	/** What it comes to. */
	figure: string
	/** Something inside was searched, sorted or wrong. */
	isOpen?: boolean
	children: ReactNode
}

/** What few read, behind a line that has its sum. On paper there is nothing to open, so all of it is printed. */
export function Folded({ label, figure, isOpen, children }: Props) {
	return (
		<details
			open={isOpen}
			className="border-line -mx-(--bleed) border-t print:[&::details-content]:block print:[&::details-content]:[content-visibility:visible]"
		>
			<summary className="hover:bg-base-200 max-sm:text-sm px-(--bleed) py-2.5 print:list-none">
				<span className="text-primary font-semibold">{label}</span> <span className="figure float-right">{figure}</span>
			</summary>
			<div className="px-(--bleed) pb-2">{children}</div>
		</details>
	)
}
