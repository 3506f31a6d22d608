import { defineConfig, devices } from '@playwright/test'
import { CHROMIUM } from '#scripts/chromium'
import { BROKERS_CLOCK } from '#tests/support/brokers-day'
import { BOOKS } from './tests/e2e/kept'
import { NOT_WITHOUT, ONLY_REQUIRED } from './tests/e2e/optional-steps'

/** `npm test` has already made the books, while a core was idle. */
const MAKE_BOOKS = process.env.BOOKS_ARE_MADE === '1' ? '' : 'node_modules/.bin/tsx tests/e2e/books.ts && '
const isDeployed = process.env.DEPLOYED === '1'
const isLong = process.env.TEST_FORM === 'long'
const ONLY_LONG = 'only-required.spec.ts'
/** These start their own portals without nginx, or use a text browser, which does not trust the certificate of a test. */
const NOT_DEPLOYED = /(brand|process|restart|serve|storm|text-browser)\.spec\.ts$/

/**
 * Drawing in the browser's own process takes 12 % less of the processor than in another one. A page that follows in the frame of the one
 * before takes 15 % less than in a new frame, because Playwright sets the media of each new frame, and Chromium then styles the old page
 * again. This list of features replaces Playwright's, so it repeats the one that concerns pictures.
 */
const LIGHTER = ['--in-process-gpu', '--enable-features=CDPScreenshotNewSurface,RenderDocument:level/crashed-frame']

/**
 * The built portal and the sandbox broker, as `npm start` runs them, in their own data folders: one pair for normal use, and one where
 * calls fail and sessions end. Journeys are written once and run twice: with JavaScript and without.
 * With DEPLOYED=1 the first pair is the deployment of deploy/compose.yaml: nginx with TLS, two portals, Redis, PostgreSQL.
 */
export default defineConfig({
	testDir: 'tests/e2e',
	outputDir: 'test-results',
	workers: 3,
	// On a busy machine the broker may take longer than the portal waits. The report names a test that passed at its second try.
	retries: 1,
	// A machine has been four times slower than usual. Only a test that fails takes as long as these.
	timeout: 120_000,
	expect: { timeout: 20_000 },
	use: {
		baseURL: isDeployed ? 'https://localhost:8443' : 'http://127.0.0.1:3100',
		ignoreHTTPSErrors: isDeployed,
		// A trace takes a picture of every step: use `--trace on` to debug one.
		screenshot: 'only-on-failure',
		launchOptions: { ...CHROMIUM, args: [...CHROMIUM.args, ...LIGHTER] },
	},
	projects: [
		{
			name: 'with JavaScript',
			use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 900 } },
			testIgnore: [...(isLong && !isDeployed ? [] : [ONLY_LONG]), ...(isDeployed ? [NOT_DEPLOYED] : [])],
		},
		{
			name: 'without JavaScript',
			use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 900 }, javaScriptEnabled: false },
			testMatch: '**/*.journey.ts',
		},
	],
	testMatch: ONLY_REQUIRED ? ['**/*.journey.ts'] : ['**/*.journey.ts', '**/*.spec.ts'],
	grepInvert: ONLY_REQUIRED ? NOT_WITHOUT : undefined,
	// They start one after the other. The first makes the books when they are missing.
	webServer: [
		isDeployed ? deployed() : serve(3100, 4100, MAKE_BOOKS, { BROKER_TIMEOUT_MS: '3000' }),
		serve(3101, 4101, isDeployed ? MAKE_BOOKS : '', { BROKER_TIMEOUT_MS: '2000' }),
	],
})

function deployed() {
	return {
		command: 'node_modules/.bin/tsx tests/e2e/deployment.ts',
		url: 'https://localhost:8443/readyz',
		ignoreHTTPSErrors: true,
		timeout: 300_000,
		stdout: 'ignore' as const,
		gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 20_000 },
	}
}

/** Journeys change accounts for good: each run begins with the books as they are seeded. */
function serve(port: number, sandboxPort: number, first: string, settings: Record<string, string>) {
	const folder = `.cache/sandbox-${sandboxPort}`
	return {
		command: `${first}rm -rf ${folder} && cp -r ${BOOKS} ${folder} && node build/server.js`,
		url: `http://127.0.0.1:${port}/readyz`,
		timeout: 150_000,
		env: {
			PORT: String(port),
			SANDBOX_PORT: String(sandboxPort),
			SANDBOX_DATA_DIR: folder,
			SANDBOX_TODAY: BROKERS_CLOCK,
			LOG_LEVEL: 'warn',
			...(ONLY_REQUIRED && { SANDBOX_ONLY_REQUIRED: ONLY_REQUIRED }),
			...settings,
		},
		stdout: 'ignore' as const,
		gracefulShutdown: { signal: 'SIGTERM' as const, timeout: 5000 },
	}
}
