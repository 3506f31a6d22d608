import { type ReactNode } from 'react'

type Props = {
	/** What is inside, and how much of it. */
	label: ReactNode
	/** The sum of what is inside, unless it already stands above. */
	figure?: string
	/** Opens it at first: something inside was searched, sorted or wrong. */
	isOpen?: boolean
	/** Folded only on a phone. */
	isOnPhone?: boolean
	children: ReactNode
}

/** Folded only on a phone. A browser that cannot open it by style keeps the line that opens it. */
export const WIDE_OPEN =
	'sm:[&::details-content]:block sm:[&::details-content]:[content-visibility:visible] sm:supports-[selector(::details-content)]:[&>summary]:hidden'

/** Details that few people read, behind a line with their sum. Print shows all of it, because paper cannot be opened. */
export function Folded({ label, figure, isOpen, isOnPhone, children }: Props) {
	return (
		<details
			open={isOpen}
			className={`${isOnPhone ? WIDE_OPEN : ''} border-line border-t in-[section]:last:-mb-2.5 print:[&::details-content]:block print:[&::details-content]:[content-visibility:visible]`}
		>
			<summary className="text-primary hover:underline max-sm:text-sm py-2.5 print:list-none">
				<span className="font-semibold">{label}</span> {figure && <span className="figure text-base-content float-right">{figure}</span>}
			</summary>
			<div className="pb-2">{children}</div>
		</details>
	)
}
