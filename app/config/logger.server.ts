import { createLog } from '~/lib/create-log'
import { settings } from './env.server'

/** One JSON line an event. What goes in is chosen at the call: never a header set, a body, a cookie or a query. */
export const log = createLog(settings.LOG_LEVEL)
