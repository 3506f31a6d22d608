import { destination as openDestination, pino } from 'pino'

/**
 * A log of JSON lines on stdout. A reader that goes away (EPIPE, ECONNRESET) ends the log and not the process. Throws when the level is
 * none of pino's.
 */
export function createLog(level: string) {
	const destination = openDestination(1)
	destination.on('error', () => {
		// Lines that cannot be written would pile up in memory.
		destination.write = () => true
	})
	return pino({ level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime }, destination)
}
