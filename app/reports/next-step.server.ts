import { parseDay } from '#contract/values/dates'
import { type FinancialYear, findLastDay, formatYear, selectableYears, startOfYear } from '#contract/values/financial-year'
import { now, today } from '~/broker/clock.server'
import { addressWith } from './view.server'

export type NextStep = { href: string; label: string }

/** Returns the link of an empty report: first without the filters, then the year before; in the first year, the page that adds funds. */
export function suggestNextStep(url: URL, year: FinancialYear): NextStep {
	const typed = (name: string) => url.searchParams.get(name) || undefined
	const isOther = (name: string, day: string) => typed(name) !== undefined && parseDay(typed(name) ?? '') !== day
	// The form sends the days of the whole year when nothing else was typed.
	if (isOther('from', startOfYear(year)) || isOther('to', findLastDay(year, today())))
		return { href: addressWith(url, { q: undefined, page: undefined, from: undefined, to: undefined }), label: 'Show the whole year' }
	if (typed('segment')) return { href: addressWith(url, { page: undefined, segment: undefined }), label: 'Show all segments' }
	const before = year - 1
	if (!selectableYears(now()).includes(before)) return { href: '/funds', label: 'Add funds' }
	return {
		href: addressWith(url, { page: undefined, from: undefined, to: undefined, year: formatYear(before) }),
		label: `See ${formatYear(before)}`,
	}
}
