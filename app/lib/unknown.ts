/* Shows values that the broker left out or that could not be read. */

export const DASH = '—'

/** The formatted value; a dash when it is missing, because a missing figure must not look like zero. */
export function orDash<Value>(value: Value | null | undefined, format: (value: Value) => string): string {
	return value === null || value === undefined ? DASH : format(value)
}

/** Our name for a broker's code. An unknown code is shown as the broker wrote it, a missing one as a dash. */
export function nameCode(names: Readonly<Record<string, string>>, code: string | null): string {
	return code ? (Object.hasOwn(names, code) && names[code]) || code : DASH
}

/** The sum of amounts; null when one of them is unknown. */
export function sumOrNull(amounts: readonly (number | null)[]): number | null {
	let sum = 0
	for (const amount of amounts) {
		if (amount === null) return null
		sum += amount
	}
	return sum
}
