import { type Report } from './declaration'
import { addressWith, type View } from './view.server'

/** Returns the order by day that the rows of the page already have, when no order was asked for. */
export function findDayOrder<Row>({ columns }: Report<Row>, shown: readonly Row[]): View['sort'] {
	const date = columns.find(({ key }) => key === 'date')
	if (!date?.sortBy) return undefined
	const days = shown.map((row) => date.sortBy?.(row) ?? '')
	const isOldestFirst = days.length > 1 && days.every((day, index) => day !== '' && (index === 0 || (days[index - 1] ?? '') <= day))
	return isOldestFirst ? { key: 'date', isDescending: false } : undefined
}

/** Returns the link in the head of a column, which sorts by it, and the other way round when the table is sorted by it already. */
export function sortLink(key: string, view: View, url: URL) {
	const isCurrent = view.sort?.key === key
	const next = isCurrent && !view.sort?.isDescending ? `-${key}` : key
	return {
		href: addressWith(url, { sort: next, page: undefined }),
		...(isCurrent && { sort: view.sort?.isDescending ? ('descending' as const) : ('ascending' as const) }),
	}
}
