import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'

/** Creates a folder before all tests, for books that tests copy. It is deleted after the run, so it always matches the code. */
export default async function createBooksFolder() {
	const folder = await mkdtemp(path.join(os.tmpdir(), 'khata-books-'))
	process.env.KEPT_BOOKS = folder
	return () => rm(folder, { recursive: true })
}
