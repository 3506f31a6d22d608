import { expect, test } from 'vitest'
import { parseSettings } from './parse-settings.server'

const good = {
	BROKER_URL: 'https://api.broker.test',
	SESSION_SECRET: 'an-unguessable-secret-of-32-or-more',
	PUBLIC_URL: 'https://client.broker.test',
}
const findProblem = (change: Record<string, string | undefined>) => {
	try {
		parseSettings({ ...good, ...change })
	} catch (error) {
		return error instanceof Error ? error.message : ''
	}
	return 'none'
}

test('has the product’s defaults', () => {
	expect(parseSettings(good)).toMatchObject({
		PORT: 3000,
		BROKER_TIMEOUT_MS: 30_000,
		IDLE_MS: 7_200_000,
		SESSION_MAX_MS: 43_200_000,
		MAINTENANCE: false,
		TRUST_PROXY: false,
		isSecure: true,
		NODE_ENV: 'production',
		WEB_CONCURRENCY: 1,
	})
})

test.for<[string, string | undefined]>([
	['SESSION_SECRET', undefined],
	['SESSION_SECRET', 'short'],
	['SESSION_SECRET', 'a'.repeat(40)],
	['SESSION_SECRET', `${good.SESSION_SECRET},short`],
	['SESSION_SECRET', 'change-me-change-me-change-me-change-me'],
	['SESSION_SECRET', 'replace-with-the-output-of-openssl-rand-base64-32'],
	['PUBLIC_URL', undefined],
	['PUBLIC_URL', 'http://client.broker.test'],
	['PUBLIC_URL', 'client.broker.test'],
	['BROKER_URL', 'http://10.0.0.5:8080'],
	['BROKER_URL', 'ftp://api.broker.test'],
	['BROKER_ADAPTER', './adapter.ts'],
	['EDIS_URL', 'http://edis.broker.test'],
	['REDIRECT_ORIGINS', 'https://good.test,http://evil.test'],
	['REDIRECT_ORIGINS', 'https://one.test;https://two.test'],
	['REDIRECT_ORIGINS', 'https://one.test;two.test'],
	['REDIRECT_ORIGINS', 'https://one.test|two.test'],
	['REDIRECT_ORIGINS', 'https://one.test/sign'],
	['REDIRECT_ORIGINS', 'https://*.broker.test'],
	['REDIRECT_ORIGINS', 'https://someone@one.test'],
	['PORT', 'three'],
	['PORT', '70000'],
	['PORT', '0'],
	['IDLE_MS', '-1'],
	// 0 means "no timeout" elsewhere; here it would end every session at once.
	['IDLE_MS', '0'],
	['SESSION_MAX_MS', '0'],
	['PUBLIC_URL', 'https://client.broker.test/portal'],
	['PUBLIC_URL', 'https://client.broker.test/?a=1'],
	['BROKER_URL', 'https://api.broker.test?key=1'],
	['BROKER_URL', 'https://someone:secret@api.broker.test'],
	['TRUST_PROXY', '2'],
	['MAINTENANCE', 'perhaps'],
	['LOG_LEVEL', 'loud'],
	['BRAND_NAME', 'x'.repeat(41)],
	// 2^31 ms is one more than the longest timer; a timer would fire at once.
	['SESSION_MAX_MS', '2147483648'],
	['IDLE_MS', '2147483648'],
	// Three times this is more than a timer can wait.
	['BROKER_TIMEOUT_MS', '715827883'],
	['REDIS_URL', 'https://redis.test'],
	['REDIS_URL', 'redis://redis.test/abc'],
	['REDIS_URL', 'rediss://:password@redis.test:6380/1/2'],
	['REDIS_URL', 'redis://:Se@cretpart#xy@redis.test'],
	['REDIS_URL', 'redis://:Secretpart?xy@redis.test'],
	['REDIS_URL', 'redis://:Secret/xy@redis.test'],
	['WEB_CONCURRENCY', '0'],
	['WEB_CONCURRENCY', '2.5'],
	['WEB_CONCURRENCY', 'auto'],
	['WEB_CONCURRENCY', '257'],
	['BRAND_LOGO', 'javascript:alert(1)'],
	['BRAND_LOGO', '//elsewhere.test/logo.png'],
	['BRAND_LOGO_DARK', 'data:image/png;base64,AAAA'],
	['SUPPORT_PHONE', `022 4000 1234, ${'1'.repeat(31)}`],
	['SUPPORT_PHONE', '022 4000 1234/35'],
	['SUPPORT_PHONE', '022 4000 1234, 1800 CALL'],
	['SUPPORT_EMAIL', 'nobody'],
	['BRAND_COLOUR', 'rebeccapurple'],
	['BRAND_COLOUR', '#b32'],
	['BRAND_COLOUR', '#b3261e}body{display:none'],
	['BRAND_COLOUR', '#ffcc00'],
	['BRAND_COLOUR_DARK', '#b3261e'],
])('%s = %s is refused by name, and its value is not shown', ([name, value]) => {
	const problem = findProblem({ [name]: value })
	expect(problem).toContain(`  ${name}: `)
	if (value) expect(problem).not.toContain(value)
})

