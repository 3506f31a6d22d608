import { destination as openDestination, pino } from 'pino'

/** Milliseconds between two warnings on stderr. */
const WARN_AGAIN_MS = 60_000

/**
 * A log of JSON lines on stdout, or on another file descriptor. When its reader closes (EPIPE, ECONNRESET), logging stops and the process
 * goes on. After another error, such as a full disk, lines are lost until a write succeeds again, and stderr says so. Throws when the level
 * is not one of pino's.
 */
export function createLog(level: string, descriptor = 1) {
	const destination = openDestination(descriptor)
	const write = destination.write.bind(destination)
	const flush = destination.flushSync.bind(destination)
	let isStuck = false
	let warnedAt = -Infinity

	// Lines that cannot be written would fill the memory. An empty one makes it try again what it has kept.
	destination.write = (line) => write(isStuck ? '' : line)
	// At the end of the process it would try for ever.
	destination.flushSync = () => void (isStuck || flush())
	destination.on('drain', () => (isStuck = false))
	destination.on('error', ({ code }: NodeJS.ErrnoException) => {
		isStuck = true
		if (code === 'EPIPE' || code === 'ECONNRESET') destination.write = () => true
		else if (performance.now() - warnedAt > WARN_AGAIN_MS) {
			warnedAt = performance.now()
			process.stderr.write(`Log lines are lost: stdout cannot be written (${code})\n`)
		}
	})
	return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, destination)
}
