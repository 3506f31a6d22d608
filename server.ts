import http from 'node:http'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { getRequestListener } from '@hono/node-server'
import { type ServerBuild } from '@remix-run/node'
import { pino } from 'pino'
import { startSandbox } from '#server/sandbox'

/*
 * The composition root: settings, the sandbox broker when no other is named, the portal, and a server that hangs up on
 * slow senders and lets downloads finish when it is told to stop.
 */
const DRAIN_MS = 30_000
const MAX_CONNECTIONS = 2000
const buildDirectory = path.resolve('build')

const sandbox = process.env.BROKER_URL ? undefined : await startSandbox(process.env, path.join(buildDirectory, 'sandbox.js'))
Object.assign(process.env, sandbox?.settings)

const { settings } = await import('~/settings.server').catch((error: unknown) => {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
	sandbox?.stop()
	process.exit(1)
})
const { createPortal } = await import('#server/portal')
const build = (await import(pathToFileURL(path.join(buildDirectory, 'server/index.js')).href)) as ServerBuild
const log = pino({ level: settings.LOG_LEVEL, base: undefined, timestamp: pino.stdTimeFunctions.isoTime })

const clientFiles = path.relative(process.cwd(), path.join(buildDirectory, 'client'))
const portal = createPortal({ settings, build, log, clientFiles })

const server = http.createServer(
	// Node looks for overdue requests every 30 s unless told otherwise, which makes its own limits three times as long.
	{ connectionsCheckingInterval: 2000, headersTimeout: 10_000, requestTimeout: 30_000, keepAliveTimeout: 65_000, maxHeaderSize: 16_384 },
	getRequestListener(portal.fetch),
)
server.maxConnections = MAX_CONNECTIONS
// A body that is announced as too large is refused before it is sent.
server.on('checkContinue', (request, response) => {
	if (Number(request.headers['content-length'] ?? 0) > 100 * 1024) response.writeHead(413, { connection: 'close' }).end()
	else {
		response.writeContinue()
		server.emit('request', request, response)
	}
})
server.listen(settings.PORT, settings.HOST, () => {
	process.stdout.write(
		`\n  ${settings.BRAND_NAME} is at ${settings.PUBLIC_URL}\n${sandbox ? `  ${sandbox.greeting.replaceAll('\n', '\n  ')}\n` : ''}\n`,
	)
})

process.on('unhandledRejection', (error) =>
	log.error({ event: 'unhandled_rejection', error: error instanceof Error ? error.name : 'unknown' }, 'A promise nobody waited for failed'),
)
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => void stop())

async function stop() {
	setTimeout(() => process.exit(0), DRAIN_MS).unref()
	await new Promise((resolve) => {
		server.close(resolve)
		server.closeIdleConnections()
	})
	sandbox?.stop()
	process.exit(0)
}
