import { NameInAddress } from '#contract/common'

/* Addresses of pages for one record, named by an id of the broker. An id may have any characters. */

/** True when the page of a name finds it. A name of dots alone, for example, would lead to another page. */
const isPart = (name: string | null): name is string => NameInAddress.safeParse(name).success

/** Adds which of several bills with one number is meant. */
export const addMark = (address: string, mark: string | undefined) => (mark === undefined ? address : `${address}?mark=${mark}`)

/** Returns the address of the page of a contract note or bill; undefined when it has no number. */
export function findBillPage(bill: string | null, mark?: string): string | undefined {
	return isPart(bill) ? addMark(`/reports/contractnbill/${encodeURIComponent(bill)}`, mark) : undefined
}

/** Returns the address of the page of a holding; undefined when it has no ISIN. */
export function findHoldingPage(isin: string | null): string | undefined {
	return isPart(isin) ? `/reports/holding/${encodeURIComponent(isin)}` : undefined
}
