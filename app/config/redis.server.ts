import { Redis } from 'ioredis'
import { settings } from './env.server'
import { log } from './logger.server'

/** Shared by several portal processes when REDIS_URL is set; else undefined, and each process keeps its own memory. */
export const redis = settings.REDIS_URL ? connect(settings.REDIS_URL) : undefined

function connect(url: string) {
	const client = new Redis(url, {
		maxRetriesPerRequest: 1,
		enableOfflineQueue: false,
		connectTimeout: 2000,
		// A Redis that hangs must not make every page hang.
		commandTimeout: 1000,
	})
	client.on('error', (error) => log.error({ event: 'redis_failed', error: error.message }, 'Redis is not answering'))
	return client
}
