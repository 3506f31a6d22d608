import { type ReactNode } from 'react'

/** On a phone the bar is as wide as its frame, or as the screen. A focused field above it is scrolled clear of it. */
const PHONE =
	'max-sm:border-line max-sm:bg-base-100 max-sm:sticky max-sm:bottom-0 max-sm:z-10 max-sm:-mx-[var(--bleed,16px)] max-sm:flex max-sm:flex-wrap max-sm:items-center max-sm:justify-between max-sm:gap-x-4 max-sm:gap-y-2 max-sm:border-t max-sm:px-[var(--bleed,16px)] max-sm:py-2 max-sm:[&>.btn:only-child]:grow max-sm:[&>dl]:my-0 max-sm:[&>dl]:grow max-sm:[&>dl]:basis-40 max-sm:in-[section]:-mb-5 max-sm:in-[section]:rounded-b-box'

/**
 * The main button of a form with money, and its amount. On a phone, where the form is longer than the screen, they stay at its lower edge.
 * It must be the last part of its form.
 */
export function ActionBar({ children }: { children: ReactNode }) {
	return <div className={`print:static ${PHONE}`}>{children}</div>
}

/** The fields of a form with such a bar: a focused field must not be behind it. */
export const ABOVE_BAR = 'max-sm:[&_:is(input,select,button,a)]:scroll-mb-20'
