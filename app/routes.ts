import { index, layout, prefix, route, type RouteConfig } from '@remix-run/route-config'

/** Every address of the portal: the site map. */
export default [
	route('login', 'routes/auth/login.tsx'),
	route('logout', 'routes/auth/logout.tsx'),
	route('rekyc', 'routes/auth/rekyc.tsx'),
	route('session/activity', 'routes/auth/activity.ts'),
	route('theme', 'routes/theme.ts'),

	layout('routes/shell.tsx', [
		index('routes/dashboard.tsx', { id: 'home' }),
		route('dashboard', 'routes/dashboard.tsx'),
		...prefix('reports', [
			route('ledger', 'routes/reports/ledger.tsx', { id: 'ledger' }),
			route('ledger/deducted', 'routes/reports/deducted-ledger.tsx'),
			route('ledger/:type', 'routes/reports/ledger.tsx', { id: 'ledger-of-type' }),
		]),
	]),

	...prefix('downloads', [route('ledger/:format', 'routes/downloads/ledger.ts')]),

	route('maintenance', 'routes/maintenance.tsx'),
	route('healthz', 'routes/health/alive.ts'),
	route('readyz', 'routes/health/ready.ts'),
	route('error404', 'routes/not-found.tsx', { id: 'error404' }),
	route('*', 'routes/not-found.tsx'),
] satisfies RouteConfig
