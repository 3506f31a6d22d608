import { parseDay } from '#contract/values/typed-day'

/** `2026-03-31` as `31/03/2026`; any other text unchanged. */
export function showDay(text: string): string {
	const [, year, month, day] = /^(\d{4})-(\d{2})-(\d{2})$/.exec(text) ?? []
	return year ? `${day}/${month}/${year}` : text
}

/** `31/03/2026`, `31-3-2026` or `31032026` as `2026-03-31`; any text that is not a day unchanged. */
export function toIsoDay(text: string): string {
	return parseDay(text) ?? text
}

/** The query of an address with the days of its period as ISO days, however they were typed. */
export function withIsoDays(query: string | URLSearchParams): URLSearchParams {
	const copy = new URLSearchParams(query)
	for (const name of ['from', 'to']) {
		const typed = copy.get(name)
		if (typed) copy.set(name, toIsoDay(typed))
	}
	return copy
}
