/** A time in milliseconds in words, to the minute: `2 hours`, `an hour`, `90 minutes`, `a minute`; less than a minute is `a minute`. */
export function formatDuration(ms: number): string {
	const minutes = Math.max(1, Math.round(ms / 60_000))
	const hours = minutes / 60
	if (Number.isInteger(hours)) return hours === 1 ? 'an hour' : `${hours} hours`
	return minutes === 1 ? 'a minute' : `${minutes} minutes`
}
