/** Links to add and withdraw funds, below the balances. */
export function MoneyLinks() {
	return (
		<nav aria-label="Quick links" className="mb-4 grid grid-cols-2 gap-2 sm:flex sm:flex-wrap print:hidden">
			<a className="btn btn-primary max-sm:px-2" href="/funds">
				Add funds
			</a>{' '}
			<a className="btn max-sm:px-2" href="/funds/withdraw">
				Withdraw funds
			</a>{' '}
			<a className="btn max-sm:px-2" href="/reports/ledger">
				Ledger
			</a>{' '}
			<a className="btn max-sm:px-2" href="/reports/holding">
				Holding
			</a>
		</nav>
	)
}
