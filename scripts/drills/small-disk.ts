import { execFileSync } from 'node:child_process'
import { chmodSync, closeSync, mkdtempSync, openSync, rmdirSync, rmSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { type Postgres } from '#scripts/deployment/postgres'
import { wait } from '#scripts/programs'

export type SmallDisk = { folder: string; fill: () => void; free: () => void; remove: () => void }

/** Mounts a disk of this size in memory on a new folder. Returns undefined when not root, because only root can mount a disk. */
export function mountSmallDisk(megabytes: number): SmallDisk | undefined {
	if (process.getuid?.() !== 0) return undefined
	const folder = mkdtempSync(path.join(tmpdir(), 'khata-disk-'))
	// PostgreSQL runs as a different user.
	chmodSync(folder, 0o755)
	execFileSync('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m,mode=1777`, 'tmpfs', folder])
	const ballast = path.join(folder, 'ballast')
	return {
		folder,
		/** Leaves less than one block of 4 KB free. */
		fill() {
			const file = openSync(ballast, 'w')
			try {
				for (const block = Buffer.alloc(4096, 1); ;) writeSync(file, block)
			} catch (error) {
				if ((error as NodeJS.ErrnoException).code !== 'ENOSPC') throw error
			} finally {
				closeSync(file)
			}
		},
		free: () => rmSync(ballast, { force: true }),
		remove() {
			execFileSync('umount', [folder])
			rmdirSync(folder)
		},
	}
}

/**
 * Fills the disk of PostgreSQL until its log cannot grow, for 20 s. Then frees space and starts PostgreSQL again, as an operator would.
 */
export async function fillDisk(postgres: Postgres, disk: SmallDisk): Promise<void> {
	disk.fill()
	await endLog(postgres.url)
	await wait(20_000)
	disk.free()
	try {
		postgres.stop('immediate')
	} catch {
		// PostgreSQL has already ended.
	}
	postgres.start()
}

/** Uses up the files that PostgreSQL has ready for its log. Otherwise it could write for minutes on a full disk. */
async function endLog(url: string): Promise<void> {
	const database = new pg.Client({ connectionString: url })
	let hasFailed = false
	database.on('error', () => (hasFailed = true))
	await database.connect()
	try {
		for (let files = 0; files < 100; files++) {
			await database.query("select pg_logical_emit_message(false, 'drill', 'x')")
			await database.query('select pg_switch_wal()')
		}
	} catch {
		hasFailed = true
	}
	await database.end().catch(() => {})
	if (!hasFailed) throw new Error('PostgreSQL still writes its log: the disk is not full')
}
