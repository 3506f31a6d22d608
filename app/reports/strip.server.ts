import { unreadIn } from '#contract/tolerant'
import { formatRupees } from '#contract/values/money'
import { type KeyFigure } from '~/lib/table'
import { tellRate } from './gain-rate.server'
import { type Report } from './report.server'

/* The figures above a table. */

/** Returns the sums of a report that has no row at all, not only none that is found. Otherwise undefined. */
export function buildZeroStrip<Row>(report: Report<Row>, rows: readonly Row[]): KeyFigure[] | undefined {
	if (rows.length > 0 || unreadIn(rows)) return undefined
	const { columns, strip = [], main, lead, figures } = report
	const zero = (label: string, isMain = false) => ({ label, text: formatRupees(0), isMain })
	const first = lead?.([])
	const sums = strip.flatMap((key) => columns.filter((column) => column.key === key).map(({ label }) => zero(label, key === main)))
	return [...(first ? [zero(first.label, true)] : []), ...sums, ...(figures?.([]) ?? []).flatMap((each) => (each ? zero(each.label) : []))]
}

/** Returns the sums of the arranged rows; the labels say when rows are missing. Undefined when there is no row. */
export function buildStrip<Row>(report: Report<Row>, arranged: readonly Row[]): KeyFigure[] | undefined {
	const { columns, strip, lead } = report
	if (!strip || arranged.length === 0) return undefined
	const incomplete = unreadIn(arranged) ? ' (incomplete)' : ''
	const sums = strip.flatMap((key) => {
		const column = columns.find((each) => each.key === key)
		if (!column?.headline) return []
		const figure = column.headline(arranged)
		const rate = key === report.rate?.gain && tellRate(report, arranged)
		return [
			{
				...figure,
				label: `${column.label}${incomplete}`,
				text: rate ? `${figure.text} (${rate})` : figure.text,
				isMain: key === report.main,
			},
		]
	})
	const mark = (figure?: KeyFigure) => (figure ? [{ ...figure, label: `${figure.label}${incomplete}` }] : [])
	const first = lead?.(arranged)
	return [...mark(first && { ...first, isMain: true }), ...sums, ...(report.figures?.(arranged) ?? []).flatMap(mark)]
}
