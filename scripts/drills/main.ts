import { execFileSync } from 'node:child_process'
import { type Deployment, type Ports, SECRET, startDeployment } from '#scripts/deployment/deployment'
import { wait } from '#scripts/programs'
import { Client, createTally, type Tally } from './client'
import { startRelay } from './relay'
import { fillDisk, mountSmallDisk } from './small-disk'

/*
 * `npm run drills`: fifty clients use the portal behind nginx while its parts are killed, stopped or cut off one after another. Prints
 * how many requests failed, who was signed out, whether money moved twice or was lost, and the time until nothing failed. Exits with 1
 * when money moved twice or was lost, or a client was signed out.
 */

const PORTS: Ports = { tls: 8453, http: 8090, sandboxTls: 4453, sandbox: 4010, redis: 6392, postgres: 5492, portals: [3011, 3012] }
const RELAY = 4011
const CLIENTS = 50
/** Clients with money or holdings. Each has about sixteen sessions, the most that a real client would have. */
const CODES = ['DEMO01', 'CASH01', 'CLOS01']
const READ = ['/dashboard', '/reports/ledger', '/reports/holding', '/funds/history', '/myaccount', '/reports/position']
/** Milliseconds of every drill before the fault, and after its repair. */
const [BEFORE_MS, AFTER_MS] = [4000, 10_000]

/** Milliseconds between two restarts. A request that the first process refused still needs the second. */
const PAUSE_MS = 3000

/** In MB. The books need about 270 MB of it. */
const disk = mountSmallDisk(512)
// Also removes it after an error.
process.once('exit', () => disk?.remove())

type Drill = { name: string; run: (deployment: Deployment, relay: Awaited<ReturnType<typeof startRelay>>) => Promise<void>; note?: string }

const DRILLS: Drill[] = [
	{
		name: 'a portal is killed (SIGKILL)',
		async run(deployment) {
			await deployment.portals[0]?.stop('SIGKILL')
			await wait(3000)
			await deployment.startPortal(0)
		},
	},
	{
		name: 'all portals restart, one after the other',
		async run(deployment) {
			for (const at of [0, 1]) {
				await deployment.portals[at]?.stop('SIGTERM')
				await deployment.startPortal(at)
				await wait(PAUSE_MS)
			}
		},
	},
	{
		name: 'Redis stops for ten seconds',
		async run(deployment) {
			await deployment.redis.stop('SIGKILL')
			await wait(10_000)
			await deployment.startRedis()
		},
	},
	{
		name: 'PostgreSQL of the sandbox stops for 20 s',
		async run(deployment) {
			deployment.postgres.stop('immediate')
			await wait(20_000)
			deployment.postgres.start()
		},
	},
	...(disk ? [{ name: 'the disk of PostgreSQL is full for 20 s', run: ({ postgres }: Deployment) => fillDisk(postgres, disk) }] : []),
	{
		name: 'the broker answers 503 for a minute',
		async run(_, relay) {
			relay.refuseWith(503)
			await wait(60_000)
			relay.refuseWith(undefined)
		},
	},
	{
		name: 'SESSION_SECRET is rotated',
		async run(deployment) {
			const added = 'another-secret-Wd7Ys3Fg9Hj2Kl5Mn'
			for (const secrets of [`${SECRET},${added}`, `${added},${SECRET}`])
				for (const at of [0, 1]) {
					await deployment.portals[at]?.stop('SIGTERM')
					await deployment.startPortal(at, { SESSION_SECRET: secrets })
					await wait(PAUSE_MS)
				}
		},
	},
	{
		name: 'the wire to the broker is cut, four times',
		async run(_, relay) {
			for (let times = 0; times < 4; times++) {
				relay.cut()
				await wait(700)
				relay.mend()
				await wait(1500)
			}
		},
	},
]

type Row = { name: string; sent: number; failed: number; signedOut: number; begun: number; twice: number; lost: number; recovery: string }