test('takes a brand colour for either palette alone, and says in one sentence why one is refused', () => {
	expect(parseSettings({ ...good, BRAND_COLOUR: '#B3261E' })).toMatchObject({ BRAND_COLOUR: '#B3261E' })
	expect(parseSettings({ ...good, BRAND_COLOUR_DARK: '#ffb4ab' }).BRAND_COLOUR).toBeUndefined()
	const [, ...lines] = findProblem({ BRAND_COLOUR: '#ffcc00', BRAND_COLOUR_DARK: 'red' }).split('\n')
	expect(lines).toEqual([
		'  BRAND_COLOUR: is hard to read as a link in the light palette: choose a darker colour, with a contrast of 4.5:1 or more on pages, cards, banners and the current menu entry',
		'  BRAND_COLOUR_DARK: must be six hexadecimal digits after #, such as #1a5fb4',
	])
})

test('reads several phone numbers, and a dark logo only beside a light one', () => {
	expect(parseSettings({ ...good, SUPPORT_PHONE: ' 022 4000 1234,, 1800 22 1234 ' }).SUPPORT_PHONE).toEqual([
		'022 4000 1234',
		'1800 22 1234',
	])
	expect(parseSettings(good).SUPPORT_PHONE).toEqual([])
	expect(findProblem({ BRAND_LOGO_DARK: '/dark.svg' })).toContain('  BRAND_LOGO: is required when BRAND_LOGO_DARK is set')
})

test('reads origins separated by commas or spaces', () => {
	const list = ' https://one.test, https://Two.test:8443/\nhttp://127.0.0.1:4000,http://[::1]:4000 '
	expect(parseSettings({ ...good, REDIRECT_ORIGINS: list }).REDIRECT_ORIGINS).toEqual([
		'https://one.test',
		'https://two.test:8443',
		'http://127.0.0.1:4000',
		'http://[::1]:4000',
	])
	expect(parseSettings(good).REDIRECT_ORIGINS).toEqual([])
})

test('accepts a session of 23 days', () => {
	// 23 × 24 × 60 × 60 × 1000
	expect(parseSettings({ ...good, SESSION_MAX_MS: '1987200000' }).SESSION_MAX_MS).toBe(1_987_200_000)
})

test('an address of the broker may have a path', () => {
	expect(parseSettings({ ...good, BROKER_URL: 'https://api.broker.test/v3/@khata/' }).BROKER_URL).toBe('https://api.broker.test/v3/@khata')
})

test('allows plain http for loopback only, and then cookies work without TLS', () => {
	expect(parseSettings({ ...good, BROKER_URL: 'http://127.0.0.1:4000', PUBLIC_URL: 'http://localhost:3000' }).isSecure).toBe(false)
})

test('reads 0 as no timeout and an empty variable as unset, and reports every wrong one at once', () => {
	expect(parseSettings({ ...good, BROKER_TIMEOUT_MS: '0', REDIS_URL: '' })).toMatchObject({ BROKER_TIMEOUT_MS: 0 })
	expect(findProblem({ PORT: 'x', PUBLIC_URL: '', SESSION_SECRET: '' }).split('\n')).toHaveLength(4)
})

test('says one thing of one fault', () => {
	const refusal = (line: string) => `The portal cannot start with these settings:\n  ${line}`
	expect(findProblem({ IPO_URL: 'ftp://ipo.broker.test' })).toBe(refusal('IPO_URL: must be an absolute http(s) address'))
	expect(findProblem({ IPO_URL: 'http://ipo.broker.test' })).toBe(refusal('IPO_URL: must be https, unless it is on loopback'))
	expect(findProblem({ PUBLIC_URL: undefined })).toBe(refusal('PUBLIC_URL: is required'))
	expect(findProblem({ PUBLIC_URL: 'x' })).toBe(refusal('PUBLIC_URL: must be an absolute http(s) address'))
})

test('takes a Redis with and without the number of a database', () => {
	for (const REDIS_URL of ['redis://redis.test', 'redis://redis.test/', 'rediss://:password@redis.test:6380/12'])
		expect(parseSettings({ ...good, REDIS_URL }).REDIS_URL).toBe(REDIS_URL)
	expect(findProblem({ REDIS_URL: 'redis' })).toMatch(/REDIS_URL: must be a redis:\/\/ address; in its password write %23 for #/)
})

test('serves no Prometheus metrics unless a port is given', () => {
	expect(parseSettings(good).METRICS_PORT).toBeUndefined()
	expect(parseSettings({ ...good, METRICS_PORT: '9464' }).METRICS_PORT).toBe(9464)
	expect(() => parseSettings({ ...good, METRICS_PORT: '0' })).toThrow('METRICS_PORT: must be a port')
})

test('several processes need Redis, and a port for the metrics of each', () => {
	const refusal = (line: string) => `The portal cannot start with these settings:\n  ${line}`
	const several = { WEB_CONCURRENCY: '3', REDIS_URL: 'redis://127.0.0.1:6379', PORT: '3000' }
	expect(findProblem(several)).toBe('none')
	expect(findProblem({ ...several, REDIS_URL: undefined })).toBe(
		refusal(
			'REDIS_URL: is required when WEB_CONCURRENCY is more than 1: the processes share limits, ended sessions and posts in progress there',
		),
	)
	const noPort = 'METRICS_PORT: needs a free port for each of the WEB_CONCURRENCY processes, counted up from it, without PORT'
	for (const port of ['9464', '2997', '3001', '65533']) expect(findProblem({ ...several, METRICS_PORT: port })).toBe('none')
	for (const port of ['2998', '3000', '65534']) expect(findProblem({ ...several, METRICS_PORT: port })).toBe(refusal(noPort))
})
