import { Box } from '~/components/box'
import { SummaryList } from '~/components/summary-list'

/** In place of the form: why nothing can be withdrawn from any ledger, and what the client can do. */
export function NothingToWithdraw({ ledgers }: { ledgers: readonly { cocd: string; title: string; help: string }[] }) {
	return (
		<Box>
			<p className="mb-3">
				<b>There is nothing to withdraw now.</b> The tables on this page show what your balance is needed for.
			</p>
			<SummaryList items={ledgers.map(({ title, help }) => ({ label: title, value: help }))} />
			<p>
				<a href="/funds">Add funds</a> · <a href="/funds/history">See earlier withdrawals</a>
			</p>
		</Box>
	)
}
