import { accessSync, constants, mkdirSync, readdirSync, renameSync } from 'node:fs'
import path from 'node:path'

/** The folder of the embedded books cannot be used, whatever the books are like. The message is one line for the person who set it. */
export class UnusableFolder extends Error {
	constructor(cause: unknown) {
		const why = cause instanceof Error ? cause.message : String(cause)
		super(`SANDBOX_DATA_DIR: the sandbox cannot keep its books there: ${why}. To use a broker's API, set BROKER_URL`, { cause })
	}
}

function withFolder(use: () => void): void {
	try {
		use()
	} catch (error) {
		throw new UnusableFolder(error)
	}
}

/**
 * Makes the folder when there is none. Throws UnusableFolder when it cannot be made, or when it or a file in it cannot be written, for
 * example because another user made it: the database itself would report that as broken books.
 */
export function prepareFolder(folder: string): void {
	withFolder(() => {
		mkdirSync(folder, { recursive: true })
		accessSync(folder, constants.X_OK)
		for (const name of ['', ...readdirSync(folder)]) accessSync(path.join(folder, name), constants.R_OK | constants.W_OK)
	})
}

/** Renames the folder of broken books. Throws UnusableFolder when that is not allowed. */
export function moveAside(folder: string, aside: string): void {
	withFolder(() => renameSync(folder, aside))
}
