import { Readable } from 'node:stream'
import { Hono } from 'hono'
import { writeJournal } from '#sandbox/book/journal'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'

/** The book, or one client's part of it, as an hledger journal. */
export function journalPage({ books }: SandboxParts) {
	const routes = new Hono<SandboxEnv>()

	routes.get('/journal', (c) => {
		const client = c.req.query('client')?.trim().toUpperCase()
		const journal = Readable.toWeb(
			Readable.from(writeJournal(books, client === '' ? undefined : client)).map((text: string) => Buffer.from(text)),
		)
		return c.body(journal as ReadableStream, 200, { 'content-type': 'text/plain; charset=utf-8' })
	})
	return routes
}
