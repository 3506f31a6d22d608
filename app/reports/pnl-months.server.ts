import { type IncomeTax } from '#contract/tax'
import { isRounded, unreadIn } from '#contract/tolerant'
import { type Segment } from '#contract/units'
import { findLastDay, type FinancialYear, startOfYear } from '#contract/values/financial-year'
import { formatGain, type Paise } from '#contract/values/money'
import { today } from '~/broker/clock.server'
import { allowRounding } from '~/lib/rounding'
import { drawRealised, sumRealised } from './month-charts.server'

/**
 * Draws the realised profit of a year by month. The P&L has no days, so this uses the sales of the tax report, which have the same sum.
 * When the sums differ, a note says so. `realised` is the sum of the table's rows, null when one is not known.
 */
export function drawPnlMonths(tax: IncomeTax, year: FinancialYear, segment: Segment | undefined, realised: Paise | null) {
	if (unreadIn(tax.rows)) return undefined
	const closings = tax.rows.filter(({ SEGMENT }) => !segment || SEGMENT === segment)
	const months = sumRealised(closings, startOfYear(year), findLastDay(year, today()))
	const chart = months && drawRealised(months)
	if (!chart) return undefined
	const made = months.reduce((sum, { amount }) => sum + amount, 0)
	// Each closing has two amounts, and one or more of them make a figure of the table.
	const allowed = isRounded(tax) ? allowRounding(3 * closings.length) : 0
	const differs = realised !== null && Math.abs(made - realised) > allowed
	return {
		...chart,
		note: differs ? `The months make ${formatGain(made)}, but the securities and contracts ${formatGain(realised)}.` : undefined,
	}
}
