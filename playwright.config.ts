import { defineConfig, devices } from '@playwright/test'

const PORT = 3100
const SANDBOX_PORT = 4100

/**
 * The built portal and the sandbox broker, as `npm start` runs them, in a data folder of their own. Journeys are written
 * once and run twice: with JavaScript and without.
 */
export default defineConfig({
	testDir: 'tests/e2e',
	outputDir: 'test-results',
	workers: 2,
	retries: 0,
	timeout: 60_000,
	expect: { timeout: 10_000 },
	use: {
		baseURL: `http://127.0.0.1:${PORT}`,
		trace: 'retain-on-failure',
		launchOptions: {
			executablePath: process.env.CHROMIUM || undefined,
			args: [
				'--no-sandbox',
				'--disable-gpu',
				'--disable-quic',
				'--no-first-run',
				'--disable-background-networking',
				'--disable-component-update',
				'--disable-sync',
			],
		},
	},
	projects: [
		{ name: 'with JavaScript', use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 900 } }, testIgnore: '**/no-js.*' },
		{
			name: 'without JavaScript',
			use: { ...devices['Desktop Chrome'], viewport: { width: 1280, height: 900 }, javaScriptEnabled: false },
			testMatch: '**/*.journey.ts',
		},
	],
	testMatch: ['**/*.journey.ts', '**/*.spec.ts'],
	webServer: {
		// Journeys change accounts for good: each run begins with the books as they are seeded.
		command: 'rm -rf .cache/sandbox && node build/server.js',
		url: `http://127.0.0.1:${PORT}/readyz`,
		timeout: 150_000,
		env: {
			PORT: String(PORT),
			SANDBOX_PORT: String(SANDBOX_PORT),
			SANDBOX_DATA_DIR: '.cache/sandbox',
			LOG_LEVEL: 'warn',
			BROKER_TIMEOUT_MS: '3000',
		},
		stdout: 'ignore',
		gracefulShutdown: { signal: 'SIGTERM', timeout: 5000 },
	},
})
