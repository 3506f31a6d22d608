import { FigureList, type FigureRow } from '~/components/card'
import { Failed, type FailureNotice } from '~/components/failed'
import { Section } from '~/components/section'

export const BALANCE = 'Your ledger balance'

type Props = { balances?: { rows: readonly FigureRow[]; unread?: string }; failure?: FailureNotice }

/** What each ledger says now, and a link to what of it is free: the two figures differ by unsettled money and margin. */
export function LedgerBalance({ balances, failure }: Props) {
	if (balances?.rows.length === 0 && !balances.unread) return null
	return (
		<Section title={BALANCE}>
			<FigureList rows={balances?.rows} />
			{balances?.unread && <p className="text-xs">{balances.unread}</p>}
			{balances && (
				<p className="mt-2 text-xs">
					<a href="/reports/ledger/deducted">How much of it can be withdrawn?</a>
				</p>
			)}
			{failure && <Failed what={BALANCE} failure={failure} />}
		</Section>
	)
}
