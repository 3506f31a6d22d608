import { NameInAddress } from '#contract/common'
import { type DashboardLedger } from '#contract/dashboard'
import { unreadIn } from '#contract/tolerant'
import { formatBalance, type Paise } from '#contract/values/money'
import { isContractLedger, SEGMENT_NAMES } from '#contract/values/segments'
import { type PartialData } from '~/http/partial-data.server'
import { DASH, nameCode, orDash, sumOrNull } from '~/lib/unknown'
import { tellUnread } from './unread.server'

/**
 * Returns the balance of a ledger, which is the sum of its rows: null when one of them could not be read, undefined when the broker
 * states none.
 */
export function findDue(rows: DashboardLedger | undefined, cocd: string): Paise | null | undefined {
	const stated = rows?.filter(({ COCD }) => COCD === cocd) ?? []
	return stated.length === 0 ? undefined : sumOrNull(stated.map(({ DUE_AMT }) => DUE_AMT))
}

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
	const others = data.map(({ COCD }) => COCD).filter((cocd) => !isContractLedger(cocd) || findDue(data, cocd) !== 0)
	const codes: string[] = [...new Set([...cocds, ...others])]
	// A ledger that is missing in the reply has no balance: it shows a dash, never a zero.
	const stated = codes.flatMap((cocd) => findDue(data, cocd) ?? (findDue(data, cocd) === null ? [null] : []))
	if (stated.length === 0 && !unread) return { note: 'No balance is stated.' }
	const hasPage = (cocd: string) =>
		isContractLedger(cocd) ? cocds.includes(cocd) : NameInAddress.safeParse(cocd).success && findDue(known, cocd) !== undefined
	return {
		total: stated.length === 0 ? DASH : orDash(sumOrNull(stated), formatBalance),
		rows: codes.map((cocd) => ({
			label: nameCode(SEGMENT_NAMES, cocd),
			figure: orDash(findDue(data, cocd), formatBalance),
			href: hasPage(cocd) ? `/reports/ledger/${encodeURIComponent(cocd)}${query}` : undefined,
		})),
		unread: tellUnread(unread, { hasTotals: true }),
	}
}
