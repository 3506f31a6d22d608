import { unreadIn } from '#contract/tolerant'
import { type Cell } from '~/lib/table'
import { DASH } from '~/lib/unknown'
import { tellRate } from './gain-rate.server'
import { type Column, type Report } from './declaration'

const isKey = <Row>({ tiers }: Report<Row>, key: string) => !tiers || tiers.keys.includes(key)

export const hasTotals = <Row>({ columns }: Report<Row>) => columns.some(({ total }) => total)

/**
 * Returns the foot of the arranged rows: `Total` under the first column, sums under the summed ones. The label says when rows are
 * missing.
 */
export function buildFoot<Row>(report: Report<Row>, arranged: readonly Row[]): Cell[] | undefined {
	return hasTotals(report) ? sumUp(report, arranged, unreadIn(arranged) ? 'Total (incomplete)' : 'Total') : undefined
}

/** Returns the lines above the total: the sums of each kind of rows. Undefined when the rows are all of one kind. */
export function buildSubtotals<Row>(report: Report<Row>, arranged: readonly Row[]): Cell[][] | undefined {
	const kinds = (report.subtotals ?? [])
		.map(({ label, of }) => ({ label, rows: arranged.filter(of) }))
		.filter(({ rows }) => rows.length > 0)
	return kinds.length > 1 ? kinds.map(({ label, rows }) => sumUp(report, rows, label)) : undefined
}

function sumUp<Row>(report: Report<Row>, rows: readonly Row[], label: string): Cell[] {
	const labelled = Math.max(
		0,
		report.columns.findIndex(({ key }) => isKey(report, key)),
	)
	const sum = ({ key, total }: Column<Row>): Cell => (key === report.rate?.share ? tellRate(report, rows) || DASH : (total?.(rows) ?? ''))
	return ['', ...report.columns.map((column, index) => (index === labelled ? label : sum(column)))]
}
