import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { loadavg } from 'node:os'
import { toIndianDay } from '#contract/values/dates'
import { measureAttacks } from './attack'
import { type Figure, formatFigures } from './figures'
import { measureExports } from './exports'
import { measureFiles } from './files'
import { measureGrowth, MOST_CLIENTS } from './growth'
import { measureLoad } from './load'
import { measureLongLedger } from './long-ledger'
import { measureMemory } from './memory'
import { start, startPortal, startSandbox, stopAll } from './programs'
import { measureReports } from './reports'
import { measureScriptWeight } from './script-weight'
import { CLIENTS, measureThroughput, signInTwins } from './throughput'
import { measureVisits } from './visits'
import { signIn } from './visitor'

/*
 * Measures the built portal: the bytes that a browser loads, the time of a visit on a slow line, pages per second, two hundred clients
 * behind nginx, how the cost of a page grows, the memory and the time of files, the time of reports and of a long ledger, and the cost of
 * attacks for other clients. It only prints and never fails because of a figure; `npm test` enforces limits. Names of parts run only those:
 * `npm run bench -- memory`. Words after `attack` choose attacks by a part of their names: `npm run bench -- attack paused ledgers`.
 */
const FIRST_PORT = Number(process.env.BENCH_PORT ?? 3201)
const PORTS = { portal: FIRST_PORT, quickPortal: FIRST_PORT + 1, sandbox: FIRST_PORT + 2, replay: FIRST_PORT + 3 }
const PARTS = ['weight', 'visits', 'throughput', 'load', 'growth', 'files', 'memory', 'long', 'reports', 'attack'] as const
const asked = new Set(process.argv.slice(2))
const words = [...asked].filter((word) => !(PARTS as readonly string[]).includes(word))
const has = (part: (typeof PARTS)[number]) => asked.size === 0 || asked.has(part)

execFileSync('npx', ['tsx', 'scripts/build.ts', '--if-needed'], { stdio: 'inherit' })
mkdirSync('.cache', { recursive: true })
const say = (line: string) => process.stdout.write(`${line}\n`)
const wholeLedger = `from=2022-04-01&to=${toIndianDay()}`
const figures: Figure[] = []

try {
	say(`Load of the machine before: ${loadavg()[0]?.toFixed(1)}. Starting the sandbox broker (its first start makes its books)…`)
	const sandbox = await startSandbox(PORTS.sandbox)
	if (has('weight') || has('visits') || has('throughput') || has('load') || has('growth') || has('attack')) {
		// The replaying broker must record every call of the portal, so the portal makes the calls.
		const replay = await start(
			'replay',
			['--import', 'tsx', 'bench/replaying-broker.ts', String(PORTS.replay), sandbox.url],
			PORTS.replay,
			{},
			'/control/faults',
		)
		if (has('attack')) {
			say('Attacking…')
			figures.push(...(await measureAttacks(() => startPortal('attacked', PORTS.portal, replay.url), replay, say, words)))
		}
		const portal = await startPortal('quick-portal', PORTS.quickPortal, replay.url)
		if (has('weight')) {
			say('Weighing scripts…')
			figures.push(...(await measureScriptWeight(portal, await signIn(portal.url, 'DEMO01'))))
		}
		if (has('visits')) {
			say('Visiting on a slow line…')
			figures.push(...(await measureVisits(portal, await signIn(portal.url, 'DEMO01'))))
		}
		if (has('throughput')) {
			say('Counting pages a second…')
			const twins = await signInTwins(portal, CLIENTS)
			figures.push(...(await measureThroughput(portal, { name: 'dashboard', path: '/dashboard', atLeast: 0.04, atMostMs: 8 }, twins)))
			figures.push(...(await measureThroughput(portal, { name: 'ledger', path: '/reports/ledger', atLeast: 0.035 }, twins)))
		}
		if (has('growth')) {
			say('Growing clients, rows and the delay of the broker…')
			figures.push(...(await measureGrowth(portal, replay, await signInTwins(portal, MOST_CLIENTS), say)))
		}
		await portal.stop()
		if (has('load')) {
			say('Loading it through nginx…')
			const [bare, tls, http, redis] = [4, 10, 20, 30].map((more) => FIRST_PORT + more) as [number, number, number, number]
			const ports = { portals: [PORTS.portal, PORTS.quickPortal] as [number, number], bare, tls, http, redis }
			figures.push(...(await measureLoad(replay, ports, say)))
		}
		await replay.stop()
	}
	if (has('growth')) {
		say('Exporting the largest books…')
		const metricsPort = FIRST_PORT + 5
		const portal = await startPortal('exporting', PORTS.portal, sandbox.url, { METRICS_PORT: String(metricsPort) })
		figures.push(...(await measureExports(portal, metricsPort, wholeLedger)))
		await portal.stop()
	}
	if (has('files')) {
		say('Writing files…')
		figures.push(...(await measureFiles()))
	}
	for (const [part, measure] of [
		['reports', measureReports],
		['long', measureLongLedger],
		['memory', undefined],
	] as const) {
		if (!has(part)) continue
		say({ reports: 'Timing the reports…', long: 'Timing a long ledger…', memory: 'Watching memory…' }[part])
		// A separate process for each part, so that no part starts with the memory of the part before.
		const portal = await startPortal('portal', PORTS.portal, sandbox.url)
		figures.push(...(await (measure ? measure(portal, wholeLedger) : measureMemory(portal, sandbox, wholeLedger))))
		await portal.stop()
	}
	await sandbox.stop()
} finally {
	stopAll()
}
say(
	`\n${formatFigures(figures)}\n\nLoad of the machine after: ${loadavg()[0]?.toFixed(1)}. Ratios hold on any idle machine; above a load of 1 believe only what counts a process's own time, bytes and memory.`,
)
