import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { startNginx } from '#scripts/deployment/nginx'
import { startRedis, wait } from '#scripts/programs'
import { Client, createTally, type Tally } from '#scripts/drills/client'
import { type Figure, percentile } from './figures'
import { ownSeconds, type Program, residentMb, start, startPortal } from './programs'
import { nameTwin } from './visitor'

/*
 * Two hundred different clients, each with a session and a connection, use portals that share only Redis, through nginx with TLS. They
 * read a page and pause. A bare handler behind the same nginx shows the cost of the proxy and of the clients themselves.
 */

const CLIENTS = 200
const LOAD_MS = 120_000
const BARE_MS = 30_000
const FULL_MS = 20_000
/** Milliseconds between two pages of a client, five seconds on average. */
const [LEAST_THINKING, MOST_THINKING] = [2000, 8000]
/** The number of clients without a pause that keeps two portals busy. */
const BUSY = 32
const READ = ['/dashboard', '/reports/ledger', '/reports/holding', '/funds/history', '/myaccount', '/reports/position']
/** Maximum growth in MB of the resident memory, from a quarter of the time to the end. */
const FLAT_MB = 40

export type LoadPorts = { portals: [number, number]; bare: number; tls: number; http: number; redis: number }

/** Clients that share one count of failures. */
type Readers = { clients: Client[]; tally: Tally }
type Times = { ms: number[]; failed: number }

export async function measureLoad(broker: Program, ports: LoadPorts, say: (line: string) => void): Promise<Figure[]> {
	const redis = await startRedis(ports.redis)
	const figures: Figure[] = []
	const busy: { processes: number; perSecond: number; perOwnSecond: number }[] = []
	let bareTimes: Times | undefined
	try {
		for (const processes of [1, 2]) {
			say(`  ${CLIENTS} clients, ${processes === 1 ? 'one process' : 'two processes'}…`)
			const portals = await startPortals(broker, ports, processes)
			const upstreams = ports.portals.slice(0, processes)
			await behindNginx({ tls: ports.tls, http: ports.http, upstreams }, async (readers) => {
				await signInAll(readers)
				// The broker asks its sandbox for all pages of a client before the clients start.
				for (const path of READ) await readers.clients[0]?.ask(path)
				bareTimes ??= await readBare(ports, readers)
				figures.push(...(await measureThinking(portals, readers, bareTimes)))
				const busiest = { ...readers, clients: readers.clients.slice(0, BUSY) }
				busy.push({ processes, ...(await measureBusy(portals, busiest)) })
			})
			await Promise.all(portals.map((portal) => portal.stop()))
		}
	} finally {
		await redis.stop('SIGKILL')
	}
	const [one, two] = busy
	if (one && two)
		figures.push({
			what: `Pages for a second of own time, two processes beside one (${BUSY} clients without a pause)`,
			value: two.perOwnSecond / one.perOwnSecond,
			unit: '',
			atLeast: 0.9,
			note: `${one.perSecond.toFixed(0)} and ${two.perSecond.toFixed(0)} pages a second on a machine that they share with nginx and the clients`,
		})
	return figures
}

function startPortals(broker: Program, { portals, tls, redis }: LoadPorts, processes: number): Promise<Program[]> {
	const settings = { PUBLIC_URL: `https://localhost:${tls}`, TRUST_PROXY: '1', REDIS_URL: `redis://127.0.0.1:${redis}`, LOG_LEVEL: 'warn' }
	return Promise.all(portals.slice(0, processes).map((port, at) => startPortal(`loaded-${at}`, port, broker.url, settings)))
}

/** Runs `measure` with the clients, each with its own connection through a new nginx, which ends afterwards. */
async function behindNginx<Result>(
	{ tls, ...ports }: { tls: number; http: number; upstreams: readonly number[] },
	measure: (readers: Readers) => Promise<Result>,
): Promise<Result> {
	const front = await startNginx({ tls, ...ports, host: 'localhost' })
	const tally = createTally()
	const clients = Array.from({ length: CLIENTS }, () => new Client(`https://localhost:${tls}`, front.certificateFile, tally))
	try {
		return await measure({ clients, tally })
	} finally {
		await Promise.all(clients.map((client) => client.close()))
		await front.stop()
	}
}

