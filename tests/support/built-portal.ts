import { randomUUID } from 'node:crypto'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ServerBuild } from '@remix-run/node'

const BUILT = pathToFileURL(path.resolve('build/server/index.js')).href

let loaded: Promise<ServerBuild> | undefined

/**
 * The built portal of this test file. The portal keeps state in memory (failed logins, running calls, the broker's clock), so each
 * test file evaluates it again. The packages that it imports are loaded once in a process. A counter would not do: a test may reset the
 * modules of the process, and the next file would get the first copy with all of its state.
 */
export function loadPortal(): Promise<ServerBuild> {
	loaded ??= import(`${BUILT}?copy=${randomUUID()}`) as Promise<ServerBuild>
	return loaded
}

/** The next test file begins with a portal without state. */
export const forgetPortal = () => void (loaded = undefined)
