import { type ReactNode } from 'react'

type Props = {
	/** False when no script runs that can count. */
	isLive: boolean
	/** How many rows were selected or filled in, and the word for it: `2 selected`. */
	count: number
	label: string
	/** Said in place of `0 selected`. */
	none?: string
	/** What to do. Without scripts it is shown alone. */
	hint: string
	/** The sums of what was selected or filled in. */
	sums?: ReactNode
	/** Something must be corrected first. */
	isOff?: boolean
	children: ReactNode
}

/**
 * While nothing in the table is ticked or typed, the main button looks disabled. It can still be pressed: the server then answers what
 * is missing.
 */
const WAITING =
	'in-[form:not(:has(.filled-in_:is(:checked,[placeholder]:not(:placeholder-shown))))]:[&_.btn-primary]:border-base-300 in-[form:not(:has(.filled-in_:is(:checked,[placeholder]:not(:placeholder-shown))))]:[&_.btn-primary]:bg-base-300 in-[form:not(:has(.filled-in_:is(:checked,[placeholder]:not(:placeholder-shown))))]:[&_.btn-primary]:text-muted in-[form:not(:has(.filled-in_:is(:checked,[placeholder]:not(:placeholder-shown))))]:[&_.btn-primary]:shadow-none'

/** Until then the bar rests below the table, without a shadow: a button that waits must not cover rows. */
const RESTING =
	'in-[form:not(:has(.filled-in_:is(:checked,[placeholder]:not(:placeholder-shown))))]:static in-[form:not(:has(.filled-in_:is(:checked,[placeholder]:not(:placeholder-shown))))]:[box-shadow:none]'

/** A press still leads to what must be corrected; daisyUI ignores it on a disabled button. */
const OFF =
	'[&_.btn-primary]:border-base-300 [&_.btn-primary]:bg-base-300 [&_.btn-primary]:text-muted [&_.btn-primary]:pointer-events-auto [&_.btn-primary]:cursor-not-allowed [&_.btn-primary]:shadow-none'

/**
 * A bar with the button of a long form table. While something is chosen it stays at the lower edge of the screen. It must be the last
 * part of its form.
 */
export function SelectionBar({ isLive, count, label, none, hint, sums, isOff = false, children }: Props) {
	return (
		<div
			className={`rounded-box border-line bg-base-100 sticky bottom-0 z-10 flex flex-wrap items-center justify-between gap-x-5 gap-y-2 border px-4 py-3 [box-shadow:var(--shadow)] print:hidden ${isOff ? OFF : `${WAITING} ${RESTING}`}`}
		>
			<div role="status" className="flex flex-col sm:flex-row sm:flex-wrap sm:items-baseline sm:gap-x-4">
				{isLive && <span className={count > 0 ? 'font-semibold' : 'text-muted'}>{(count === 0 && none) || `${count} ${label}`}</span>}{' '}
				{hint && <span className="figure text-muted max-sm:text-xs">{hint}</span>} {sums}
			</div>
			<div className="flex flex-wrap gap-x-5 gap-y-2">{children}</div>
		</div>
	)
}
