import { formatDay, timeOfDay, today } from './days'

/** `17:30 on 20/11/2026` in India, of an instant as the broker writes it. */
export function momentOf(instant: string): string {
	const at = new Date(instant)
	return `${timeOfDay(at).slice(0, 5)} on ${formatDay(today(at))}`
}
