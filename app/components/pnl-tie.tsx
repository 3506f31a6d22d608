import { Banner } from './banner'
import { type BridgeRow, BridgeTable } from './bridge-table'
import { Failed, type FailureNotice } from './failed'
import { Folded } from './folded'
import { Section } from './section'
import { Unbroken } from './unbroken'

type Bridge = { title: string; rows: readonly BridgeRow[]; warnings: readonly string[] }

export type LedgerTie = { unread?: string; segments?: readonly Bridge[]; ledgers?: readonly Bridge[]; failure?: FailureNotice }

const TIE = 'How this ties to the ledger'
/** The name of that part in a sentence. */
export const TIE_PART = 'The tie to the ledger'

/** True when that part has something to show, also that it could not be loaded. */
export const hasTie = ({ segments, ledgers, unread }: LedgerTie) => segments?.length !== 0 || ledgers?.length !== 0 || Boolean(unread)

/** How the profit becomes the bills and the balances of the ledger. */
export function Tie({ tie, anchor }: { tie: LedgerTie; anchor: string }) {
	if (!hasTie(tie)) return null
	const { segments, ledgers, unread, failure } = tie
	return (
		<Section title={TIE} anchor={anchor} isNarrow>
			{unread && <Banner kind="warning">{unread}</Banner>}
			{segments && ledgers ? (
				<>
					<p className="prose max-sm:text-sm">
						Your profit is not the money that moved in the ledger: shares that you bought and still hold were paid for, but are no loss.
						Open a segment to see how its profit becomes its bills, and a ledger to see how bills and payments make its balance.
					</p>
					<Bridges title="Bills of the year" bridges={segments} />
					<Bridges title="Balance at the end" bridges={ledgers} />
				</>
			) : (
				<Failed what={TIE_PART} failure={failure} />
			)}
		</Section>
	)
}

/** `title` says what the figure on each line is. */
function Bridges({ title, bridges }: { title: string; bridges: readonly Bridge[] }) {
	if (bridges.length === 0) return null
	return (
		<>
			<p className="text-muted mt-3 mb-1 text-right text-xs">{title}</p>
			{bridges.map(({ title: name, rows, warnings }) => (
				<Folded
					key={name}
					label={<h3 className="inline">{name}</h3>}
					figure={rows.find(({ isTotal }) => isTotal)?.figure ?? ''}
					isOpen={warnings.length > 0}
				>
					{warnings.map((warning) => (
						<Banner key={warning} kind="warning">
							<Unbroken text={warning} />
						</Banner>
					))}
					<BridgeTable caption={`${name}: how it adds up`} rows={rows} />
				</Folded>
			))}
		</>
	)
}
