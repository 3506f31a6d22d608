import { pino } from 'pino'
import { settings } from '~/settings.server'

/** One JSON line an event. What goes in is chosen at the call: never a header set, a body, a cookie or a query. */
export const log = pino({ level: settings.LOG_LEVEL, base: undefined, timestamp: pino.stdTimeFunctions.isoTime })
