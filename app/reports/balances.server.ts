import { NameInAddress } from '#contract/common'
import { type DashboardLedger } from '#contract/dashboard'
import { unreadIn } from '#contract/tolerant'
import { formatBalance } from '#contract/values/money'
import { SEGMENT_NAMES } from '#contract/values/segments'
import { type PartialData } from '~/http/partial-data.server'
import { DASH, nameCode, orDash, sumOrNull } from '~/lib/unknown'
import { tellUnread } from './unread.server'

/**
 * Returns the balances of the client's ledgers and their total: Equity, Commodity if the client has it, and any other ledger in the
 * reply. `query` is that of the links to them.
 */
export function listBalances({ data, failure }: PartialData<DashboardLedger>, cocds: readonly string[], query = '') {
	if (!data) return { failure }
	const unread = unreadIn(data)
	const others = data.map(({ COCD }) => COCD).filter((cocd) => !Object.hasOwn(SEGMENT_NAMES, cocd))
	const codes: string[] = [...new Set([...cocds, ...others])]
	// A ledger that is missing in the reply has no balance: it shows a dash, never a zero.
	const findDue = (cocd: string) => data.find(({ COCD }) => COCD === cocd)?.DUE_AMT
	const stated = codes.flatMap((cocd) => findDue(cocd) ?? (findDue(cocd) === null ? [null] : []))
	if (stated.length === 0 && !unread) return { note: 'No balance is stated.' }
	return {
		total: stated.length === 0 ? DASH : orDash(sumOrNull(stated), formatBalance),
		rows: codes.map((cocd) => ({
			label: nameCode(SEGMENT_NAMES, cocd),
			figure: orDash(findDue(cocd), formatBalance),
			href: NameInAddress.safeParse(cocd).success ? `/reports/ledger/${encodeURIComponent(cocd)}${query}` : undefined,
		})),
		unread: tellUnread(unread, { hasTotals: true }),
	}
}
