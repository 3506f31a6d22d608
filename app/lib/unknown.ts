/* What is shown of a value that a broker left out, or wrote in a way that nobody can read. */

export const DASH = '—'

/** The formatted value; a dash for none, since a figure that is no number is never a zero. */
export function orDash<Value>(value: Value | null | undefined, format: (value: Value) => string): string {
	return value === null || value === undefined ? DASH : format(value)
}

/** Our name of a broker's code. A code that we do not know is shown as the broker wrote it, none as a dash. */
export function nameCode(names: Readonly<Record<string, string>>, code: string | null): string {
	return code ? (Object.hasOwn(names, code) && names[code]) || code : DASH
}

/** The sum of amounts; null when one of them is not known. */
export function sumOrNull(amounts: readonly (number | null)[]): number | null {
	let sum = 0
	for (const amount of amounts) {
		if (amount === null) return null
		sum += amount
	}
	return sum
}
