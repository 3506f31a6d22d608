import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ServerBuild } from '@remix-run/node'
import { pino } from 'pino'
import { createServer } from '#server/http'
import { startSandbox } from '#server/sandbox'
import { cleansed } from '~/lib/cleansed'

/*
 * The composition root: settings, the sandbox broker when no other is named, the portal, and a server that hangs up on
 * slow senders and lets downloads finish when it is told to stop.
 */
const DRAIN_MS = 30_000
const buildDirectory = path.resolve('build')

let sandbox: Awaited<ReturnType<typeof startSandbox>> | undefined
sandbox = process.env.BROKER_URL ? undefined : await startSandbox(process.env, path.join(buildDirectory, 'sandbox.js')).catch(refuse)
Object.assign(process.env, sandbox?.settings)

const { settings } = await import('~/settings.server').catch(refuse)
const { createPortal } = await import('#server/portal')
const build = (await import(pathToFileURL(path.join(buildDirectory, 'server/index.js')).href)) as ServerBuild
const log = pino({ level: settings.LOG_LEVEL, base: undefined, timestamp: pino.stdTimeFunctions.isoTime })

const clientFiles = path.relative(process.cwd(), path.join(buildDirectory, 'client'))
const portal = createPortal({ settings, build, log, clientFiles })

const server = createServer(portal)
server.once('error', refuse)
server.listen(settings.PORT, settings.HOST, () => {
	process.stdout.write(
		`\n  ${settings.BRAND_NAME} is at ${settings.PUBLIC_URL}\n${sandbox ? `  ${sandbox.greeting.replaceAll('\n', '\n  ')}\n` : ''}\n`,
	)
})

// A library that speaks up (a broken-off download does) writes a line like every other, without what it was about.
for (const level of ['error', 'warn', 'info'] as const) {
	console[level] = (...said: unknown[]) => log[level]({ event: 'console', said: cleansed(said.map(String).join(' ')) })
}
process.on('unhandledRejection', (error) =>
	log.error({ event: 'unhandled_rejection', error: error instanceof Error ? error.name : 'unknown' }, 'A promise nobody waited for failed'),
)
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())

/** Says why in a line rather than with a stack: whoever reads it sets variables, and does not mend code. */
function refuse(error: unknown): never {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
	sandbox?.stop()
	process.exit(1)
}

async function stop() {
	setTimeout(() => process.exit(0), DRAIN_MS).unref()
	await new Promise((resolve) => {
		server.close(resolve)
		server.closeIdleConnections()
	})
	sandbox?.stop()
	process.exit(0)
}
