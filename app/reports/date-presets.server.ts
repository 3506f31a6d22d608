import { addDays, type Day } from '#contract/values/dates'
import { addressWith } from './view.server'

export type DatePreset = { label: string; href: string; isCurrent: boolean }

/** Links to periods that are often chosen. Quarters of the financial year begin in April, July, October and January. */
export function listDatePresets(url: URL, now: Day): DatePreset[] {
	const monthStart = `${now.slice(0, 7)}-01`
	const monthBefore = addDays(monthStart, -1)
	const quarterMonth = Math.floor((Number(now.slice(5, 7)) - 1) / 3) * 3 + 1
	const periods = [
		{ label: 'This month', from: monthStart, to: now },
		{ label: 'Last month', from: `${monthBefore.slice(0, 7)}-01`, to: monthBefore },
		{ label: 'This quarter', from: `${now.slice(0, 4)}-${String(quarterMonth).padStart(2, '0')}-01`, to: now },
		{ label: 'Whole year', from: undefined, to: undefined },
	]
	const [typedFrom, typedTo] = [url.searchParams.get('from') || undefined, url.searchParams.get('to') || undefined]
	return periods.map(({ label, from, to }) => ({
		label,
		href: addressWith(url, { from, to, page: undefined }),
		isCurrent: from === typedFrom && to === typedTo,
	}))
}
