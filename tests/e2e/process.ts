import { get } from 'node:http'
import { expect } from '@playwright/test'
import { type Program, spawnProgram } from '#scripts/programs'
import { BROKERS_CLOCK } from '#tests/support/brokers-day'
import { copyBooks } from './kept'
import { ONLY_REQUIRED } from './optional-steps'
import { BROKER } from './portal'

export const SECRET = 'kept-for-one-test-run-Xq7Lw2Zr9Tn4Bv'

const started = new Set<Program>()

/** A Node program with only these settings. */
export function start(args: string[], settings: Record<string, string>): Program {
	const program = spawnProgram(args.join(' '), process.execPath, args, settings)
	started.add(program)
	void program.exit.then(() => started.delete(program))
	return program
}

/** A portal for one test, on the shared sandbox. */
export async function startPortal(port: number, settings: Record<string, string> = {}): Promise<Program & { origin: string }> {
	const origin = `http://127.0.0.1:${port}`
	const program = start(['build/server.js'], {
		PORT: String(port),
		HOST: '127.0.0.1',
		BROKER_URL: BROKER,
		SESSION_SECRET: SECRET,
		PUBLIC_URL: origin,
		LOG_LEVEL: 'info',
		...settings,
	})
	await answering(origin)
	return { ...program, origin }
}

/** A portal with its own sandbox and books, for tests that change data which other tests need. */
export async function startOwn(
	{ portal, sandbox }: { portal: number; sandbox: number },
	others: Record<string, string> = {},
): Promise<Program> {
	const folder = `.cache/sandbox-${sandbox}`
	copyBooks(folder)
	const settings = {
		PORT: String(portal),
		SANDBOX_PORT: String(sandbox),
		SANDBOX_DATA_DIR: folder,
		SANDBOX_TODAY: BROKERS_CLOCK,
		LOG_LEVEL: 'warn',
		...(ONLY_REQUIRED && { SANDBOX_ONLY_REQUIRED: ONLY_REQUIRED }),
		...others,
	}
	const program = start(['build/server.js'], settings)
	await expect(async () => answering(`http://127.0.0.1:${portal}`, '/readyz')).toPass({ timeout: 180_000 })
	return program
}

/** Waits until the address returns 200. */
export async function answering(origin: string, path = '/healthz') {
	await expect.poll(() => readStatus(origin + path), { timeout: 20_000, intervals: [100] }).toBe(200)
}

function readStatus(url: string): Promise<number> {
	return new Promise((resolve) => {
		get(url, (response) => {
			response.resume()
			resolve(response.statusCode ?? 0)
		}).on('error', () => resolve(0))
	})
}

/** For `afterEach`: stops every process of the test. */
export async function stopAll() {
	await Promise.all([...started].map((program) => program.stop('SIGKILL')))
}
