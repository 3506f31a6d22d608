import { type Day } from './dates'

/* Browsers load this file too. It is without dayjs, which has 13 kB. */

/**
 * True for a day that exists; 2025-02-30 does not. Computed without dayjs, which took a fifth of the time of the first page of 100,000
 * ledger rows.
 */
export function isDay(text: string): boolean {
	const [, year, month, day] = (/^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []).map(Number)
	if (year === undefined || month === undefined || day === undefined) return false
	return month >= 1 && month <= 12 && day >= 1 && day <= countMonthDays(month, year)
}

function countMonthDays(month: number, year: number): number {
	if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
	return [4, 6, 9, 11].includes(month) ? 30 : 31
}

/**
 * A day typed by a person (DD/MM/YYYY, also with `-`, `.` or spaces, DDMMYYYY, or YYYY-MM-DD); undefined when it is not a real date. The
 * page and the server both read with it, so that no text is a day for one and an error for the other.
 */
export function parseDay(typed: string): Day | undefined {
	const text = typed.trim()
	// Without a separator only eight digits are clear: 1112025 could be 1 November or 11 January.
	const [, day, , month, year] = /^(\d{1,2})([/. -])(\d{1,2})\2(\d{4})$/.exec(text) ?? /^(\d{2})()(\d{2})(\d{4})$/.exec(text) ?? []
	const iso = day && month ? `${year}-${month.padStart(2, '0')}-${day.padStart(2, '0')}` : text
	return isDay(iso) ? iso : undefined
}
