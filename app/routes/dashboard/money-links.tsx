/**
 * Links to add and withdraw funds, below the balances. Below the cards a phone leaves out the pages to which the cards lead, to show the
 * first task.
 */
export function MoneyLinks({ isBelowCards = false }: { isBelowCards?: boolean }) {
	const page = isBelowCards ? 'btn max-sm:hidden' : 'btn max-sm:px-2'
	return (
		<nav aria-label="Quick links" className="mb-4 grid grid-cols-2 gap-2 sm:flex sm:flex-wrap print:hidden">
			<a className="btn btn-primary max-sm:px-2" href="/funds">
				Add funds
			</a>{' '}
			<a className="btn max-sm:px-2" href="/funds/withdraw">
				Withdraw funds
			</a>{' '}
			<a className={page} href="/reports/ledger">
				Ledger
			</a>{' '}
			<a className={page} href="/reports/holding">
				Holding
			</a>
		</nav>
	)
}
