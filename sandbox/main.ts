import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { createAdaptorServer } from '@hono/node-server'
import { pino } from 'pino'
import { today } from '~/lib/days'
import { createSandbox } from './app'
import { createClock } from './clock'
import { openBooks } from './db/open'
import { personas } from './db/seed/personas'
import { seedBooks } from './db/seed/seed'
import { readSettings, type SandboxSettings } from './settings'

/** How long calls in flight are waited for when the sandbox is told to stop. */
const STOP_MS = 3000
const HEADERS_MS = 15_000

function settingsOrExit(): SandboxSettings {
	try {
		return readSettings(process.env)
	} catch (error) {
		process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
		process.exit(1)
	}
}

const settings = settingsOrExit()
const log = pino({ level: settings.logLevel, base: undefined, timestamp: pino.stdTimeFunctions.isoTime })
const clock = createClock(settings.today)
const books = await openBooks(
	settings.databaseUrl === undefined ? { dataDir: settings.dataDirectory } : { databaseUrl: settings.databaseUrl },
)
await seedBooks(books, { seed: settings.seed, today: today(clock.now()) })
const sandbox = createSandbox({ books, clock, settings, personas })

// Node looks for slow headers every 30 s unless told otherwise, which makes its limits ten times as long as they say.
const serverOptions = { connectionsCheckingInterval: 2000, headersTimeout: HEADERS_MS }
const server = createAdaptorServer({ fetch: sandbox.fetch, createServer, serverOptions })

server.on('error', (error: NodeJS.ErrnoException) => {
	const why = error.code === 'EADDRINUSE' ? `port ${settings.port} is taken; set SANDBOX_PORT` : error.message
	process.stderr.write(`The sandbox cannot listen: ${why}\n`)
	process.exit(1)
})
server.listen(settings.port, settings.host, () => {
	const { port } = server.address() as AddressInfo
	const host = settings.host === '0.0.0.0' || settings.host === '::' ? '127.0.0.1' : settings.host
	const url = settings.url ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
	if (process.send) process.send({ type: 'ready', url, personas: personas.map(({ code, password, shows }) => ({ code, password, shows })) })
	else process.stdout.write(`The sandbox broker is at ${url}\n`)
})

let isStopping = false
/** Answers what it has begun, closes the books, and goes. */
function stop(why: string): void {
	if (isStopping) return
	isStopping = true
	log.info({ why }, 'the sandbox stops')
	setTimeout(() => process.exit(0), STOP_MS).unref()
	server.close(() => void books.close().finally(() => process.exit(0)))
	if ('closeIdleConnections' in server) server.closeIdleConnections()
}
process.on('SIGTERM', () => stop('SIGTERM'))
process.on('SIGINT', () => stop('SIGINT'))
// A portal that was killed leaves no sandbox behind.
process.on('disconnect', () => stop('the portal went away'))
