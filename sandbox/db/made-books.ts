import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { resumeClock } from '#sandbox/clock'
import { type SandboxSettings } from '#sandbox/settings'
import { type Books, openBooks } from './open'
import { seedBooks } from './seed/seed'

/* For programs that open the sandbox's books. The process that has the sandbox's port has its books. */

/** Takes the sandbox's port, so that none starts meanwhile; undefined when a sandbox has it. */
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

/** The sandbox's books, made when there are none. Close them, or Node keeps running. */
export async function openMadeBooks({ databaseUrl, dataDirectory, seed, startsOn }: SandboxSettings): Promise<Books> {
	const books = await openBooks(databaseUrl === undefined ? { dataDir: dataDirectory } : { databaseUrl })
	const { booksDay, keep } = await resumeClock(books, startsOn)
	await seedBooks(books, { seed, today: booksDay })
	await keep()
	return books
}
