import { renameSync } from 'node:fs'
import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { createAdaptorServer, type Http2Bindings, type HttpBindings } from '@hono/node-server'
import { pino } from 'pino'
import { createSandbox } from './app'
import { resumeClock } from './clock'
import { type Books, openBooks } from './db/open'
import { personas } from './db/seed/personas'
import { seedBooks } from './db/seed/seed'
import { readSettings, type SandboxSettings } from './settings'
import { type SandboxApp } from './types'

/** How long open calls are waited for when the sandbox stops, in milliseconds. */
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

/**
 * The embedded database cannot be shared, and a directory that two processes wrote to does not open again. It only holds fictional books,
 * so it is moved aside and made again: otherwise the demonstration would never start again.
 */
async function openOwnBooks(): Promise<Books> {
	if (settings.databaseUrl !== undefined) return await openBooks({ databaseUrl: settings.databaseUrl })
	const dataDir = settings.dataDirectory
	try {
		return await openBooks({ dataDir })
	} catch (error) {
		const aside = `${dataDir}-unreadable-${Date.now()}`
		log.warn({ aside, why: error instanceof Error ? error.message : String(error) }, 'the stored books do not open; making new ones')
		renameSync(dataDir, aside)
		return await openBooks({ dataDir })
	}
}

/** Takes the port first: a second sandbox fails here, before it touches the first one's books. */
async function listen(fetch: (request: Request, env: HttpBindings | Http2Bindings) => Promise<Response>) {
	// Node looks for slow headers every 30 s unless told otherwise, which makes its limits ten times as long as they say.
	// On one machine a browser sends it the portal's cookies too.
	const serverOptions = { connectionsCheckingInterval: 2000, headersTimeout: HEADERS_MS, maxHeaderSize: 32_768 }
	const listening = createAdaptorServer({ fetch, createServer, serverOptions })
	listening.on('error', (error: NodeJS.ErrnoException) => {
		const why = error.code === 'EADDRINUSE' ? `port ${settings.port} is taken; set SANDBOX_PORT` : error.message
		process.stderr.write(`The sandbox cannot listen: ${why}\n`)
		process.exit(1)
	})
	await new Promise<void>((resolve) => listening.listen(settings.port, settings.host, resolve))
	return listening
}

function formatAddress({ port }: AddressInfo): string {
	const host = settings.host === '0.0.0.0' || settings.host === '::' ? '127.0.0.1' : settings.host
	return settings.url ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`
}

let openSandbox: (sandbox: SandboxApp) => void = () => undefined
/** Requests during the making of the books wait. */
const opened = new Promise<SandboxApp>((resolve) => (openSandbox = resolve))
const server = await listen(async (request, env) => await (await opened).fetch(request, env))

const books = await openOwnBooks()
const { clock, booksDay, keep } = await resumeClock(books, settings.startsOn)
await seedBooks(books, { seed: settings.seed, today: booksDay })
await keep()
openSandbox(createSandbox({ books, clock, settings, personas }))

const url = formatAddress(server.address() as AddressInfo)
if (process.send) process.send({ type: 'ready', url, personas: personas.map(({ code, password, shows }) => ({ code, password, shows })) })
else process.stdout.write(`The sandbox broker is at ${url}\n`)

let isStopping = false
/** Finishes open calls, closes the books, and exits. */
function stop(why: string): void {
	if (isStopping) return
	isStopping = true
	log.info({ why }, 'the sandbox stops')
	setTimeout(() => process.exit(0), STOP_MS).unref()
	server.close(() => void books.close().finally(() => process.exit(0)))
	if ('closeIdleConnections' in server) server.closeIdleConnections()
}
// A signal to the whole process group reaches the portal too, which needs its broker until the last post has its reply. A portal that
// started this process ends it by closing the channel between them.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void (process.connected || stop(signal)))
// A portal that was killed must leave no sandbox behind.
process.on('disconnect', () => stop('the portal went away'))
