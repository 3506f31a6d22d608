import { Banner } from '~/components/banner'
import { BridgeTable, type BridgeRow } from '~/components/bridge-table'
import { Failed, type FailureNotice } from '~/components/failed'
import { Section } from '~/components/section'
import { isZero } from '~/components/tones'

type Ledger = {
	cocd: string
	title: string
	rows?: readonly BridgeRow[]
	failure?: FailureNotice
	linesFailure?: FailureNotice
	mismatch?: string
}

/** What of a ledger could not be loaded, as the subject of a sentence. */
export const nameLedger = (title: string) => `What you can withdraw from ${title}`

/** Steps that are all zero explain nothing. */
const hasSteps = ({ rows, linesFailure, mismatch }: Ledger) =>
	!rows?.every(({ figure }) => figure && isZero(figure)) || linesFailure !== undefined || mismatch !== undefined

/** The steps to the withdrawable amount, line by line. */
export function Bridges({ ledgers }: { ledgers: readonly Ledger[] }) {
	return ledgers.filter(hasSteps).map(({ cocd, title, rows, failure, linesFailure, mismatch }) => (
		<Section key={cocd} title={`${title}: what you can withdraw`}>
			{mismatch && <Banner kind="warning">{mismatch}</Banner>}
			{rows ? (
				<BridgeTable caption={`${title}: from ledger to withdrawable`} rows={rows} />
			) : (
				<Failed what={nameLedger(title)} failure={failure} />
			)}
			{linesFailure && <Failed what={`The details of ${title}`} failure={linesFailure} />}
		</Section>
	))
}
