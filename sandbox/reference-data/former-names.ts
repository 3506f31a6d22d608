import { KOTAK_OLD, TMPV } from './actions'

/** Former names of companies: ISIN, first day of the next name, name until then. From memory of the exchanges' notices. */
const formerNames: readonly (readonly [isin: string, until: string, name: string])[] = [
	['INE721A01047', '2022-11-30', 'Shriram Transport Finance Company Ltd.'],
	['INE758T01015', '2025-03-20', 'Zomato Ltd.'],
	[TMPV, '2025-10-14', 'Tata Motors Ltd.'],
	// The name without "(before split)": the split was not known then.
	[KOTAK_OLD, '2026-01-14', 'Kotak Mahindra Bank Ltd.'],
]

/** The name that a security, now called `name`, had on a day. For documents of that day. */
export function nameOn(isin: string, day: string, name: string): string {
	return formerNames.find(([id, until]) => id === isin && day < until)?.[2] ?? name
}
