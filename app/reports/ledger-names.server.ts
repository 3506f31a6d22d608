import { dashedDay } from '#contract/values/dates'
import { currentYear, type FinancialYear, formatYear, findLastDay, startOfYear } from '#contract/values/financial-year'
import { now, today } from '~/broker/clock.server'
import { type LedgerQuery } from '~/broker/ledger.server'

/**
 * The name of a ledger's yearly file. `DEMO01_LEDGER` is for the current year; a file of another year names it, so that the files in a
 * folder differ.
 */
export function nameOfYear(code: string, year: FinancialYear): string {
	return year === currentYear(now()) ? `${code}_LEDGER` : `${code}_LEDGER_${formatYear(year)}`
}

/** The same for a period that is not a year: `DEMO01_LEDGER_01-05-2023_31-05-2023`. */
export function nameOfDays(code: string, { from, to }: Pick<LedgerQuery, 'from' | 'to'>, year: FinancialYear): string {
	const isYear = from === startOfYear(year) && to === findLastDay(year, today())
	return isYear ? nameOfYear(code, year) : `${code}_LEDGER_${dashedDay(from)}_${dashedDay(to)}`
}
