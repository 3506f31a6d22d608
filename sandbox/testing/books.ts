import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { readRows } from '#sandbox/book/rows'
import { type EmbeddedBooks, openEmbedded } from '#sandbox/db/open'
import { personas } from '#sandbox/db/seed/personas'
import { seedBooks } from '#sandbox/db/seed/seed'

/** Every client but the bulky one, whose books take most of the time. */
export const SMALL_CLIENTS = personas.map(({ code }) => code).filter((code) => code !== 'BULK01')

type Seed = Parameters<typeof seedBooks>[1]

/**
 * Books in memory with the personas that are asked for. Making them takes seconds and every file of tests wants some, so a run keeps what
 * it has made in its own folder (tests/support/kept-books.ts), and another file begins with a copy.
 */
export async function openSeededBooks(seed: Seed): Promise<EmbeddedBooks> {
	const books = await openKeptBooks(seed)
	return { ...books, close: () => closeBalanced(books) }
}

/**
 * Ends the books of a test. Throws when what the test has done left a voucher whose sides do not sum to zero, or that has fewer than two, or
 * a posting without a voucher: so every file that moves money shows that none of it was made or lost.
 */
async function closeBalanced(books: EmbeddedBooks): Promise<void> {
	const wrong = await readRows<{ voucher: string; paise: number; sides: number }>(
		books,
		sql`SELECT coalesce(v.voucher_no, 'none') AS voucher, coalesce(sum(p.amount), 0)::float8 AS paise, count(p.id)::float8 AS sides
		FROM vouchers v FULL JOIN postings p ON p.voucher_id = v.id GROUP BY v.id, v.voucher_no, p.voucher_id
		HAVING v.id IS NULL OR count(p.id) < 2 OR sum(p.amount) <> 0 ORDER BY 1 LIMIT 5`,
	)
	await books.close()
	if (wrong.length > 0) throw new Error(`The book does not balance: ${JSON.stringify(wrong)}`)
}

async function openKeptBooks(seed: Seed): Promise<EmbeddedBooks> {
	const folder = process.env.KEPT_BOOKS
	if (folder === undefined) return await makeBooks(seed)
	const name = createHash('sha256').update(JSON.stringify(seed)).digest('hex')
	const file = path.join(folder, name)
	if (existsSync(file)) return await openEmbedded({ dumped: await readFile(file) })
	const books = await makeBooks(seed)
	// Two files may make the same books at once; neither may read half of the other's.
	const part = `${file}.${randomUUID()}`
	await writeFile(part, Buffer.from(await (await books.dump()).arrayBuffer()))
	await rename(part, file)
	return books
}

async function makeBooks(seed: Seed): Promise<EmbeddedBooks> {
	const books = await openEmbedded()
	await seedBooks(books, seed)
	return books
}
