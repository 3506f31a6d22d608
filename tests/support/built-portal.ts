import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { type ServerBuild } from '@remix-run/node'

const BUILT = pathToFileURL(path.resolve('build/server/index.js')).href

let copies = 0
let loaded: Promise<ServerBuild> | undefined

/**
 * The built portal of this file of tests. The portal counts and remembers (failed logins, replies under way, the broker's clock), so each
 * file evaluates it anew; what it imports from packages is loaded once in a process.
 */
export function loadPortal(): Promise<ServerBuild> {
	loaded ??= import(`${BUILT}?copy=${++copies}`) as Promise<ServerBuild>
	return loaded
}

/** The next file of tests begins with a portal that knows nothing. */
export const forgetPortal = () => void (loaded = undefined)
