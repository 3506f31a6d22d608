import { createServer } from 'node:http'
import { type AddressInfo } from 'node:net'
import { createAdaptorServer, type Http2Bindings, type HttpBindings } from '@hono/node-server'
import { pino } from 'pino'
import { createSandbox } from './app'
import { moveAside, UnusableFolder } from './db/data-folder'
import { makeBooks } from './db/made-books'
import { type Books, openBooks } from './db/open'
import { personas } from './db/seed/personas'
import { readSettings, type SandboxSettings } from './settings'
import { type SandboxApp } from './types'

/** How long the sandbox waits for open calls when it stops, in milliseconds. */
const STOP_MS = 3000
const HEADERS_MS = 15_000

/** Prints the reason in one line without a stack: its reader sets variables and does not change code. */
function refuse(error: unknown): never {
	process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`)
	process.exit(1)
}

function settingsOrExit(): SandboxSettings {
	try {
		return readSettings(process.env)
	} catch (error) {
		return refuse(error)
	}
}

const settings = settingsOrExit()
const log = pino({ level: settings.logLevel, base: undefined, timestamp: pino.stdTimeFunctions.isoTime })

/**
 * The embedded database cannot be shared, and a directory written by two processes does not open again. It holds only fictional books,
 * so it is moved aside and new books are made; otherwise the demonstration would never start again. A folder that cannot be written is
 * no reason for that.
 */
async function openOwnBooks(): Promise<Books> {
	const { databaseUrl, dataDirectory: dataDir } = settings
	if (databaseUrl !== undefined) return await openBooks({ databaseUrl })
	try {
		return await openBooks({ dataDir })
	} catch (error) {
		if (error instanceof UnusableFolder) throw error
		const aside = `${dataDir}-unreadable-${Date.now()}`
		log.warn({ aside, why: error instanceof Error ? error.message : String(error) }, 'the stored books do not open; making new ones')
		moveAside(dataDir, aside)
		return await openBooks({ dataDir })
	}
}

/** Takes the port first, so that a second sandbox fails here, before it touches the books of the first. */
async function listen(fetch: (request: Request, env: HttpBindings | Http2Bindings) => Promise<Response>) {
	// By default Node checks for slow headers only every 30 s, which makes the limits up to ten times as long. The large header size is
	// needed because on one machine a browser also sends the portal's cookies to the sandbox.
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
/** Requests wait while the books are being made. */
const opened = new Promise<SandboxApp>((resolve) => (openSandbox = resolve))
const server = await listen(async (request, env) => await (await opened).fetch(request, env))

const books = await openOwnBooks().catch(refuse)
const clock = await makeBooks(books, settings.startsOn)
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
// A signal to the whole process group also reaches the portal, which needs its broker until the last post has its response. A portal
// that started this process ends it by closing the channel between them.
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void (process.connected || stop(signal)))
// When the portal is killed, the sandbox stops too.
process.on('disconnect', () => stop('the portal went away'))
