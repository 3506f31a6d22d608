import { existsSync } from 'node:fs'
import tsconfigPaths from 'vite-tsconfig-paths'
import { defineConfig } from 'vitest/config'
import { SlowFirst } from './tests/support/slow-first'

/**
 * Tests that change modules or settings before the first import, or need much memory. Each has its own process; all others share
 * processes (tests/support/each-file.ts). A setting that only the built portal reads needs no own process, because each file loads that
 * portal again.
 */
const ALONE = [
	'app/broker/optional.server.test.ts',
	'app/session/session.server.test.ts',
	'tests/faults/long-lists.test.ts',
	'tests/services/redis.test.ts',
]

/**
 * Files that share processes. A process ends with its project, which frees the memory of the tests of failures. Each project imports
 * everything again.
 */
const SHARED = {
	portal: ['tests/*.test.ts', 'tests/{faults,portal,security,services}/**/*.test.ts'],
	others: ['tests/routes/**/*.test.ts', '{contract,documents,sandbox,server}/**/*.test.ts', 'app/**/*.test.{ts,tsx}'],
}

const isLong = process.env.TEST_FORM === 'long'

export default defineConfig({
	plugins: [tsconfigPaths()],
	test: {
		// `npm test` installs these where it can; on a machine without one, the tests that need it are not run.
		exclude: [
			...(existsSync('/usr/bin/redis-server')
				? []
				: ['tests/services/redis.test.ts', 'tests/services/several-processes.test.ts', 'tests/services/web-concurrency.test.ts']),
			...(existsSync('/usr/bin/hledger') ? [] : ['tests/services/hledger.test.ts']),
			...(existsSync('/usr/sbin/nginx') ? [] : ['tests/services/tls-front.test.ts']),
			// The other browsers belong to the long form.
			...(isLong && ['/usr/sbin/nginx', '/usr/bin/firefox-esr'].every((file) => existsSync(file))
				? []
				: ['tests/services/engines.test.ts', 'tests/services/engine-journeys.test.ts']),
			...(existsSync('/usr/lib/postgresql') ? [] : ['tests/services/postgres.test.ts']),
		],
		// Settings are parsed on import; these make a portal whose broker is in memory.
		env: {
			NODE_ENV: 'production',
			BROKER_URL: 'http://127.0.0.1:4999',
			SESSION_SECRET: 'only-for-tests-0123456789abcdefghij',
			PUBLIC_URL: 'https://portal.test',
			// The second is the address of the sandbox in tests, which has the payment and depository pages.
			REDIRECT_ORIGINS: 'https://esign.test,http://127.0.0.1:4999',
			ESIGN_URL: 'https://esign.test/esign',
			LOG_LEVEL: 'silent',
			// On a busy machine the sandbox has taken more than 1500 ms.
			BROKER_TIMEOUT_MS: '3000',
			TZ: 'America/New_York',
		},
		globalSetup: 'tests/support/kept-books.ts',
		// Each test file loads the built portal again. Node does it in a third of the time that Vite needs to transform it first.
		server: { deps: { external: [/\/build\/server\//] } },
		pool: 'forks',
		sequence: { sequencer: SlowFirst },
		// The embedded database is WebAssembly. A test file ends before optimised code would save time.
		execArgv: ['--liftoff-only'],
		// One more than the cores, because tests wait for PostgreSQL, a deadline or another process. Each worker imports and compiles
		// everything again: two take 6 % less of the processor than four, but let it wait.
		maxWorkers: 3,
		projects: [
			{ extends: true, test: { name: 'alone', include: ALONE } },
			...Object.entries(SHARED).map(([name, include]) => ({
				extends: true as const,
				test: { name, include, exclude: ALONE, isolate: false, setupFiles: 'tests/support/each-file.ts' },
			})),
		],
		// As in the browser journeys; `npm test` names a test that passed at its second try (docs/decisions/030).
		// A property that failed would get other values at its second try.
		retry: { count: 1, condition: /^(?!Property failed)/ },
		testTimeout: 60_000,
		hookTimeout: 60_000,
	},
})
