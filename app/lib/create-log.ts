import { destination as openDestination, pino } from 'pino'

/**
 * A log of JSON lines on stdout. When its reader closes (EPIPE, ECONNRESET), logging stops and the process goes on. Throws when the level
 * is not one of pino's.
 */
export function createLog(level: string) {
	const destination = openDestination(1)
	destination.on('error', () => {
		// Lines that cannot be written would fill the memory.
		destination.write = () => true
	})
	return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, destination)
}
