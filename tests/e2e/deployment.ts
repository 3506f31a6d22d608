import { startDeployment, stopOnSignal } from '#scripts/deployment/deployment'
import { BROKERS_CLOCK } from '#tests/support/brokers-day'

/* The deployment for `npm test -- --deployed`: nginx with TLS, two portals, Redis, and the sandbox with PostgreSQL, until a signal. */
const deployment = await startDeployment({
	sandboxSettings: { SANDBOX_TODAY: BROKERS_CLOCK, LOG_LEVEL: 'warn' },
	portalSettings: { BROKER_TIMEOUT_MS: '3000', LOG_LEVEL: 'warn' },
})
stopOnSignal(deployment)
