import { addDays, type Day, parseDay } from '#contract/values/dates'
import { addressWith } from './view.server'

export type DatePreset = { label: string; href: string; isCurrent: boolean }

type Days = { from: Day; to: Day }

/**
 * Links to periods that are often chosen; `year` is the one shown when no day is in the address. Quarters of the financial year begin in
 * April, July, October and January.
 */
export function listDatePresets(url: URL, now: Day, year: Days): DatePreset[] {
	const monthStart = `${now.slice(0, 7)}-01`
	const monthBefore = addDays(monthStart, -1)
	const quarterMonth = Math.floor((Number(now.slice(5, 7)) - 1) / 3) * 3 + 1
	const periods = [
		{ label: 'This month', from: monthStart, to: now },
		{ label: 'Last month', from: `${monthBefore.slice(0, 7)}-01`, to: monthBefore },
		{ label: 'This quarter', from: `${now.slice(0, 4)}-${String(quarterMonth).padStart(2, '0')}-01`, to: now },
		{ label: 'Whole year', from: undefined, to: undefined },
	]
	const read = (name: 'from' | 'to') => parseDay(url.searchParams.get(name) ?? '') ?? year[name]
	return periods.map(({ label, from, to }) => ({
		label,
		href: addressWith(url, { from, to, page: undefined }),
		isCurrent: (from ?? year.from) === read('from') && (to ?? year.to) === read('to'),
	}))
}
