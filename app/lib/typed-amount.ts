import { formatRupees, toPaise } from '#contract/values/money'

/** Reads back what is typed into an amount field: `25,000.5` is `₹ 25,000.50`. Empty for what the server would refuse. */
export function showAmount(typed: string): string {
	const plain = typed.replace(/[₹,\s]/g, '')
	return /^[0-9]{1,9}(\.[0-9]{0,2})?$/.test(plain) ? formatRupees(toPaise(Number(plain))) : ''
}