execFileSync('node_modules/.bin/tsx', ['scripts/build.ts', '--if-needed'], { stdio: 'inherit' })
const say = (line: string) => process.stdout.write(`${line}\n`)
if (!disk) say('Only root can mount a small disk: the drill that fills one is left out.')
const relay = await startRelay(RELAY, PORTS.sandbox)
const deployment = await startDeployment({
	ports: PORTS,
	say,
	brokerUrl: `http://127.0.0.1:${RELAY}`,
	sandboxSettings: { SANDBOX_TODAY: '2026-11-20T11:00', LOG_LEVEL: 'error' },
	portalSettings: { LOG_LEVEL: 'error' },
	postgresIn: disk?.folder,
})
const day = { isOver: false }
let nextAmount = 10_000

try {
	const tally = createTally()
	const clients = Array.from({ length: CLIENTS }, () => new Client(deployment.url, deployment.front.certificateFile, tally))
	say(`${CLIENTS} clients sign in…`)
	for (const [at, client] of clients.entries())
		if (!(await client.login(CODES[at % CODES.length] ?? ''))) throw new Error(`client ${at} could not sign in`)
	const walks = clients.map((client, at) => walk(client, at))
	const rows: Row[] = []
	for (const drill of DRILLS) rows.push(await runDrill(drill, tally))
	day.isOver = true
	await Promise.all(walks)
	await Promise.all(clients.map((client) => client.close()))
	say(`\n${formatTable(rows)}\n`)
	process.exitCode = rows.some(({ twice, lost, signedOut }) => twice + lost + signedOut > 0) ? 1 : 0
} finally {
	day.isOver = true
	await deployment.stop()
	relay.close()
}

/** Reads pages with pauses, like a person, and sometimes adds money, each time a different amount. */
async function walk(client: Client, at: number): Promise<void> {
	await wait(at * 40)
	for (let step = at; !day.isOver; step++) {
		if (step % 6 === 0) await client.payIn(`${(nextAmount++ / 100).toFixed(2)}`, () => day.isOver)
		else await client.ask(READ[step % READ.length] ?? '/dashboard')
		await wait(1500)
	}
}

async function runDrill({ name, run }: Drill, tally: Tally): Promise<Row> {
	say(`${name}…`)
	await wait(BEFORE_MS)
	Object.assign(tally, createTally())
	await run(deployment, relay)
	const mended = Date.now()
	await wait(AFTER_MS)
	const seen = { ...tally, payins: new Map(tally.payins), failed: [...tally.failed] }
	const last = Math.max(0, ...seen.failed.map(({ at }) => at - mended))
	const { twice, lost } = await countPayins(seen.payins)
	return {
		name,
		sent: seen.sent,
		failed: seen.failed.length,
		signedOut: seen.signedOut,
		begun: [...seen.payins.values()].filter(Boolean).length,
		twice,
		lost,
		recovery: seen.failed.length === 0 ? '–' : `${(last / 1000).toFixed(1)} s`,
	}
}

/**
 * Compares the confirmations of the portal with the books of the sandbox. Counts amounts that are booked twice, and confirmed amounts
 * that are missing.
 */
async function countPayins(payins: Map<string, boolean>): Promise<{ twice: number; lost: number }> {
	const { Client: Database } = (await import('pg')).default
	const database = new Database({ connectionString: deployment.postgres.url })
	await database.connect()
	const { rows } = await database.query<{ amount: string; count: string }>('select amount, count(*) from payins group by amount')
	await database.end()
	const booked = new Map(rows.map(({ amount, count }) => [(Number(amount) / 100).toFixed(2), Number(count)]))
	const all = [...payins]
	return {
		twice: all.filter(([amount]) => (booked.get(amount) ?? 0) > 1).length,
		lost: all.filter(([amount, isConfirmed]) => isConfirmed && !booked.has(amount)).length,
	}
}

function formatTable(rows: readonly Row[]): string {
	const head = ['Drill', 'Requests', 'Failed', 'Signed out', 'Pay-ins', 'Twice', 'Lost', 'Last failure after the end']
	const lines = rows.map((row) => [row.name, row.sent, row.failed, row.signedOut, row.begun, row.twice, row.lost, row.recovery].map(String))
	return [head, head.map(() => '---'), ...lines].map((cells) => `| ${cells.join(' | ')} |`).join('\n')
}
