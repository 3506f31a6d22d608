import { addDays, formatDay, timeOfDay, toIndianDay } from './dates'

/** `17:30` in India. */
export const formatTime = (at: Date): string => timeOfDay(at).slice(0, 5)

/** `17:30 on 20/11/2026` in India, from an instant as the broker writes it. */
export function formatMoment(instant: string | Date): string {
	const at = new Date(instant)
	return `${formatTime(at)} on ${formatDay(toIndianDay(at))}`
}

/** `2026-11-20 17:30` in India, for a spreadsheet. */
export function formatPlainMoment(instant: string): string {
	const at = new Date(instant)
	return `${toIndianDay(at)} ${formatTime(at)}`
}

/**
 * A deadline in words for the client, in Indian time: `17:00 today`, `09:00 tomorrow`, `23:59 on 31/07/2026`. Midnight counts as the end
 * of the day before: `the end of today`.
 */
export function formatDeadline(deadline: Date, now: Date): string {
	const time = formatTime(deadline)
	const isMidnight = time === '00:00'
	const day = addDays(toIndianDay(deadline), isMidnight ? -1 : 0)
	const today = toIndianDay(now)
	const name = day === today ? 'today' : day === addDays(today, 1) ? 'tomorrow' : undefined
	if (isMidnight) return `the end of ${name ?? formatDay(day)}`
	return name ? `${time} ${name}` : `${time} on ${formatDay(day)}`
}
