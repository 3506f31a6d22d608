import { withIsoDays } from '~/lib/typed-days'

/** The view of a table. All of it is in the address, so that it can be bookmarked, shared and saved as CSV. */
export type View = { q: string; sort?: { key: string; isDescending: boolean }; page: number }

export const ROWS_A_PAGE = 100

export function readView(url: URL, sortable: readonly string[]): View {
	const asked = url.searchParams.get('sort') ?? ''
	const isDescending = asked.startsWith('-')
	const key = isDescending ? asked.slice(1) : asked
	const page = Number(url.searchParams.get('page') ?? '1')
	return {
		// A name copied from a table may have no-break spaces.
		q: (url.searchParams.get('q') ?? '').replaceAll('\u00a0', ' ').trim().slice(0, 100),
		sort: sortable.includes(key) ? { key, isDescending } : undefined,
		page: Number.isSafeInteger(page) && page > 0 ? page : 1,
	}
}

/** True when the address searches, sorts or pages a table with these columns. The table must then not be folded. */
export function addressesTable(url: URL, { q, sort, page }: View, sortable: readonly string[]): boolean {
	return q !== '' || page > 1 || url.searchParams.get('columns') === 'all' || (sort !== undefined && sortable.includes(sort.key))
}

/** Returns the link that reverses a list by day. The default order is the oldest first. */
export function turnDates({ sort }: View, url: URL): { href: string; label: string } {
	return sort?.key === 'date' && sort.isDescending
		? { href: addressWith(url, { sort: undefined, page: undefined }), label: 'Oldest first' }
		: { href: addressWith(url, { sort: '-date', page: undefined }), label: 'Latest first' }
}

/** Returns the base of links. It has the year, because another session does not know it. */
export function createLinkBase(url: URL, year: string): URL {
	return new URL(addressWith(url, { year }), url.origin)
}

/** Only an order of many securities makes a query of ours longer. */
const LONG_QUERY = 2000
/** The parameters of tables and filters, and of an order. */
const KNOWN =
	/^(year|segment|from|to|filtered|margin|opening|q|sort|page|columns|table|condition|link|action|isin|trade_type|post_trade_date|(qty\.)?IN[A-Z0-9]{10})$/
/** Longer values are not read. */
const LONGEST_VALUE = 100

/**
 * Returns the query that links repeat. Of a long one they keep what pages know: a page has dozens of links, so a query of 7 KB would add
 * half a megabyte to it.
 */
function readRepeated({ search, searchParams }: URL): URLSearchParams {
	if (search.length <= LONG_QUERY) return withIsoDays(searchParams)
	const known = new URLSearchParams()
	for (const [name, value] of searchParams)
		if (KNOWN.test(name) && (name === 'isin' || !known.has(name))) known.append(name, value.slice(0, LONGEST_VALUE))
	return withIsoDays(known)
}

/**
 * Returns the same address with part of its query replaced; undefined removes a parameter. Always removes `refresh`, because it belongs
 * to one visit. The days of a period are ISO days, however they were typed.
 */
export function addressWith(url: URL, changes: Record<string, string | undefined>, path = url.pathname): string {
	const query = readRepeated(url)
	query.delete('refresh')
	for (const [name, value] of Object.entries(changes)) {
		if (value === undefined) query.delete(name)
		else query.set(name, value)
	}
	return query.size > 0 ? `${path}?${query}` : path
}

/** Returns the sort order as in an address: `-value`. */
export function sortText({ sort }: View): string | undefined {
	return sort && `${sort.isDescending ? '-' : ''}${sort.key}`
}

/** Returns the address of a table's file: the view, and no other parameter of the page's address. */
export function formatFileAddress(path: string, view: View): string {
	const sort = sortText(view)
	const query = new URLSearchParams({ ...(view.q && { q: view.q }), ...(sort && { sort }) })
	return query.size > 0 ? `${path}?${query}` : path
}
