import { expect, test } from 'vitest'
import { findMisspelt } from './misspelt'

test.for([
	['BRAND_COLOR', 'BRAND_COLOUR'],
	['BRAND_COLOR_DARK', 'BRAND_COLOUR_DARK'],
	['BROKER_ULR', 'BROKER_URL'],
	['broker_url', 'BROKER_URL'],
	['REDIS_URI', 'REDIS_URL'],
	['IPO_URI', 'IPO_URL'],
	['SUPORT_PHONE', 'SUPPORT_PHONE'],
	['TRUST_PROXIES', undefined],
	['TRUSTED_PROXY', 'TRUST_PROXY'],
	['REDIRECT_ORIGIN', 'REDIRECT_ORIGINS'],
] as const)('%s: is %s meant?', ([name, meant]) => {
	expect(findMisspelt(['PATH', name])).toEqual(meant ? [{ name, meant }] : [])
})

test('is silent about the settings, and about other variables of a machine, a container and a cluster', () => {
	const others = `PATH HOME HOSTNAME HOSTS PORTS POST TERM USER PWD LANG SHLVL TZ NODE_VERSION NODE_OPTIONS YARN_VERSION npm_lifecycle_event
		http_proxy HTTPS_PROXY NO_PROXY REDIS_PORT REDIS_SERVICE_HOST KHATA_SERVICE_PORT KUBERNETES_PORT INVOCATION_ID JOURNAL_STREAM
		OTEL_RESOURCE_ATTRIBUTES OTEL_TRACES_SAMPLER SANDBOX_PORT SANDBOX_DATA_DIR SANDBOX_TODAY ALLOW_SANDBOX MALLOC_ARENA_MAX`
	const settings = 'BROKER_URL EDIS_URL REDIS_URL IPO_URL EKYC_URL PORT HOST IDLE_MS BRAND_COLOUR NODE_ENV'
	expect(findMisspelt(`${others} ${settings}`.split(/\s+/))).toEqual([])
})
