import { Redis } from 'ioredis'
import { countRedisFailure } from '~/lib/telemetry'
import { settings } from './env.server'
import { log } from './logger.server'

/** Milliseconds between two log lines about commands: the longest pause between two attempts of ioredis to connect. */
const PAUSE_MS = 2000

/** Each caller goes on when a command fails, so this logs that Redis is full (OOM), read only or too slow. */
class LoggedRedis extends Redis {
	private loggedAt = -Infinity

	override sendCommand(...[command, stream]: Parameters<Redis['sendCommand']>) {
		command.promise.catch(({ name, message }: Error) => {
			// Another failure is one of the connection, which has its own event.
			const isOwn = name === 'ReplyError' || message === 'Command timed out'
			if (!isOwn) return
			countRedisFailure()
			if (performance.now() - this.loggedAt < PAUSE_MS) return
			this.loggedAt = performance.now()
			// The rest of such a message has the arguments of the command.
			const [error] = message.split(', with args')
			log.error({ event: 'redis_failed', error }, 'Redis did not run a command')
		})
		return super.sendCommand(command, stream)
	}
}

function connect(url: string) {
	const client = new LoggedRedis(url, {
		maxRetriesPerRequest: 1,
		enableOfflineQueue: false,
		connectTimeout: 2000,
		// A Redis that hangs must not make every page hang.
		commandTimeout: 1000,
		// A Redis older than 7.2 answers this with an error.
		disableClientInfo: true,
	})
	client.on('error', (error) => {
		countRedisFailure()
		log.error({ event: 'redis_failed', error: error.message }, 'Redis is not answering')
	})
	return client
}

/** Shared by several portal processes when REDIS_URL is set; else undefined, and each process keeps its own memory. */
export const redis = settings.REDIS_URL ? connect(settings.REDIS_URL) : undefined
