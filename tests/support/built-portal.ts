import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ServerBuild } from '@remix-run/node'

const BUILT = pathToFileURL(path.resolve('build/server/index.js')).href

let copies = 0
let loaded: Promise<ServerBuild> | undefined

/**
 * The built portal of this test file. The portal keeps state in memory (failed logins, running calls, the broker's clock), so each
 * test file evaluates it again. The packages that it imports are loaded once in a process.
 */
export function loadPortal(): Promise<ServerBuild> {
	loaded ??= import(`${BUILT}?copy=${++copies}`) as Promise<ServerBuild>
	return loaded
}

/** The next test file begins with a portal without state. */
export const forgetPortal = () => void (loaded = undefined)
