import { currentYear, formatYear } from '#contract/values/financial-year'
import { type Figure } from './figures'
import { type Program } from './programs'
import { readPage, seconds, signIn } from './visitor'

const FIRST_S = 1.5
const NEXT_S = 0.2

/** The page opened first, and the page after it: the second page of its table, or the same table sorted when it has only one page. */
const REPORTS: [name: string, path: string, next: string][] = [
	['Holding', 'holding', 'sort=-value'],
	['Position', 'position', 'sort=-mtm'],
	['Contract/Bill', 'contractnbill', 'page=2'],
	['Profit & Loss', 'profitnloss', 'page=2'],
	['Global Summary', 'global-summary', 'page=2'],
	['Global Details', 'global-details', 'page=2'],
	['Income Tax', 'income-tax', 'page=2'],
]

/**
 * Measures the time until a client with 50,000 trades has each report of a whole year, and the page after it. The sandbox was not asked
 * for that year before. What it caches helps later reports, as at a real broker.
 */
export async function measureReports(portal: Program): Promise<Figure[]> {
	const cookie = await signIn(portal.url, 'BULK01')
	await readPage(portal.url, '/dashboard', cookie)
	const year = formatYear(currentYear() - 1)
	const figures: Figure[] = []
	for (const [name, path, next] of REPORTS) {
		const address = `/reports/${path}?year=${year}`
		const first = await seconds(portal, address, cookie)
		const second = await seconds(portal, `${address}&${next}`, cookie)
		figures.push(
			{ what: `BULK01's ${name}: first page`, value: first.s, unit: 's', atMost: FIRST_S, note: first.found },
			{ what: `BULK01's ${name}: next page`, value: second.s, unit: 's', atMost: NEXT_S, note: second.found },
		)
	}
	return figures
}
