import { index, layout, prefix, route, type RouteConfig } from '@remix-run/route-config'

/** Every address of the portal: the site map. */
export default [
	route('login', 'routes/auth/login.tsx'),
	route('logout', 'routes/auth/logout.tsx'),
	route('forgot-password', 'routes/auth/forgot-password.tsx'),
	route('rekyc', 'routes/auth/rekyc.tsx'),
	route('rekyc/statements/:report/:format', 'routes/auth/rekyc-statement.ts'),
	route('session/activity', 'routes/auth/activity.ts'),
	route('theme', 'routes/theme.ts'),

	layout('routes/shell.tsx', [
		index('routes/dashboard.tsx', { id: 'home' }),
		route('dashboard', 'routes/dashboard.tsx'),
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
			route('dpprocess', 'routes/depository/verification.tsx', [route('otp', 'routes/depository/otp.tsx')]),
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
		route('esign', 'routes/esign/hand-over.tsx'),
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
	]),

	...prefix('downloads', [
		route('ledger/:format', 'routes/downloads/ledger.ts'),
		route('contract/:bill', 'routes/downloads/contract.ts'),
		route('pnl/:format', 'routes/downloads/pnl.ts'),
		route('income-tax/:format', 'routes/downloads/income-tax.ts'),
		route('income', 'routes/downloads/income-form.ts'),
		route('ddpi', 'routes/downloads/ddpi.ts'),
		route('change/:reference', 'routes/downloads/change-form.ts'),
		route('ipo-bids/csv', 'routes/downloads/ipo-bids.ts'),
		route('ipo/:symbol', 'routes/downloads/ipo-form.ts'),
		route('payins/csv', 'routes/downloads/fund-movements.ts', { id: 'payins-csv' }),
		route('payouts/csv', 'routes/downloads/fund-movements.ts', { id: 'payouts-csv' }),
		route('mandates/csv', 'routes/downloads/fund-movements.ts', { id: 'mandates-csv' }),
		route('unregistered-payments/csv', 'routes/downloads/fund-movements.ts', { id: 'unregistered-payments-csv' }),
		route('e-mandate', 'routes/downloads/mandate-form.ts'),
		route('year-pack', 'routes/downloads/year-pack.ts'),
		route('mtf/:table', 'routes/downloads/mtf.ts'),
		route('depository/:table', 'routes/downloads/depository.ts'),
		// Addresses of one score: the first that is named here wins.
		route(':report/csv', 'routes/downloads/statement-csv.ts'),
		route(':report/:format', 'routes/downloads/file.ts'),
	]),

	...prefix('client', [route('reports', 'routes/web-link/reports.tsx'), route('downloads/pnl/:format', 'routes/web-link/pnl-file.ts')]),

	route('maintenance', 'routes/maintenance.tsx'),
	route('healthz', 'routes/health/alive.ts'),
	route('readyz', 'routes/health/ready.ts'),
	route('error404', 'routes/not-found.tsx', { id: 'error404' }),
	route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig
