/** Links to add and withdraw funds, below the balances, and to the reports of the year. `isQuiet`: the page has another main button. */
export function MoneyLinks({ year, isQuiet }: { year: string; isQuiet?: boolean }) {
	return (
		<nav aria-label="Quick links" className="mb-4 grid grid-cols-2 gap-2 sm:flex sm:flex-wrap print:hidden">
			<a className={`btn max-sm:px-2 ${isQuiet ? '' : 'btn-primary'}`} href="/funds">
				Add funds
			</a>{' '}
			<a className="btn max-sm:px-2" href="/funds/withdraw">
				Withdraw funds
			</a>{' '}
			<a className="btn max-sm:px-2" href={`/reports/ledger?year=${year}`}>
				Ledger
			</a>{' '}
			<a className="btn max-sm:px-2" href={`/reports/holding?year=${year}`}>
				Holding
			</a>
		</nav>
	)
}
