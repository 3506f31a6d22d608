import { index, layout, prefix, route, type RouteConfig } from '@remix-run/route-config'

/** Every address of the portal. */
export default [
	route('login', 'routes/auth/login.tsx'),
	route('logout', 'routes/auth/logout.tsx'),
	route('forgot-password', 'routes/auth/forgot-password.tsx'),
	route('rekyc', 'routes/auth/rekyc.tsx'),
	route('rekyc/statements/:report/:format', 'routes/auth/rekyc-statement.download.ts'),
	route('session/activity', 'routes/auth/keep-alive.ts'),
	route('theme', 'routes/theme.ts'),

	layout('routes/shell.tsx', [
		index('routes/dashboard/dashboard.tsx', { id: 'home' }),
		route('dashboard', 'routes/dashboard/dashboard.tsx'),
		route('change-password', 'routes/auth/change-password.tsx'),
		layout('routes/account/tabs.tsx', [
			route('myaccount', 'routes/account/profile.tsx'),
			...prefix('myaccount', [
				route('mobile', 'routes/account/contact.tsx', { id: 'mobile' }),
				route('email', 'routes/account/contact.tsx', { id: 'email' }),
				route('bank', 'routes/account/bank.tsx'),
				route('segments', 'routes/account/segments.tsx'),
				route('nominee', 'routes/account/nominee.tsx'),
				route('income', 'routes/account/income.tsx'),
				route(':change/otp', 'routes/account/otp.tsx'),
				route('requests', 'routes/account/requests.tsx'),
				route('closure', 'routes/account/closure.tsx'),
				route('closure/transfer', 'routes/account/closure-transfer.tsx'),
				route('closure/check', 'routes/account/closure-check.tsx'),
			]),
		]),
		layout('routes/depository/tabs.tsx', [
			route('dpprocess', 'routes/depository/edis.tsx', [route('otp', 'routes/depository/otp.tsx')]),
			...prefix('dpprocess', [
				route('pledge', 'routes/depository/pledge.tsx'),
				route('pledge/review', 'routes/depository/pledge-review.tsx'),
				route('pledge/return', 'routes/depository/pledge-return.tsx'),
				route('ddpi', 'routes/depository/ddpi.tsx'),
			]),
		]),
		layout('routes/ipo/tabs.tsx', [
			...prefix('connect/ipo', [
				index('routes/ipo/issues.tsx'),
				route('bids', 'routes/ipo/bids.tsx', { id: 'ipo-bids' }),
				route('bids/:application', 'routes/ipo/bids.tsx', { id: 'ipo-bid' }),
				route(':symbol', 'routes/ipo/apply.tsx'),
			]),
		]),
		layout('routes/funds/tabs.tsx', [
			...prefix('funds', [
				index('routes/funds/add.tsx'),
				route('return', 'routes/funds/return.tsx'),
				route('withdraw', 'routes/funds/withdraw.tsx'),
				route('payout', 'routes/funds/payout.tsx'),
				route('e-mandate', 'routes/funds/e-mandate.tsx'),
				route('history', 'routes/funds/history.tsx'),
			]),
		]),
		route('esign', 'routes/esign/confirm.tsx'),
		route('esign/return', 'routes/esign/return.tsx'),
		route('connect/mtf', 'routes/mtf/mtf.tsx'),
		...prefix('reports', [
			route('ledger', 'routes/reports/ledger.tsx', { id: 'ledger' }),
			route('ledger/deducted', 'routes/reports/deducted-ledger.tsx'),
			route('ledger/:type', 'routes/reports/ledger.tsx', { id: 'ledger-of-type' }),
			route('holding/:isin', 'routes/reports/holding-lots.tsx'),
			route('contractnbill/:bill', 'routes/reports/contract-note.tsx'),
			route('profitnloss', 'routes/reports/profit-and-loss.tsx'),
			route('income-tax', 'routes/reports/income-tax.tsx'),
			route('downloads', 'routes/reports/downloads.tsx'),
			route(':report', 'routes/reports/statement.tsx'),
		]),
		route('*', 'routes/not-found.tsx'),
	]),

	...prefix('downloads', [
		route('ledger/:format', 'routes/reports/ledger.download.ts'),
		route('contract/:bill', 'routes/reports/contract.download.ts'),
		route('contract/:bill/trades', 'routes/reports/contract-trades.download.ts'),
		route('lots/:isin', 'routes/reports/lots.download.ts'),
		route('pnl/:format', 'routes/reports/pnl.download.ts'),
		route('income-tax/:format', 'routes/reports/income-tax.download.ts'),
		route('income', 'routes/account/income-form.download.ts'),
		route('ddpi', 'routes/depository/ddpi.download.ts'),
		route('change/:reference', 'routes/account/change-form.download.ts'),
		route('requests/csv', 'routes/account/change-requests.download.ts'),
		route('ipo-bids/csv', 'routes/ipo/ipo-bids.download.ts'),
		route('ipo-issues/csv', 'routes/ipo/ipo-issues.download.ts'),
		route('ipo/:symbol', 'routes/ipo/ipo-form.download.ts'),
		route('payins/csv', 'routes/funds/fund-movements.download.ts', { id: 'payins-csv' }),
		route('payouts/csv', 'routes/funds/fund-movements.download.ts', { id: 'payouts-csv' }),
		route('mandates/csv', 'routes/funds/fund-movements.download.ts', { id: 'mandates-csv' }),
		route('unregistered-payments/csv', 'routes/funds/fund-movements.download.ts', { id: 'unregistered-payments-csv' }),
		route('e-mandate', 'routes/funds/mandate-form.download.ts'),
		route('year-pack', 'routes/reports/year-pack.download.ts'),
		route('mtf/:table', 'routes/mtf/mtf.download.ts'),
		route('depository/:table', 'routes/depository/depository.download.ts'),
		// When two addresses score the same, the first here wins.
		route(':report/csv', 'routes/reports/statement-csv.download.ts'),
		route(':report/:format', 'routes/reports/file.download.ts'),
	]),

	...prefix('client', [route('reports', 'routes/web-link/reports.tsx'), route('downloads/pnl/:format', 'routes/web-link/pnl.download.ts')]),

	route('maintenance', 'routes/maintenance.tsx'),
	route('healthz', 'routes/health/alive.ts'),
	route('readyz', 'routes/health/ready.ts'),
] satisfies RouteConfig
