import { type Day } from '#contract/values/dates'
import { parseDay } from '#contract/values/typed-day'
import {
	currentYear,
	endOfYear,
	type FinancialYear,
	findLastDay,
	formatYear,
	selectableYears,
	startOfYear,
} from '#contract/values/financial-year'
import { type Broker } from '~/broker/client.server'
import { now, today } from '~/broker/clock.server'
import { findPersonalDetails } from '~/broker/profile.server'
import { addressWith } from './view.server'

export type NextStep = { href: string; label: string }

/**
 * Returns the link of an empty report: first without the filters, then the year before. From the first year and the year in which the
 * account was opened it leads to this year, and from this year to the page that adds funds.
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
	const current = currentYear(now())
	if (isFirst && year === current) return { href: '/funds', label: 'Add funds' }
	const next = formatYear(isFirst ? current : before)
	return { href: addressWith(url, { page: undefined, from: undefined, to: undefined, year: next }), label: `See ${next}` }
}

const isBeforeAccount = async (broker: Broker, year: FinancialYear) => (await findLaterOpening(broker, year)) !== undefined

/** Returns the day on which the account was opened when that was after the year. */
export async function findLaterOpening(broker: Broker, year: FinancialYear): Promise<Day | undefined> {
	const opened = (await findPersonalDetails(broker))?.personal_details.opened_on
	return opened && opened > endOfYear(year) ? opened : undefined
}
