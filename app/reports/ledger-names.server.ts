import { NameInAddress } from '#contract/common'
import { formatDashedDay } from '#contract/values/dates'
import { currentYear, type FinancialYear, formatYear, findLastDay, startOfYear } from '#contract/values/financial-year'
import { now, today } from '~/broker/clock.server'
import { type LedgerQuery } from '~/broker/ledger.server'

/**
 * Returns the name of the yearly file of a ledger. `DEMO01_LEDGER` is for the current year. The name of another year has that year, so
 * that the files in a folder differ.
 */
export function formatYearName(code: string, year: FinancialYear): string {
	return year === currentYear(now()) ? `${code}_LEDGER` : `${code}_LEDGER_${formatYear(year)}`
}

/** True when a period is the whole year, or its days up to today. */
const isYear = ({ from, to }: Pick<LedgerQuery, 'from' | 'to'>, year: FinancialYear) =>
	from === startOfYear(year) && to === findLastDay(year, today())

/**
 * True when a query asks for what the broker's own file of a year holds: the year's days up to today, the opening balance, and no
 * margin.
 */
export const isOfYear = (query: LedgerQuery, year: FinancialYear) => isYear(query, year) && query.withOpening && !query.withMargin

/** Returns the name of the file of any period; of a period that is not a whole year: `DEMO01_LEDGER_01-05-2023_31-05-2023`. */
export function formatPeriodName(code: string, query: Pick<LedgerQuery, 'from' | 'to'>, year: FinancialYear): string {
	return isYear(query, year) ? formatYearName(code, year) : `${code}_LEDGER_${formatDashedDay(query.from)}_${formatDashedDay(query.to)}`
}

/** The form on the page of one ledger may choose another, or all. An address names its ledger once. An unknown one leads to all. */
export async function findChosenPage(url: URL, isLedger: (cocd: string) => Promise<boolean>): Promise<URL> {
	const chosen = url.searchParams.get('segment')
	if (chosen === null) return url
	const cocd = NameInAddress.safeParse(chosen).data
	const page = new URL(cocd && (await isLedger(cocd)) ? `/reports/ledger/${encodeURIComponent(cocd)}` : '/reports/ledger', url)
	page.search = url.search
	page.searchParams.delete('segment')
	return page
}
