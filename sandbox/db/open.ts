import { fileURLToPath } from 'node:url'
import { PGlite } from '@electric-sql/pglite'
import { drizzle as drizzleServer } from 'drizzle-orm/node-postgres'
import { migrate as migrateServer } from 'drizzle-orm/node-postgres/migrator'
import { type PgDatabase, type PgQueryResultHKT } from 'drizzle-orm/pg-core'
import { drizzle as drizzleEmbedded } from 'drizzle-orm/pglite'
import { migrate as migrateEmbedded } from 'drizzle-orm/pglite/migrator'
import { Pool, types } from 'pg'
import { chunkRows, writeCopyText } from './copy-text'
import { prepareFolder } from './data-folder'
import { DumpedFiles } from './dumped-files'
import * as schema from './schema'

/** Both drivers return an object with `rows`; its other fields are not used. */
interface Answer<Row> {
	rows: Row[]
}
interface QueryAnswer extends PgQueryResultHKT {
	type: Answer<this['row']>
}

type Database = PgDatabase<QueryAnswer, typeof schema>
/** A database or a transaction of it. */
export type Queries = Pick<Database, 'select' | 'insert' | 'update' | 'delete' | 'execute'>

export type DbValue = string | number | boolean | null | undefined

/** The opened books of the sandbox broker. */
export interface Books {
	db: Database
	/** Closes the connection or the embedded database; otherwise Node keeps running. */
	close(): Promise<void>
	/** Loads rows into a table in bulk, far faster than INSERT. Cells are in the order of the columns; undefined is NULL. */
	copy(table: string, columns: readonly string[], rows: readonly (readonly DbValue[])[]): Promise<void>
}

const migrationsFolder = fileURLToPath(new URL('./migrations', import.meta.url))

/** PostgreSQL accepts at most 65,535 parameters; array parameters need one per column, so this limit only saves memory. */
const ROWS_A_STATEMENT = 20_000
const IDENTIFIER = /^[a-z][a-z0-9_]*$/

function listColumns(table: string, columns: readonly string[]): string {
	for (const name of [table, ...columns]) if (!IDENTIFIER.test(name)) throw new TypeError(`Not a column: ${name}`)
	return `"${table}" (${columns.map((column) => `"${column}"`).join(', ')})`
}

export interface EmbeddedBooks extends Books {
	/** The whole database as a tar that `openEmbedded` can start with. */
	dump(): Promise<Blob>
}

/**
 * PostgreSQL embedded in this process: in `dataDir` or, without one, in memory. With `dumped` it starts from a dump made by the same
 * version of the code, so its tables are up to date; the database then writes into those bytes.
 */
export async function openEmbedded({ dataDir, dumped }: { dataDir?: string; dumped?: Uint8Array } = {}): Promise<EmbeddedBooks> {
	if (dataDir !== undefined) prepareFolder(dataDir)
	// Nothing is parsed here: drizzle's columns read days, bigint and numeric, and hand-written queries cast them.
	const client = await PGlite.create({ ...(dumped ? { fs: new DumpedFiles(dumped) } : { dataDir }), relaxedDurability: true })
	const db = drizzleEmbedded({ client, schema })
	if (!dumped) await migrateEmbedded(db, { migrationsFolder })
	return {
		db,
		close: () => client.close(),
		async dump() {
			// Without a checkpoint each database that starts from the dump replays every write.
			await client.exec('CHECKPOINT')
			return await client.dumpDataDir('none')
		},
		async copy(table, columns, rows) {
			const target = listColumns(table, columns)
			for (const chunk of chunkRows(rows, ROWS_A_STATEMENT)) {
				await client.query(`COPY ${target} FROM '/dev/blob'`, [], { blob: new Blob([writeCopyText(chunk)]) })
			}
		},
	}
}

/** Asks PostgreSQL for the column types, so that they need not be repeated here. */
async function readColumnTypes(pool: Pool, table: string): Promise<Map<string, string>> {
	const { rows } = await pool.query<{ name: string; type: string }>(
		'SELECT attname AS name, format_type(atttypid, atttypmod) AS type FROM pg_attribute WHERE attrelid = $1::regclass AND attnum > 0',
		[table],
	)
	return new Map(rows.map(({ name, type }) => [name, type]))
}

/** Drizzle's own message is the statement that failed. The connection's is below it, or in a list when a host has several addresses. */
function findReason(error: unknown): string {
	if (!(error instanceof Error)) return String(error)
	const [first] = error instanceof AggregateError ? (error.errors as unknown[]) : [error.cause]
	return first === undefined ? error.message : findReason(first)
}

/** Opens the books on a server. The error of a failure names the variable and the reason, never the address, which has a password. */
async function openServer(databaseUrl: string): Promise<Books> {
	try {
		return await connectBooks(databaseUrl)
	} catch (error) {
		throw new Error(`DATABASE_URL: the sandbox cannot open its books there: ${findReason(error)}`, { cause: error })
	}
}

async function connectBooks(databaseUrl: string): Promise<Books> {
	const pool = new Pool({ connectionString: databaseUrl, max: 8, connectionTimeoutMillis: 10_000 })
	// A server that restarts closes its connections. Without a listener that error ends this process. An open query rejects, and the
	// next one opens a new connection.
	pool.on('error', () => {})
	pool.on('connect', (client) => client.on('error', () => {}))
	// As with PGlite, a day stays text, whatever the server's time zone.
	types.setTypeParser(types.builtins.DATE, (text) => text)
	const db = drizzleServer({ client: pool, schema })
	await migrateServer(db, { migrationsFolder })
	return {
		db,
		close: () => pool.end(),
		async copy(table, columns, rows) {
			const target = listColumns(table, columns)
			const columnTypes = await readColumnTypes(pool, table)
			const arrays = columns.map((column, at) => `$${at + 1}::${columnTypes.get(column) ?? 'text'}[]`)
			for (const chunk of chunkRows(rows, ROWS_A_STATEMENT)) {
				const values = columns.map((_, at) => chunk.map((row) => row[at] ?? null))
				await pool.query(`INSERT INTO ${target} SELECT * FROM unnest(${arrays.join(', ')})`, values)
			}
		},
	}
}

/**
 * Opens the books and brings their tables up to date: a PostgreSQL server when `databaseUrl` is given, else PostgreSQL embedded in this
 * process, in `dataDir` or, without one, in memory. Throws when the server cannot be reached, and UnusableFolder for a `dataDir` that
 * cannot be written.
 */
export async function openBooks({ databaseUrl, dataDir }: { databaseUrl?: string; dataDir?: string } = {}): Promise<Books> {
	return databaseUrl === undefined ? await openEmbedded({ dataDir }) : await openServer(databaseUrl)
}
