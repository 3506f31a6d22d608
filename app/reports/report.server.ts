import { unreadIn, withUnread } from '#contract/tolerant'
import { type Cell, type PagedTable, type Table } from '~/lib/table'
import { buildFoot, buildSubtotals, hasTotals } from './foot.server'
import { type Column, type Report } from './declaration'
import { createSearch } from './search.server'
import { findDayOrder, sortLink } from './sort-links.server'
import { buildStrip } from './strip.server'
import { fitColumns } from './tiers.server'
import { tellUnread } from './unread.server'
import { addressWith, readView, ROWS_A_PAGE, type View } from './view.server'

/**
 * Returns the rows of a view from the whole set: searched, sorted (stable), not yet split into pages. The note of unreadable rows is
 * kept in the result.
 */
export function arrange<Row>(report: Report<Row>, rows: readonly Row[], view: View): readonly Row[] {
	const found = view.q ? withUnread(rows.filter(createSearch(report, view.q)), rows) : rows
	const sortBy = report.columns.find(({ key }) => key === view.sort?.key)?.sortBy
	if (!view.sort || !sortBy) return found
	const direction = view.sort.isDescending ? -1 : 1
	const sorted = [...found].sort((a, b) => {
		const [left, right] = [sortBy(a), sortBy(b)]
		return left === right ? 0 : left < right ? -direction : direction
	})
	return withUnread(sorted, found)
}

export function sortableKeys<Row>(report: Report<Row>): string[] {
	return report.columns.filter(({ sortBy }) => sortBy).map(({ key }) => key)
}

function buildCell<Row>({ cell, below }: Column<Row>, row: Row): Cell {
	const shown = cell(row)
	const said = below?.(row)
	if (!said) return shown
	const { text, tone } = typeof said === 'string' ? { text: said, tone: undefined } : said
	return { ...(typeof shown === 'string' ? { text: shown } : shown), phoneNote: text, phoneTone: tone }
}

/** Where the order of a small table stands in the address: `sort=dividends.amount` is that of `dividends`. */
type SmallOrder = { url: URL; name: string }

/** Returns the rows in the order that the address asks for, and the links in the heads. A page can have several such tables. */
export function orderSmallTable<Row>(columns: readonly Column<Row>[], rows: readonly Row[], { url, name }: SmallOrder) {
	const named = (key: string) => `${name}.${key}`
	const report = { title: name, columns: columns.map((column) => ({ ...column, key: named(column.key) })), words: () => '' }
	const byDay = findDayOrder({ ...report, columns }, rows)
	const sort = readView(url, sortableKeys(report)).sort ?? (byDay && { ...byDay, key: named(byDay.key) })
	const view = { q: '', page: 1, sort }
	return {
		rows: arrange(report, rows, view),
		link: ({ key, sortBy }: Column<Row>) => sortBy && sortLink(named(key), view, url),
	}
}

/**
 * Returns a table that shows all rows at once, without a running number. Its totals, if any, say when a row could not be read. With
 * `order` its heads sort it; without it the order has a meaning, as in a list of steps or months.
 */
export function buildSmallTable<Row>(
	caption: string,
	columns: readonly Column<Row>[],
	rows: readonly Row[],
	{
		hasTotals: isTotalled = true,
		subtotals,
		order,
	}: { hasTotals?: boolean; subtotals?: Report<Row>['subtotals']; order?: SmallOrder } = {},
): Table {
	const report = { title: caption, columns, subtotals, words: () => '' }
	const ordered = order && orderSmallTable(columns, rows, order)
	return {
		caption,
		columns: columns.map((column) => ({
			key: column.key,
			label: column.label,
			unit: column.unit,
			isMain: column.isMain,
			totalBelow: column.totalBelow,
			align: column.align ?? 'left',
			...ordered?.link(column),
		})),
		rows: (ordered?.rows ?? rows).map((row, index) => ({ id: String(index + 1), cells: columns.map((column) => buildCell(column, row)) })),
		subtotals: buildSubtotals(report, rows)?.map((sums) => sums.slice(1)),
		foot: buildFoot(report, rows)?.slice(1),
		unread: tellUnread(unreadIn(rows), { hasTotals: isTotalled }),
	}
}

/** Searches each batch as it arrives. Only sorting needs all rows at once. */
export async function* searchBatches<Row>(
	report: Report<Row>,
	batches: AsyncIterable<readonly Row[]>,
	view: View,
): AsyncGenerator<readonly Row[]> {
	for await (const rows of batches) yield arrange(report, rows, { ...view, sort: undefined })
}

/** Returns one page of the arranged rows for the table component. The running number counts over all pages. */
export function buildTable<Row>(
	report: Report<Row>,
	arranged: readonly Row[],
	view: View,
	url: URL,
	rowKind?: (row: Row) => 'opening' | 'wrong' | undefined,
): PagedTable {
	const pages = Math.max(1, Math.ceil(arranged.length / ROWS_A_PAGE))
	const page = Math.min(view.page, pages)
	const start = (page - 1) * ROWS_A_PAGE
	const shown = arranged.slice(start, start + ROWS_A_PAGE)
	const ordered = { ...view, sort: view.sort ?? findDayOrder(report, shown) }
	const table = {
		caption: report.title,
		unread: tellUnread(unreadIn(arranged), { hasTotals: hasTotals(report) }),
		columns: [
			{ key: 'n', label: '#', align: 'right' as const },
			...report.columns.map(({ key, label, unit, align, side, isAbove, isMain, isStart, hasSide, totalBelow, sortBy }) => ({
				key,
				label,
				unit,
				side,
				isAbove,
				isMain,
				isStart,
				hasSide,
				totalBelow,
				align: align ?? ('left' as const),
				...(sortBy && sortLink(key, ordered, url)),
			})),
		],
		rows: shown.map((row, index) => ({
			id: String(start + index + 1),
			kind: rowKind?.(row),
			cells: [String(start + index + 1), ...report.columns.map((column) => buildCell(column, row))],
		})),
		strip: buildStrip(report, arranged),
		paging: {
			from: shown.length > 0 ? start + 1 : 0,
			to: start + shown.length,
			total: arranged.length,
			page,
			pages,
			first: page > 2 ? addressWith(url, { page: undefined }) : undefined,
			previous: page > 1 ? addressWith(url, { page: page === 2 ? undefined : String(page - 1) }) : undefined,
			next: page < pages ? addressWith(url, { page: String(page + 1) }) : undefined,
			last: page < pages - 1 ? addressWith(url, { page: String(pages) }) : undefined,
		},
	}
	return report.tiers ? fitColumns(table, report.tiers, url) : table
}
