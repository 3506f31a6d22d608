/* Pages of one thing that a broker names. A name may have any characters. */

/** A name that can stand as one part of an address: dots alone would lead to another page. */
const isPart = (name: string | null): name is string => name !== null && /[^.\s]/.test(name)

/** The page of a contract note or bill; undefined where it has no number. */
export function findBillPage(bill: string | null): string | undefined {
	return isPart(bill) ? `/reports/contractnbill/${encodeURIComponent(bill)}` : undefined
}

/** The page of a holding; undefined where it has no ISIN. */
export function findHoldingPage(isin: string | null): string | undefined {
	return isPart(isin) ? `/reports/holding/${encodeURIComponent(isin)}` : undefined
}
