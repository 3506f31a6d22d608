import { linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { test } from '@playwright/test'

/**
 * Reserves a part of one client on one sandbox for this test file in this project, until the run ends. Two files run at the same time,
 * and would change each other's data. Throws for any second file or project, whenever it runs, so that every run finds the clash. The
 * reservations are files in the folder of the results, which each run empties first.
 */
export function claim(what: 'faults' | `${string} OTPs`, client: string, sandbox: string): void {
	const { file, project } = test.info()
	const mine = `${path.basename(file)} ${project.name}`
	const folder = path.join(project.outputDir, '.claims')
	const note = path.join(folder, `${what} of ${client} at ${new URL(sandbox).host}`)
	const draft = `${note} ${process.pid}`
	mkdirSync(folder, { recursive: true })
	writeFileSync(draft, mine)
	try {
		// A link is made completely or not at all, so another process never reads half a file.
		linkSync(draft, note)
	} catch (error) {
		const owner = readFileSync(note, 'utf8')
		if (owner !== mine) throw new Error(`Take another client: the ${path.basename(note)} belong to ${owner}`, { cause: error })
	} finally {
		rmSync(draft)
	}
}
