import { execFileSync, spawn } from 'node:child_process'
import { build } from 'esbuild'
import { startSandbox } from '#server/sandbox'
import { BUNDLE } from './bundle'

/*
 * Starts the portal with hot reload in the server of Vite: without the guards, limits and security headers of production. Starts the
 * sandbox broker too when no other broker is configured.
 */
const bundle = '.cache/dev/sandbox.js'
await build({
	...BUNDLE,
	entryPoints: ['sandbox/main.ts'],
	outfile: bundle,
})
execFileSync('cp', ['-r', 'sandbox/db/migrations', '.cache/dev/'])

const sandbox = process.env.BROKER_URL ? undefined : await startSandbox(process.env, bundle)
if (sandbox) process.stdout.write(`${sandbox.greeting}\n`)
const vite = spawn('node_modules/.bin/remix', ['vite:dev'], {
	stdio: 'inherit',
	env: { ...process.env, ...sandbox?.settings, NODE_ENV: 'development' },
})
vite.once('exit', (code) => {
	sandbox?.stop()
	process.exit(code ?? 0)
})
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => vite.kill(signal))