async function signInAll({ clients }: Readers) {
	for (const [at, client] of clients.entries())
		if (!(await client.login(nameTwin(at + 1)))) throw new Error(`client ${at + 1} of ${CLIENTS} could not sign in`)
}

/**
 * Returns the times of the same number of clients with the same pauses, when a bare handler behind nginx sends the bytes of a dashboard.
 */
async function readBare(ports: LoadPorts, { clients }: Readers): Promise<Times> {
	const file = '.cache/bench-load.html'
	writeFileSync(file, (await clients[0]?.ask('/dashboard'))?.html ?? '')
	writeFileSync(`${file}.json`, JSON.stringify([['content-type', 'text/html; charset=utf-8']]))
	const bare = await start('bare-load', ['--import', 'tsx', 'bench/bare-handler.ts', String(ports.bare), file], ports.bare, {})
	const front = { tls: ports.tls + 1, http: ports.http + 1, upstreams: [ports.bare] }
	const times = await behindNginx(front, (strangers) => readPages(strangers, BARE_MS, true))
	await bare.stop()
	return times
}

async function measureThinking(portals: readonly Program[], readers: Readers, bare: Times): Promise<Figure[]> {
	const reading = readPages(readers, LOAD_MS, true)
	await wait(LOAD_MS / 4)
	const early = portals.map(({ pid }) => residentMb(pid))
	const times = await reading
	const late = portals.map(({ pid }) => residentMb(pid))
	const who = `${CLIENTS} clients, ${portals.length === 1 ? '1 process' : `${portals.length} processes`}`
	return [
		{ what: `${who}: failed pages`, value: times.failed, unit: '', atMost: 0, note: `of ${times.ms.length} in ${LOAD_MS / 1000} s` },
		...[0.5, 0.95, 0.99].map((share) => ({
			what: `${who}: time of a page, p${share * 100}`,
			value: percentile(times.ms, share),
			unit: 'ms',
			note: `bare handler ${percentile(bare.ms, share).toFixed(1)} ms`,
		})),
		{
			what: `${who}: memory of a process, from ${LOAD_MS / 4000} s to the end`,
			value: Math.max(...late.map((mb, index) => mb - (early[index] ?? 0))),
			unit: 'MB',
			atMost: FLAT_MB,
			note: `${Math.max(...late).toFixed(0)} MB at the end`,
		},
	]
}

async function measureBusy(portals: readonly Program[], readers: Readers) {
	const countOwn = () => portals.reduce((sum, { pid }) => sum + ownSeconds(pid), 0)
	const before = countOwn()
	const { ms, failed } = await readPages(readers, FULL_MS, false)
	if (failed > 0) throw new Error(`${failed} of ${ms.length} pages failed`)
	return { perSecond: ms.length / (FULL_MS / 1000), perOwnSecond: ms.length / (countOwn() - before) }
}

/** Each client reads page after page until the time is over. */
async function readPages({ clients, tally }: Readers, forMs: number, isThinking: boolean): Promise<Times> {
	const ms: number[] = []
	const failedBefore = countFailed(tally)
	const end = AbortSignal.timeout(forMs)
	const isOver = once(end, 'abort')
	await Promise.all(
		clients.map(async (client, at) => {
			for (let page = at; ; page++) {
				if (isThinking) await Promise.race([isOver, wait(LEAST_THINKING + Math.random() * (MOST_THINKING - LEAST_THINKING))])
				if (end.aborted) return
				const begun = performance.now()
				const answer = await client.ask(READ[page % READ.length] ?? '')
				ms.push(performance.now() - begun)
				if (answer && answer.status !== 200) throw new Error(`${READ[page % READ.length]} answered ${answer.status}`)
			}
		}),
	)
	return { ms, failed: countFailed(tally) - failedBefore }
}

const countFailed = ({ failed, signedOut }: Tally) => failed.length + signedOut
