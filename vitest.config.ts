import { existsSync } from 'node:fs'
import tsconfigPaths from 'vite-tsconfig-paths'
import { defineConfig } from 'vitest/config'
import { SlowFirst } from './tests/support/slow-first'

const isLong = process.env.TEST_FORM === 'long'

export default defineConfig({
	plugins: [tsconfigPaths()],
	test: {
		// `npm test` installs these where it can; on a machine without one, the tests that need it are not run.
		exclude: [
			...(existsSync('/usr/bin/redis-server') ? [] : ['tests/services/redis.test.ts', 'tests/services/several-processes.test.ts']),
			...(existsSync('/usr/bin/hledger') ? [] : ['tests/services/hledger.test.ts']),
			...(existsSync('/usr/sbin/nginx') ? [] : ['tests/services/tls-front.test.ts']),
			// The other browsers belong to the long form.
			...(isLong && ['/usr/sbin/nginx', '/usr/bin/firefox-esr'].every((file) => existsSync(file))
				? []
				: ['tests/services/engines.test.ts']),
			...(existsSync('/usr/lib/postgresql') ? [] : ['tests/services/postgres.test.ts']),
		],
		// Settings are parsed on import; these make a portal whose broker is in memory.
		env: {
			NODE_ENV: 'production',
			BROKER_URL: 'http://127.0.0.1:4999',
			SESSION_SECRET: 'only-for-tests-0123456789abcdefghij',
			PUBLIC_URL: 'https://portal.test',
			// The second is the sandbox's own, as the portal of a test reaches it: payment and depository pages.
			REDIRECT_ORIGINS: 'https://esign.test,http://127.0.0.1:4999',
			ESIGN_URL: 'https://esign.test/esign',
			LOG_LEVEL: 'silent',
			BROKER_TIMEOUT_MS: '1500',
			TZ: 'America/New_York',
		},
		globalSetup: 'tests/support/kept-books.ts',
		pool: 'forks',
		sequence: { sequencer: SlowFirst },
		// Where the tests have the embedded database, it is WebAssembly: a file ends before optimising it has paid.
		execArgv: ['--liftoff-only'],
		// Twice the cores: tests wait for PostgreSQL, for a deadline or for another process.
		maxWorkers: 4,
		projects: [
			// These keep nothing between files, so a process loads the code once for all of them.
			{
				extends: true,
				test: { name: 'broker', isolate: false, include: ['contract/**/*.test.ts', 'documents/**/*.test.ts', 'sandbox/**/*.test.ts'] },
			},
			// The portal counts and remembers: each file of tests has a portal of its own.
			{
				extends: true,
				test: { name: 'portal', include: ['app/**/*.test.{ts,tsx}', 'server/**/*.test.ts', 'tests/**/*.test.ts'] },
			},
		],
		testTimeout: 60_000,
		hookTimeout: 60_000,
	},
})
