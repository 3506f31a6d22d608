import { type ReactNode } from 'react'

type Props = {
	/** False where no script can count. */
	isLive: boolean
	/** How many rows the button is about, and what was done with them: `2 selected`. */
	count: number
	label: string
	/** What they come to, or what to do while there are none. */
	sum: string
	children: ReactNode
}

/**
 * While nothing of the table is ticked or typed, the main button looks as if it waits. It can be pressed all the same: then the server says
 * what is missing.
 */
const WAITING =
	'in-[form:not(:has(.filled-in_:is(:checked,[placeholder]:not(:placeholder-shown))))]:[&_.btn-primary]:border-base-300 in-[form:not(:has(.filled-in_:is(:checked,[placeholder]:not(:placeholder-shown))))]:[&_.btn-primary]:bg-base-300 in-[form:not(:has(.filled-in_:is(:checked,[placeholder]:not(:placeholder-shown))))]:[&_.btn-primary]:text-muted in-[form:not(:has(.filled-in_:is(:checked,[placeholder]:not(:placeholder-shown))))]:[&_.btn-primary]:shadow-none'

/** The button of a long table that is filled in stays at the lower edge of the screen. The last part of its form. */
export function SelectionBar({ isLive, count, label, sum, children }: Props) {
	// While nothing is chosen the bar lies in the page; with a choice it stands out.
	const shadow = isLive && count === 0 ? '' : '[box-shadow:var(--shadow)]'
	return (
		<div
			className={`rounded-box border-line bg-base-100 sticky bottom-0 z-10 flex flex-wrap items-center justify-between gap-x-5 gap-y-2 border px-4 py-3 print:hidden ${shadow} ${WAITING}`}
		>
			{isLive && (
				<p role="status" className="flex flex-col sm:flex-row sm:gap-4">
					<span className={count > 0 ? 'font-semibold' : 'text-muted'}>{`${count} ${label}`}</span>{' '}
					<span className="figure text-muted max-sm:text-xs">{sum}</span>
				</p>
			)}
			<div className="flex flex-wrap gap-x-5 gap-y-2">{children}</div>
		</div>
	)
}
