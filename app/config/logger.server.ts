import { createLog } from '~/lib/create-log'
import { settings } from './env.server'

/** One JSON line per event. Each call chooses its fields: never headers, a body, a cookie or a query. */
export const log = createLog(settings.LOG_LEVEL)
