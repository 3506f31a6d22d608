import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

/** Before all tests: a folder for the books that they share copies of. It goes with the run, so it is never older than the code. */
export default async function createBooksFolder() {
	const folder = await mkdtemp(path.join(os.tmpdir(), 'khata-books-'))
	process.env.KEPT_BOOKS = folder
	return () => rm(folder, { recursive: true })
}
