import { KOTAK_OLD, TMPV } from './actions'

/** What companies were called before: ISIN, first day of the next name, name until then. From memory of the exchanges' notices. */
const formerNames: readonly (readonly [isin: string, until: string, name: string])[] = [
	['INE721A01047', '2022-11-30', 'Shriram Transport Finance Company Ltd.'],
	['INE758T01015', '2025-03-20', 'Zomato Ltd.'],
	[TMPV, '2025-10-14', 'Tata Motors Ltd.'],
	// Nobody knew of the split then.
	[KOTAK_OLD, '2026-01-14', 'Kotak Mahindra Bank Ltd.'],
]

/** What a paper of a day calls a security that is called `name` now. */
export function nameOn(isin: string, day: string, name: string): string {
	return formerNames.find(([id, until]) => id === isin && day < until)?.[2] ?? name
}
