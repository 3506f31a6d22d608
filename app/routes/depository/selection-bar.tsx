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

/** On a phone the sums stand beside the button and the count comes last: the bar must leave room for the field that is typed in. */
const WITH_SUMS = 'max-sm:basis-[calc(50%-0.5rem)] max-sm:grow flex-wrap items-baseline gap-x-3'
const COUNT = 'max-sm:order-last max-sm:text-xs sm:font-semibold'

/**
 * A bar with the button of a long form table. While something is chosen it stays at the lower edge of the screen. It must be the last
 * part of its form. A main button that looks disabled can still be pressed: the server then answers what is missing or wrong.
 */
export function SelectionBar({ isLive, count, label, none, hint, sums, isOff = false, children }: Props) {
	return (
		<div
			className={`chosen max-sm:-mx-4 max-sm:rounded-none max-sm:border-x-0 rounded-box border-line bg-base-100 sticky bottom-0 z-10 flex flex-wrap items-center justify-between gap-x-5 gap-y-2 border px-4 py-3 [box-shadow:var(--shadow)] print:hidden ${isOff ? 'off' : ''}`}
		>
			<div role="status" className={`flex ${sums ? WITH_SUMS : 'flex-col sm:flex-row'} sm:flex-wrap sm:items-baseline sm:gap-x-4`}>
				{isLive && (
					<span className={count === 0 ? 'text-muted' : sums ? COUNT : 'font-semibold'}>
						{(count === 0 && none) || `${count} ${label}`}
					</span>
				)}{' '}
				{hint && <span className="text-muted max-sm:text-xs">{hint}</span>} {sums}
			</div>
			<div className="flex flex-wrap gap-x-5 gap-y-2">{children}</div>
		</div>
	)
}
