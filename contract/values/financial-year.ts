import { type Day, toIndianDay } from './dates'

/** A financial year by its start year: 2024 is 1 April 2024 to 31 March 2025, written 2024-2025. */
export type FinancialYear = number

export function findFinancialYear(day: Day): FinancialYear {
	const year = Number(day.slice(0, 4))
	return Number(day.slice(5, 7)) >= 4 ? year : year - 1
}

export function currentYear(now?: Date): FinancialYear {
	return findFinancialYear(toIndianDay(now))
}

/** `2024-2025`, as in addresses, the year selector and the broker's statements. */
export function formatYear(year: FinancialYear): string {
	return `${year}-${year + 1}`
}

export function startOfYear(year: FinancialYear): Day {
	return `${year}-04-01`
}

export function endOfYear(year: FinancialYear): Day {
	return `${year + 1}-03-31`
}

/** The last day of a year; today for the current year. */
export function findLastDay(year: FinancialYear, now: Day = toIndianDay()): Day {
	return endOfYear(year) < now ? endOfYear(year) : now
}

/** The current year and the four before it, newest first: the years of the selector. */
export function selectableYears(now?: Date): FinancialYear[] {
	const current = currentYear(now)
	return [0, 1, 2, 3, 4].map((back) => current - back)
}

/** The year written as `2024-2025`; undefined when it is not one of the five selectable years. */
export function parseYear(text: string | null | undefined, now?: Date): FinancialYear | undefined {
	return selectableYears(now).find((year) => formatYear(year) === text)
}
