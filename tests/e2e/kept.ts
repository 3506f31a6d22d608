import { cpSync, rmSync } from 'node:fs'

/** Where the seeded books are kept (books.ts). */
export const BOOKS = '.cache/books'

/** Gives a sandbox its own copy of the books, replacing one left by an earlier run. */
export function copyBooks(folder: string): void {
	rmSync(folder, { recursive: true, force: true })
	cpSync(BOOKS, folder, { recursive: true })
}
