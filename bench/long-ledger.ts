import { type Figure } from './figures'
import { type Program } from './programs'
import { readPage, seconds, signIn } from './visitor'

/** Measures the time until a client with 105,000 ledger rows has the first page of a period, and the next page. */
export async function measureLongLedger(portal: Program, wholeLedger: string): Promise<Figure[]> {
	const cookie = await signIn(portal.url, 'BULK01')
	await readPage(portal.url, '/dashboard', cookie)
	const figures: Figure[] = []
	for (const [period, query] of [
		['this year', ''],
		['five years', wholeLedger],
	]) {
		const [first, second] = [
			await seconds(portal, `/reports/ledger?${query}`, cookie),
			await seconds(portal, `/reports/ledger?${query}&page=2`, cookie),
		]
		figures.push(
			{ what: `BULK01's ledger, ${period}: first page`, value: first.s, unit: 's', atMost: 1.5, note: first.found },
			{ what: `BULK01's ledger, ${period}: second page`, value: second.s, unit: 's', atMost: 0.15, note: second.found },
		)
	}
	// A new session has nothing cached in the portal, but the sandbox has its rows ready. So this is only the time of the portal.
	const again = await seconds(portal, `/reports/ledger?${wholeLedger}`, await signIn(portal.url, 'BULK01'))
	figures.push({ what: 'The same first page, when the broker need not compute', value: again.s, unit: 's', note: again.found })
	return figures
}
