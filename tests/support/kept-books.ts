import { existsSync, statfsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import os from 'node:os'
import path from 'node:path'
import { createPostgres } from '#scripts/deployment/postgres'

/** PostgreSQL without safe writes: a test's database is deleted with its test file, so it need not survive a power cut. */
const FORGETFUL = [
	'fsync=off',
	'synchronous_commit=off',
	'full_page_writes=off',
	'wal_level=minimal',
	'max_wal_senders=0',
	'autovacuum=off',
	'track_activities=off',
	'track_counts=off',
	'update_process_title=off',
	'jit=off',
	'max_connections=200',
]

const MEMORY = '/dev/shm'
const ROOM_BYTES = 2 * 1024 ** 3

/**
 * Gives all tests one place for books that they copy: a PostgreSQL of this run when it is installed, or else a folder. It is deleted
 * after the run, so it always matches the code.
 */
export default async function keepBooks() {
	// Vitest sets up once for each of its projects.
	if (process.env.KEPT_POSTGRES || process.env.KEPT_BOOKS) return undefined
	if (existsSync('/usr/lib/postgresql')) {
		const server = createPostgres(await findFreePort(), FORGETFUL, choosePlace())
		server.start()
		process.env.KEPT_POSTGRES = server.socketUrl
		return () => {
			server.stop('immediate')
			server.remove()
		}
	}
	const folder = await mkdtemp(path.join(os.tmpdir(), 'khata-books-'))
	process.env.KEPT_BOOKS = folder
	return () => rm(folder, { recursive: true })
}

/** In memory when there is room: each test file copies a database and drops it, which takes 140 ms on a disk and 40 ms in memory. */
function choosePlace(): string {
	if (!existsSync(MEMORY)) return os.tmpdir()
	const { bavail, bsize } = statfsSync(MEMORY)
	return bavail * bsize > ROOM_BYTES ? MEMORY : os.tmpdir()
}

function findFreePort(): Promise<number> {
	const probe = createServer()
	return new Promise((resolve, reject) => {
		probe.once('error', reject)
		probe.listen(0, '127.0.0.1', () => {
			const { port } = probe.address() as AddressInfo
			probe.close(() => resolve(port))
		})
	})
}
