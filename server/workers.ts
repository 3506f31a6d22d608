import cluster, { type Worker } from 'node:cluster'
import { once } from 'node:events'
import { type Logger } from 'pino'
import { type Settings } from '~/config/parse-settings.server'
import { drainMs } from './stop'

/** Milliseconds before an ended process is replaced, so that one that cannot start does not take a whole core. */
const PAUSE_MS = 1000

/**
 * Starts WEB_CONCURRENCY processes that serve the portal on one port, and replaces each that ends. Throws when one of the first cannot start.
 * Returns a function that stops all, and resolves with the exit code: 0 if each ended normally.
 */
export async function startWorkers(settings: Settings, log: Logger): Promise<() => Promise<0 | 1>> {
	const { WEB_CONCURRENCY, METRICS_PORT, BROKER_TIMEOUT_MS } = settings
	let isStopping = false
	// Each worker accepts its own connections (docs/decisions/035-processes-of-one-portal.md).
	cluster.schedulingPolicy = cluster.SCHED_NONE

	// A worker is a portal of one process with its own port for metrics. Its replacement has the same port.
	const fork = (at: number) => cluster.fork({ WEB_CONCURRENCY: 1, ...(METRICS_PORT && { METRICS_PORT: METRICS_PORT + at }) })
	const keep = (worker: Worker, at: number) =>
		worker.once('exit', (code: number | null, signal: string | null) => {
			if (isStopping) return
			log.error({ event: 'process_ended', code, signal }, 'A process of the portal ended. Another one replaces it')
			setTimeout(() => isStopping || keep(fork(at), at), PAUSE_MS)
		})

	const start = async (at: number) => {
		const worker = fork(at)
		await new Promise<void>((resolve, reject) => {
			worker.once('message', () => resolve())
			worker.once('exit', () => reject(new Error('The portal did not start; the lines above say why')))
		})
		keep(worker, at)
	}

	// The others start after the first: a setting that is wrong for all gives one line.
	await start(0)
	await Promise.all(Array.from({ length: WEB_CONCURRENCY - 1 }, (_, at) => start(at + 1)))

	return async () => {
		isStopping = true
		const workers = Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined && !worker.isDead()) as Worker[]
		const ends = workers.map((worker) => once(worker, 'exit') as Promise<[code: number | null, signal: string | null]>)
		for (const worker of workers) worker.process.kill('SIGTERM')
		// Each worker ends its requests itself in this time. One that hangs does not.
		setTimeout(() => workers.forEach((worker) => worker.process.kill('SIGKILL')), drainMs(BROKER_TIMEOUT_MS) + 1000).unref()
		// A worker that was still starting has no requests, and ends by the signal.
		return (await Promise.all(ends)).every(([code, signal]) => code === 0 || signal === 'SIGTERM') ? 0 : 1
	}
}
