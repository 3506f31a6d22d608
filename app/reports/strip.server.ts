import { unreadIn } from '#contract/tolerant'
import { type KeyFigure, readText } from '~/lib/table'
import { tellRate } from './gain-rate.server'
import { type Report } from './declaration'

/* The figures above a table. */

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
				text: rate ? `${figure.text} (${readText(rate)})` : figure.text,
				isMain: key === report.main,
			},
		]
	})
	const mark = (figure?: KeyFigure) => (figure ? [{ ...figure, label: `${figure.label}${incomplete}` }] : [])
	const first = lead?.(arranged)
	return [...mark(first && { ...first, isMain: true }), ...sums, ...(report.figures?.(arranged) ?? []).flatMap(mark)]
}
