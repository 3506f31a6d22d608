import { formatRupees, toPaise } from '#contract/values/money'

/** Formats the text typed into an amount field, in rupees: `25,000.5` is `₹ 25,000.50`. Empty for text that the server would refuse. */
export function showAmount(typed: string): string {
	const plain = typed.replace(/[₹,\s]/g, '')
	return /^[0-9]{1,9}(\.[0-9]{0,2})?$/.test(plain) ? formatRupees(toPaise(Number(plain))) : ''
}
