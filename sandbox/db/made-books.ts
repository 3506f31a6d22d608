import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { toIndianDay } from '#contract/values/dates'
import { resumeClock } from '#sandbox/clock'
import { type SandboxSettings } from '#sandbox/settings'
import { type Clock } from '#sandbox/types'
import { type Books, openBooks } from './open'
import { seedBooks } from './seed/seed'

/* For programs that open the sandbox's books. Only the process that holds the sandbox's port may open them. */

/** Takes the sandbox's port, so that no sandbox starts in the meantime; undefined when a sandbox already has it. */
export async function takePort({ port, host }: SandboxSettings): Promise<Server | undefined> {
	const holder = createServer((_, response) => void response.writeHead(503).end())
	holder.listen(port, host)
	try {
		await once(holder, 'listening')
		return holder
	} catch (error) {
		if ((error as NodeJS.ErrnoException).code === 'EADDRINUSE') return undefined
		throw error
	}
}

/** Opens the sandbox's books, and makes them when there are none. Close them at the end; otherwise Node keeps running. */
export async function openMadeBooks({ databaseUrl, dataDirectory, startsOn }: SandboxSettings): Promise<Books> {
	const books = await openBooks(databaseUrl === undefined ? { dataDir: dataDirectory } : { databaseUrl })
	await makeBooks(books, startsOn)
	return books
}

/** Fills open books that are empty or of an earlier day. Returns the clock that goes with them. */
export async function makeBooks(books: Books, startsOn: string | undefined): Promise<Clock> {
	const { clock, booksDay, keep } = await resumeClock(books, startsOn)
	await seedBooks(books, { today: booksDay, clockDay: toIndianDay(clock.now()) })
	await keep()
	return clock
}
