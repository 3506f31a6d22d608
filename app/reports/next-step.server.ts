import { type FinancialYear, formatYear, selectableYears } from '#contract/values/financial-year'
import { now } from '~/broker/clock.server'
import { addressWith } from './view.server'

export type NextStep = { href: string; label: string }

/** What an empty report links to: first what was left out, then the year before; money in the first of the years. */
export function suggestNextStep(url: URL, year: FinancialYear): NextStep {
	const has = (name: string) => Boolean(url.searchParams.get(name))
	if (has('from') || has('to'))
		return { href: addressWith(url, { q: undefined, page: undefined, from: undefined, to: undefined }), label: 'Show the whole year' }
	if (has('segment')) return { href: addressWith(url, { page: undefined, segment: undefined }), label: 'Show all segments' }
	const before = year - 1
	if (!selectableYears(now()).includes(before)) return { href: '/funds', label: 'Add funds' }
	return { href: addressWith(url, { page: undefined, year: formatYear(before) }), label: `See ${formatYear(before)}` }
}
