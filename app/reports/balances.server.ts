import { NameInAddress } from '#contract/common'
import { type DashboardLedger } from '#contract/dashboard'
import { unreadIn } from '#contract/tolerant'
import { formatBalance, type Paise } from '#contract/values/money'
import { isContractLedger, SEGMENT_NAMES } from '#contract/values/segments'
import { type PartialData } from '~/http/partial-data.server'
import { DASH, nameCode, orDash, sumOrNull } from '~/lib/unknown'
import { tellUnread } from './unread.server'

/** Returns the balance of each ledger, which is the sum of its rows; null when one of them could not be read. */
function sumDues(rows: DashboardLedger): ReadonlyMap<string, Paise | null> {
	const sums = new Map<string, Paise | null>()
	for (const { COCD, DUE_AMT } of rows) {
		const before = sums.get(COCD)
		sums.set(COCD, before === undefined ? DUE_AMT : sumOrNull([before, DUE_AMT]))
	}
	return sums
}

/** The balance of one ledger; undefined when the broker states none. */
export const findDue = (rows: DashboardLedger | undefined, cocd: string) => rows && sumDues(rows).get(cocd)

/**
 * Returns the balances of the client's ledgers and their total: Equity, Commodity if the client has it, and any other ledger in the
 * reply. `query` is that of the links to them, and `known` the reply that says which other ledgers have a page.
 */
export function listBalances(
	{ data, failure }: PartialData<DashboardLedger>,
	cocds: readonly string[],
	{ query = '', known = data }: { query?: string; known?: DashboardLedger } = {},
) {
	if (!data) return { failure }
	const unread = unreadIn(data)
	// A ledger that the client does not have is left out only while it is empty: the total is the sum of the whole reply.
	const dues = sumDues(data)
	const others = [...dues].flatMap(([cocd, due]) => (!isContractLedger(cocd) || due !== 0 ? [cocd] : []))
	const codes: string[] = [...new Set([...cocds, ...others])]
	// A ledger that is missing in the reply has no balance: it shows a dash, never a zero.
	const stated = codes.flatMap((cocd) => dues.get(cocd) ?? (dues.has(cocd) ? [null] : []))
	const withPage = known && sumDues(known)
	if (stated.length === 0 && !unread) return { note: 'No balance is stated.' }
	const hasPage = (cocd: string) =>
		isContractLedger(cocd) ? cocds.includes(cocd) : NameInAddress.safeParse(cocd).success && withPage?.has(cocd)
	return {
		total: stated.length === 0 ? DASH : orDash(sumOrNull(stated), formatBalance),
		rows: codes.map((cocd) => ({
			label: nameCode(SEGMENT_NAMES, cocd),
			figure: orDash(dues.get(cocd), formatBalance),
			href: hasPage(cocd) ? `/reports/ledger/${encodeURIComponent(cocd)}${query}` : undefined,
		})),
		unread: tellUnread(unread, { hasTotals: true }),
	}
}
