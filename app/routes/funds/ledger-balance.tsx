import { Failed, type FailureNotice } from '~/components/failed'
import { KeyFigures } from '~/components/key-figures'
import { type KeyFigure } from '~/lib/table'

export const BALANCE = 'Your ledger balance'

type Props = { balances?: { figures: readonly KeyFigure[]; unread?: string }; failure?: FailureNotice }

/** The balance now, of all ledgers and of each. */
export function LedgerBalance({ balances, failure }: Props) {
	return (
		<>
			{balances && balances.figures.length > 0 && <KeyFigures figures={balances.figures} />}
			{balances?.unread && <p className="mb-3 text-xs">{balances.unread}</p>}
			{failure && <Failed what={BALANCE} failure={failure} />}
		</>
	)
}
