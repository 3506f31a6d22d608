import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** V8 by itself collects young objects only after 32 MB of buffers. */
const EVERY_BYTES = 16 * 1024 * 1024

setFlagsFromString('--expose-gc')
const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void

let passed = 0

/**
 * Counts the bytes of a body that was read, and frees the pieces already used after every 16 MB of all bodies. Only young objects are
 * looked at, which takes a few milliseconds.
 */
export function countReadBytes(bytes: number): void {
	passed += bytes
	if (passed < EVERY_BYTES) return
	passed = 0
	collect({ type: 'minor' })
}
