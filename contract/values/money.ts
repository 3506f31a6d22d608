/** Money is an integer number of paise everywhere in this project. Rupees exist only on the wire and on screen. */
export type Paise = number

// Formatters are made once: one per cell costs a factor of three in server rendering.
const grouped = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Rupees as a JSON number (at most two decimals) to paise. Rounds half away from zero, so 0.1 + 0.2 style noise cannot leak in. */
export function toPaise(rupees: number): Paise {
	const paise = Math.round(Math.abs(rupees) * 100)
	return rupees < 0 && paise !== 0 ? -paise : paise
}

/** Paise to the JSON number of rupees that the wire carries. */
export function toRupees(paise: Paise): number {
	return paise / 100
}

/** `12,34,567.89`, with a true minus sign for a negative amount and no currency sign. */
export function formatAmount(paise: Paise): string {
	return paise < 0 ? `−${grouped.format(-paise / 100)}` : grouped.format(paise / 100)
}

/** `₹ 12,34,567.89`; negative amounts carry a true minus sign before the ₹. */
export function formatRupees(paise: Paise): string {
	return paise < 0 ? `−₹ ${grouped.format(-paise / 100)}` : `₹ ${grouped.format(paise / 100)}`
}

/** A balance with its side: positive is the client's credit (the broker owes the client). Zero has no side. */
export function formatBalance(paise: Paise): string {
	if (paise === 0) return '₹ 0.00'
	return `₹ ${grouped.format(Math.abs(paise) / 100)} ${paise > 0 ? 'Cr' : 'Dr'}`
}

/** A gain or a loss, which says so by its sign as well as by its colour. */
export function formatGain(paise: Paise): string {
	return paise > 0 ? `+₹ ${grouped.format(paise / 100)}` : formatRupees(paise)
}

/** Plain figure for a CSV: `-1234567.89`. Exact: made from the integer, not by division. */
export function formatPlainAmount(paise: Paise): string {
	const digits = String(Math.abs(paise)).padStart(3, '0')
	return `${paise < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
