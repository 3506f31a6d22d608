import { type Visitor } from './portal'
import { listAttributes } from './readers'

/** The bid report. */
export const REPORT = '/connect/ipo/bids'

/** The application of each bid in the report, in the order of the page. */
export const listBids = async (visitor: Visitor): Promise<string[]> =>
	listAttributes((await visitor.visit(REPORT)).html, `a[href^="${REPORT}/KH"]`, 'href').map((href) => href.slice(REPORT.length + 1))
