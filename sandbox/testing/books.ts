import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rename, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { sql } from 'drizzle-orm'
import { Client } from 'pg'
import { readRows } from '#sandbox/book/rows'
import { type Books, openBooks, openEmbedded } from '#sandbox/db/open'
import { personas } from '#sandbox/db/seed/personas'
import { seedBooks } from '#sandbox/db/seed/seed'

/** Every client except BULK01, whose books take most of the time. */
export const SMALL_CLIENTS = personas.map(({ code }) => code).filter((code) => code !== 'BULK01')

/** scrypt's cost for the passwords of test clients: a login takes 1 ms in place of 25. */
export const PASSWORD_COST = 1024

type Seed = Parameters<typeof seedBooks>[1]

/**
 * Opens separate books for a test, with the given personas. Making them takes seconds and every test file needs some. So a test run
 * makes them once (tests/support/kept-books.ts) and each file gets a copy: a database of the run's PostgreSQL when it is installed,
 * because its queries take a fifth of the time; else a database embedded in this process.
 */
export async function openSeededBooks(seed: Seed): Promise<Books> {
	const name = createHash('sha256').update(JSON.stringify(seed)).digest('hex').slice(0, 40)
	const server = process.env.KEPT_POSTGRES
	const books = server ? await copyDatabase(server, name, seed) : await openKeptBooks(name, seed)
	return { ...books, close: () => closeBalanced(books) }
}

/**
 * Closes the books of a test. Throws when the test has left a voucher whose sides do not sum to zero or that has fewer than two sides,
 * or a posting without a voucher. So every file that moves money shows that no money appeared or disappeared.
 */
async function closeBalanced(books: Books): Promise<void> {
	const wrong = await readRows<{ voucher: string; paise: number; sides: number }>(
		books,
		sql`SELECT coalesce(v.voucher_no, 'none') AS voucher, coalesce(sum(p.amount), 0)::float8 AS paise, count(p.id)::float8 AS sides
		FROM vouchers v FULL JOIN postings p ON p.voucher_id = v.id GROUP BY v.id, v.voucher_no, p.voucher_id
		HAVING v.id IS NULL OR count(p.id) < 2 OR sum(p.amount) <> 0 ORDER BY 1 LIMIT 5`,
	)
	await books.close()
	if (wrong.length > 0) throw new Error(`The book does not balance: ${JSON.stringify(wrong)}`)
}

/** A copy of the database with these books, on the given server. Closing it drops it. */
async function copyDatabase(server: string, name: string, seed: Seed): Promise<Books> {
	const copy = `copy_${randomUUID().replaceAll('-', '')}`
	await askServer(server, async (admin) => {
		// Two files may need the same books at once: one makes them, the other waits.
		await admin.query('SELECT pg_advisory_lock(hashtext($1))', [name])
		const { rowCount } = await admin.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
		if (!rowCount) await makeDatabase(admin, server, name, seed)
		await admin.query(`CREATE DATABASE "${copy}" TEMPLATE "${name}" STRATEGY FILE_COPY`)
	})
	const books = await openBooks({ databaseUrl: nameDatabase(server, copy) })
	return {
		...books,
		async close() {
			await books.close()
			await askServer(server, (admin) => admin.query(`DROP DATABASE "${copy}" WITH (FORCE)`))
		},
	}
}

/** Makes the database under a temporary name, and renames it when it is complete. */
async function makeDatabase(admin: Client, server: string, name: string, seed: Seed): Promise<void> {
	await admin.query(`CREATE DATABASE "${name}_part"`)
	const books = await openBooks({ databaseUrl: nameDatabase(server, `${name}_part`) })
	await seedBooks(books, { passwordCost: PASSWORD_COST, ...seed })
	await books.close()
	await admin.query(`ALTER DATABASE "${name}_part" RENAME TO "${name}"`)
}

async function askServer(server: string, ask: (admin: Client) => Promise<unknown>): Promise<void> {
	const admin = new Client({ connectionString: server })
	await admin.connect()
	try {
		await ask(admin)
	} finally {
		await admin.end()
	}
}

const nameDatabase = (server: string, name: string) => Object.assign(new URL(server), { pathname: name }).href

async function openKeptBooks(name: string, seed: Seed): Promise<Books> {
	const folder = process.env.KEPT_BOOKS
	const file = folder === undefined ? undefined : path.join(folder, name)
	if (file && existsSync(file)) return await openEmbedded({ dumped: await readFile(file) })
	const books = await openEmbedded()
	await seedBooks(books, { passwordCost: PASSWORD_COST, ...seed })
	if (file) {
		// Two files may make the same books at once; neither may read an incomplete file of the other.
		const part = `${file}.${randomUUID()}`
		await writeFile(part, Buffer.from(await (await books.dump()).arrayBuffer()))
		await rename(part, file)
	}
	return books
}
