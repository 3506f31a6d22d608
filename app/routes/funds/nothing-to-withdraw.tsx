import { SummaryList } from '~/components/summary-list'

type Props = {
	ledgers: readonly { cocd: string; title: string; help?: string; isPayoutListed: boolean }[]
	/** A payout is in progress. The notice above links to it. */
	isUnderWay: boolean
	/** A ledger has a balance, or it is unknown whether one has. */
	hasBalance: boolean
	/** The page that adds funds, with what is owed. */
	addFunds: string
}

/** Replaces the form: why nothing can be withdrawn from any ledger, and what the client can do. */
export function NothingToWithdraw({ ledgers, isUnderWay, hasBalance, addFunds }: Props) {
	// The notice above says why a ledger with a payout is closed.
	const others = ledgers.filter(({ isPayoutListed }) => !isPayoutListed)
	return (
		<>
			<p className="mb-3">
				{isUnderWay ? (
					<>
						<b>Nothing more can be withdrawn now.</b> Another payout can be asked for when that one is paid or cancelled.
					</>
				) : (
					<>
						<b>There is nothing to withdraw now.</b>
						{hasBalance && ' This page shows what your balance is needed for.'}
					</>
				)}
			</p>
			{others.length > 0 && <SummaryList items={others.map(({ title, help }) => ({ label: title, value: help ?? '' }))} />}
			<p className="flex flex-wrap gap-x-5 gap-y-1">
				{!isUnderWay && <a href={addFunds}>Add funds</a>} <a href="/funds/history?table=payouts">See earlier withdrawals</a>
			</p>
		</>
	)
}
