import cluster from 'node:cluster'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ServerBuild } from '@remix-run/node'
import { createServer } from '#server/http'
import { findMisspelt } from '#server/misspelt'
import { hasLogo } from '#server/public-files'
import { refuseAddress } from '#server/refuse-address'
import { startSandbox } from '#server/sandbox'
import { drainMs, prepareStop } from '#server/stop'
import { startWorkers } from '#server/workers'
import { createLog } from '~/lib/create-log'
import { redact } from '~/lib/redact'

/*
 * The composition root: settings, the sandbox broker when no other is configured, and either the portal in this process, or
 * WEB_CONCURRENCY processes that run this file again. The server closes slow connections and lets downloads finish when it stops.
 */
const buildDirectory = path.resolve('build')

/** Without it React loads its version for development, which takes twice the time for a page. */
process.env.NODE_ENV ||= 'production'

let sandbox: Awaited<ReturnType<typeof startSandbox>> | undefined
if (!existsSync(path.join(buildDirectory, 'server/index.js')))
	refuse(new Error(`${buildDirectory} has no build: run \`npm run build\`, and start the portal in its own folder`))
sandbox = process.env.BROKER_URL ? undefined : await startSandbox(process.env, path.join(buildDirectory, 'sandbox.js')).catch(refuse)
Object.assign(process.env, sandbox?.settings)

const { settings } = await import('~/config/env.server').catch(refuse)
const log = createLog(settings.LOG_LEVEL)

// The reader of the output may close it: then logging stops and the portal goes on.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})
// A library's own error (such as a broken-off download) is logged like every other, without its subject.
for (const level of ['error', 'warn', 'info'] as const) {
	console[level] = (...said: unknown[]) => log[level]({ event: 'console', said: redact(said.map(String).join(' ')) })
}
process.on('unhandledRejection', (error) =>
	log.error({ event: 'unhandled_rejection', error: error instanceof Error ? error.name : 'unknown' }, 'A promise nobody waited for failed'),
)

// Node would print the source line of the fault, which is the whole bundle, and the message, which may be private.
process.on('uncaughtException', (error: unknown) => {
	const { name = 'unknown', stack = '' } = error instanceof Error ? error : {}
	const at = stack.split('\n').find((line) => line.startsWith('    at '))
	log.fatal({ event: 'crashed', error: name, at: at?.trim() }, 'A fault in the code ends this process')
	sandbox?.stop()
	process.exit(1)
})

for (const name of ['BRAND_LOGO', 'BRAND_LOGO_DARK'] as const)
	if (cluster.isPrimary && !(await hasLogo(settings[name], path.join(buildDirectory, 'client'))))
		log.warn({ event: 'logo_missing' }, `${name}: public/ had no such picture when the portal was built, so the proxy must serve it`)
const end = await (settings.WEB_CONCURRENCY > 1 ? startWorkers(settings, log) : servePortal()).catch(refuse)
// npm passes on a signal that the process group has already received. The second signal must not end the requests that the first lets
// finish.
let isStopping = false
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop())
if (cluster.isPrimary) greet()
cluster.worker?.send('ready')

/** Serves the portal from this process. Returns a function that stops it, and resolves with the exit code. */
async function servePortal(): Promise<() => Promise<0 | 1>> {
	// Before the first import of a module that measures.
	const { startTelemetry } = await import('#server/telemetry')
	const telemetry = await startTelemetry(settings, log)
	const { createPortal } = await import('#server/portal')
	const build = (await import(pathToFileURL(path.join(buildDirectory, 'server/index.js')).href)) as ServerBuild
	const clientFiles = path.relative(process.cwd(), path.join(buildDirectory, 'client'))
	const server = createServer(createPortal({ settings, build, log, clientFiles, isMeasured: telemetry !== undefined }))
	const closeConnections = prepareStop(server)
	await once(server.listen(settings.PORT, settings.HOST), 'listening').catch(refuseAddress('HOST', 'PORT'))
	log.info({ event: 'started', build: build.assets.version }, 'The portal accepts connections')
	return async () => {
		setTimeout(() => process.exit(0), drainMs(settings.BROKER_TIMEOUT_MS)).unref()
		await closeConnections()
		await telemetry?.shutdown()
		return 0
	}
}

function greet() {
	process.stdout.write(
		`\n  ${settings.BRAND_NAME} is at ${settings.PUBLIC_URL}\n${sandbox ? `  ${sandbox.greeting.replaceAll('\n', '\n  ')}\n` : ''}\n`,
	)
	for (const { name, meant } of findMisspelt(Object.keys(process.env)))
		process.stdout.write(`  ${name} is not a setting: is ${meant} meant?\n\n`)
	// This process serves plain http, so an https address means a proxy.
	if (settings.isSecure && !settings.TRUST_PROXY)
		process.stdout.write('  TRUST_PROXY is not set: all clients have the address of the proxy, and share the limit of wrong passwords.\n\n')
	if (!settings.REDIS_URL)
		process.stdout.write('  REDIS_URL is not set: run one process only. Limits, ended sessions and posts under way are in its memory.\n\n')
}

/** Prints the reason in one line without a stack: its reader sets variables and does not change code. */
function refuse(error: unknown): never {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
	sandbox?.stop()
	process.exit(1)
}

async function stop() {
	if (isStopping) return
	isStopping = true
	const code = await end()
	sandbox?.stop()
	process.exit(code)
}
