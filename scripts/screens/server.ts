import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { type Program, spawnProgram, waitForPort } from '#scripts/programs'

const PORT = Number(process.env.SCREENS_PORT ?? 5200)
const SANDBOX_PORT = PORT + 1
const FOLDER = '.cache/screens-sandbox'
/** A fixed day, so that the same code takes the same pictures. */
const NOW = '2026-11-20T11:00'

export type Server = { url: string; sandbox: string; stop: () => Promise<void> }

/**
 * Starts the built portal with the sandbox broker and new books, as `npm start` does. `onlyRequired` is the answer of the sandbox to the
 * optional operations, when it should have none of them.
 */
export async function startServer(onlyRequired?: '404' | '501' | 'html'): Promise<Server> {
	execFileSync('node_modules/.bin/tsx', ['scripts/build.ts', '--if-needed'], { stdio: 'inherit' })
	rmSync(FOLDER, { recursive: true, force: true })
	const url = `http://127.0.0.1:${PORT}`
	const program: Program = spawnProgram('portal', process.execPath, ['--max-old-space-size=1024', 'build/server.js'], {
		PORT: String(PORT),
		SANDBOX_PORT: String(SANDBOX_PORT),
		SANDBOX_DATA_DIR: FOLDER,
		SANDBOX_TODAY: NOW,
		PUBLIC_URL: url,
		SANDBOX_FIXED_OTP: '1',
		...(onlyRequired && { SANDBOX_ONLY_REQUIRED: onlyRequired }),
	})
	await waitForPort(PORT, program)
	return { url, sandbox: `http://127.0.0.1:${SANDBOX_PORT}`, stop: async () => void (await program.stop()) }
}
