/** Money is a whole number of paise in the whole project. Rupees appear only in the API and on screen. */
export type Paise = number

// Formatters are created once: a formatter for each cell makes server rendering three times slower.
const grouped = new Intl.NumberFormat('en-IN', { minimumFractionDigits: 2, maximumFractionDigits: 2 })

/** Rupees (a JSON number, at most two decimals) to paise. Rounds half away from zero, so that 0.1 + 0.2 becomes exactly 30 paise. */
export function toPaise(rupees: number): Paise {
	const paise = Math.round(Math.abs(rupees) * 100)
	return rupees < 0 && paise !== 0 ? -paise : paise
}

/** Paise to rupees, the JSON number of the API. */
export function toRupees(paise: Paise): number {
	return paise / 100
}

/** `12,34,567.89`, with a true minus sign for a negative amount and no currency sign. */
export function formatAmount(paise: Paise): string {
	return paise < 0 ? `−${grouped.format(-paise / 100)}` : grouped.format(paise / 100)
}

/** `₹ 12,34,567.89`; a negative amount has a true minus sign before the ₹. */
export function formatRupees(paise: Paise): string {
	return paise < 0 ? `−₹ ${grouped.format(-paise / 100)}` : `₹ ${grouped.format(paise / 100)}`
}

/** A balance with its side. Positive is credit: the broker owes the client. Zero has no side. */
export function formatBalance(paise: Paise): string {
	if (paise === 0) return '₹ 0.00'
	return `₹ ${grouped.format(Math.abs(paise) / 100)} ${paise > 0 ? 'Cr' : 'Dr'}`
}

/** A gain or a loss with its sign, because colour alone is not enough. */
export function formatGain(paise: Paise): string {
	return paise > 0 ? `+₹ ${grouped.format(paise / 100)}` : formatRupees(paise)
}

/** What taking this amount away changes, with its sign: `−₹ 500.00` for 50000 paise, `+₹ 500.00` for −50000, `₹ 0.00` for none. */
export function formatDeduction(paise: Paise): string {
	return paise === 0 ? formatRupees(0) : formatGain(-paise)
}

/** An amount for a CSV file: `-1234567.89`. Made from the integer without division, so it is exact. */
export function formatPlainAmount(paise: Paise): string {
	const digits = String(Math.abs(paise)).padStart(3, '0')
	return `${paise < 0 ? '-' : ''}${digits.slice(0, -2)}.${digits.slice(-2)}`
}
