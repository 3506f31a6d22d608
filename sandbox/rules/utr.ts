import { type Day, daysBetween } from '#contract/values/dates'

/** `22166`: two digits of the year and the day of the year, as in banks' reference numbers. */
function dayOfYear(day: Day): string {
	return day.slice(2, 4) + String(daysBetween(`${day.slice(0, 4)}-01-01`, day) + 1).padStart(3, '0')
}

/**
 * The reference number of a UPI payment, twelve digits: the year's last digit, the day of the year, the hour (0 to 23), and the last six
 * digits of `running` (ISO 8583's field 37 as NPCI fills it).
 */
export function formatUpiNumber(day: Day, hour: number, running: number): string {
	return dayOfYear(day).slice(1) + String(hour).padStart(2, '0') + String(running % 1_000_000).padStart(6, '0')
}

/**
 * The unique transaction reference of a NEFT transfer, sixteen characters: the sending bank's four letters, N, year and day of the year,
 * and the last six digits of `running` (Reserve Bank's NEFT procedural guidelines, from memory).
 */
export function formatUtr(bank: string, day: Day, running: number): string {
	return `${bank.slice(0, 4)}N${dayOfYear(day)}${String(running % 1_000_000).padStart(6, '0')}`
}

const LAKH = 1_00_000_00

/**
 * The maximum that one client may pay a broker by UPI on a day, in paise: two lakh rupees for the capital market since 2020, five lakh
 * from 15-Sep-2025 (NPCI's circular of August 2025, from memory; SEBI's plan of June 2025 names the same five lakh).
 */
export function findUpiLimit(day: Day): number {
	return day < '2025-09-15' ? 2 * LAKH : 5 * LAKH
}
