import { dashedDay } from '#contract/values/dates'
import { currentYear, type FinancialYear, formatYear, findLastDay, startOfYear } from '#contract/values/financial-year'
import { now, today } from '~/broker/clock.server'
import { type LedgerQuery } from '~/broker/ledger.server'

/** What a ledger's file of a year is called. `DEMO01_LEDGER` is of the current year; one of another year names it, so that a folder tells them apart. */
export function nameOfYear(code: string, year: FinancialYear): string {
	return year === currentYear(now()) ? `${code}_LEDGER` : `${code}_LEDGER_${formatYear(year)}`
}

/** The same of a file of other days than a year's: `DEMO01_LEDGER_01-05-2023_31-05-2023`. */
export function nameOfDays(code: string, { from, to }: Pick<LedgerQuery, 'from' | 'to'>, year: FinancialYear): string {
	const isYear = from === startOfYear(year) && to === findLastDay(year, today())
	return isYear ? nameOfYear(code, year) : `${code}_LEDGER_${dashedDay(from)}_${dashedDay(to)}`
}
