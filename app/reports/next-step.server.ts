import { parseDay } from '#contract/values/dates'
import { endOfYear, type FinancialYear, findLastDay, formatYear, selectableYears, startOfYear } from '#contract/values/financial-year'
import { type Broker } from '~/broker/client.server'
import { now, today } from '~/broker/clock.server'
import { findPersonalDetails } from '~/broker/profile.server'
import { addressWith } from './view.server'

export type NextStep = { href: string; label: string }

/**
 * Returns the link of an empty report: first without the filters, then the year before; in the first year and in the year in which the
 * account was opened, the page that adds funds.
 */
export async function suggestNextStep(broker: Broker, url: URL, year: FinancialYear): Promise<NextStep> {
	const typed = (name: string) => url.searchParams.get(name) || undefined
	const isOther = (name: string, day: string) => typed(name) !== undefined && parseDay(typed(name) ?? '') !== day
	// The form sends the days of the whole year when nothing else was typed.
	if (isOther('from', startOfYear(year)) || isOther('to', findLastDay(year, today())))
		return { href: addressWith(url, { q: undefined, page: undefined, from: undefined, to: undefined }), label: 'Show the whole year' }
	if (typed('segment')) return { href: addressWith(url, { page: undefined, segment: undefined }), label: 'Show all segments' }
	const before = year - 1
	const isFirst = !selectableYears(now()).includes(before) || (await isBeforeAccount(broker, before))
	if (isFirst) return { href: '/funds', label: 'Add funds' }
	return {
		href: addressWith(url, { page: undefined, from: undefined, to: undefined, year: formatYear(before) }),
		label: `See ${formatYear(before)}`,
	}
}

/** True when the account was opened after the year. */
async function isBeforeAccount(broker: Broker, year: FinancialYear): Promise<boolean> {
	const opened = (await findPersonalDetails(broker))?.personal_details.opened_on
	return Boolean(opened && opened > endOfYear(year))
}
