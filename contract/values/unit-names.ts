/** Shares of a company, fully (INE) or partly (IN9) paid: 01 in places 8 and 9 of the ISIN (NSDL's numbering, from memory). */
const SHARES = /^IN[E9].{4}01/

/** What a quantity of a security counts: shares, or units of a fund, an ETF, a trust or a bond. */
export function nameUnits(isin: string, quantity: number): string {
	const name = SHARES.test(isin) ? 'share' : 'unit'
	return quantity === 1 ? name : `${name}s`
}
