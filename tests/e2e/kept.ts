import { cpSync, rmSync } from 'node:fs'

/** Where the books are as they are seeded (books.ts). */
export const BOOKS = '.cache/books'

/** A sandbox's own copy of the books, in the place of whatever an earlier run left there. */
export function copyBooks(folder: string): void {
	rmSync(folder, { recursive: true, force: true })
	cpSync(BOOKS, folder, { recursive: true })
}
