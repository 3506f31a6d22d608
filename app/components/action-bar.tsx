import { type ReactNode } from 'react'

/** The bar is as wide as its frame, or as a narrow screen, where the form has none. A focused field above it is scrolled clear of it. */
const STICKY =
	'border-line bg-base-100 sticky bottom-0 z-10 -mx-[var(--bleed,16px)] flex flex-wrap items-center justify-between gap-x-4 gap-y-2 border-t px-[var(--bleed,16px)] py-2 sm:py-4 max-sm:[&>.btn:only-child]:grow [&>dl]:my-0 max-sm:[&_dd]:text-xl/6 [&>dl]:grow [&>dl]:basis-40 -mb-(--foot,0px) in-[.rounded-box]:rounded-b-box'

/**
 * The main button of a form with money, and its amount. Where the form is longer than the screen, they stay at its lower edge. The bar
 * must be the last part of its form.
 */
export function ActionBar({ children }: { children: ReactNode }) {
	return <div className={`print:static ${STICKY}`}>{children}</div>
}

/** The fields of a form with such a bar: a focused field must not be behind it. */
export const ABOVE_BAR = '[&_:is(input,select,button,a)]:scroll-mb-28'
