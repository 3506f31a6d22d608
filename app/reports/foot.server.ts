import { unreadIn } from '#contract/tolerant'
import { DASH } from '~/lib/unknown'
import { tellRate } from './gain-rate.server'
import { type Column, type Report } from './report.server'

const isKey = <Row>({ tiers }: Report<Row>, key: string) => !tiers || tiers.keys.includes(key)

export const hasTotals = <Row>({ columns }: Report<Row>) => columns.some(({ total }) => total)

/**
 * Returns the foot of the arranged rows: `Total` under the first column, sums under the summed ones. The label says when rows are
 * missing.
 */
export function buildFoot<Row>(report: Report<Row>, arranged: readonly Row[]): string[] | undefined {
	if (!hasTotals(report)) return undefined
	const label = unreadIn(arranged) ? 'Total (incomplete)' : 'Total'
	const labelled = Math.max(
		0,
		report.columns.findIndex(({ key }) => isKey(report, key)),
	)
	const sum = ({ key, total }: Column<Row>) => (key === report.rate?.share ? tellRate(report, arranged) || DASH : (total?.(arranged) ?? ''))
	return ['', ...report.columns.map((column, index) => (index === labelled ? label : sum(column)))]
}
