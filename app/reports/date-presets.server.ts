import { addDays, type Day } from '#contract/values/dates'
import { parseDay } from '#contract/values/typed-day'
import { addressWith } from './view.server'

export type DatePreset = { label: string; href: string; isCurrent: boolean }

type Days = { from: Day; to: Day }

type Period = { label: string; from?: Day; to?: Day }

/**
 * Returns links to periods that are often chosen. `year` is the period shown when the address has no days. A past year has links to its
 * quarters.
 */
export function listDatePresets(url: URL, now: Day, year: Days): DatePreset[] {
	const periods: Period[] = [...(year.to < now ? listQuarters(year.from) : listRecent(now)), { label: 'Whole year' }]
	const read = (name: 'from' | 'to') => parseDay(url.searchParams.get(name) ?? '') ?? year[name]
	return periods.map(({ label, from, to }) => ({
		label,
		href: addressWith(url, { from, to, page: undefined }),
		isCurrent: (from ?? year.from) === read('from') && (to ?? year.to) === read('to'),
	}))
}

/** Returns the recent periods. Quarters of the financial year begin in April, July, October and January. */
function listRecent(now: Day): Period[] {
	const monthStart = `${now.slice(0, 7)}-01`
	const monthBefore = addDays(monthStart, -1)
	const quarterMonth = Math.floor((Number(now.slice(5, 7)) - 1) / 3) * 3 + 1
	return [
		{ label: 'This month', from: monthStart, to: now },
		{ label: 'Last month', from: `${monthBefore.slice(0, 7)}-01`, to: monthBefore },
		{ label: 'This quarter', from: `${now.slice(0, 4)}-${String(quarterMonth).padStart(2, '0')}-01`, to: now },
	]
}

/** Returns the four quarters of the financial year that begins on this day. */
function listQuarters(firstDay: Day): Period[] {
	const begins = firstDay.slice(0, 4)
	const ends = String(Number(begins) + 1)
	return [
		{ label: 'Apr–Jun', from: `${begins}-04-01`, to: `${begins}-06-30` },
		{ label: 'Jul–Sep', from: `${begins}-07-01`, to: `${begins}-09-30` },
		{ label: 'Oct–Dec', from: `${begins}-10-01`, to: `${begins}-12-31` },
		{ label: 'Jan–Mar', from: `${ends}-01-01`, to: `${ends}-03-31` },
	]
}
