import { type Broker } from '~/broker/client.server'
import { isOffered, learnOffered } from '~/broker/optional.server'
import { getContractNote, listLots } from '~/broker/reports.server'
import { SIDE_CALL_MS, within } from '~/lib/within'

/* Pages of one thing that a broker names. A name may have any characters. */

/** A name that can stand as one part of an address: dots alone would lead to another page. */
const isPart = (name: string | null): name is string => name !== null && /[^.\s]/.test(name)

/** The page of a contract note or bill; undefined where it has no number, or the broker has no such page. */
export function findBillPage(bill: string | null): string | undefined {
	return isPart(bill) && isOffered('getContractNote') ? `/reports/contractnbill/${encodeURIComponent(bill)}` : undefined
}

/** The page of a holding; undefined where it has no ISIN, or the broker has no such page. */
export function findHoldingPage(isin: string | null): string | undefined {
	return isPart(isin) && isOffered('listLots') ? `/reports/holding/${encodeURIComponent(isin)}` : undefined
}

/** Before a table that leads to them is built: whether the broker has what these pages show. Asks for a bill and a holding of nobody. */
export async function learnPages(broker: Broker): Promise<void> {
	await Promise.all([
		learnOffered('getContractNote', () => within(getContractNote(broker, 'NONE-0000'), SIDE_CALL_MS)),
		learnOffered('listLots', () => within(listLots(broker, 'INE000A00000'), SIDE_CALL_MS)),
	])
}
