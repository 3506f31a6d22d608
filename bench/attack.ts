import { wait } from '#scripts/programs'
import { type Attack, ATTACKS } from './attacks'
import { type Figure, median, formatFigures } from './figures'
import { watch } from './memory'
import { type Program, residentMb } from './programs'
import { readPage, signIn } from './visitor'

const ABOVE_REST_MB = 60
const SLOWER = 3
/**
 * Interval in milliseconds between requests of another client, whether or not earlier pages have arrived. So a stop of the portal counts
 * with its whole duration.
 */
const EVERY_MS = 500
/** Maximum number of open requests, so that the measurement does not become an attack on a busy machine. */
const MOST_UNDER_WAY = 5
const REST_MS = 5000
const PATIENCE_MS = 30_000

/**
 * Measures the cost of each attack: memory of the portal, and delay for another client. `startFresh` starts a portal; `broker` counts
 * its open calls. `words` select the attacks whose name contains one of them.
 */
export async function measureAttacks(
	startFresh: () => Promise<Program>,
	broker: Program,
	say: (line: string) => void,
	words: readonly string[],
): Promise<Figure[]> {
	const figures: Figure[] = []
	for (const attack of ATTACKS.filter(({ name }) => words.length === 0 || words.some((word) => name.includes(word)))) {
		say(`  ${attack.name}…`)
		const portal = await startFresh()
		const found = await measureAttack(attack, portal, broker)
		say(formatFigures(found))
		figures.push(...found)
		await portal.stop()
	}
	return figures
}

async function measureAttack({ name, why, prepare }: Attack, portal: Program, broker: Program): Promise<Figure[]> {
	const run = await prepare(portal)
	const cookie = await signIn(portal.url, 'CASH01')
	for (let visit = 0; visit < 40; visit++) {
		for (const path of ['/dashboard', '/reports/ledger']) await readPage(portal.url, path, cookie)
	}
	await wait(3000)
	const memory = residentMb(portal.pid)
	const rest = startAsking(portal, cookie)
	await wait(REST_MS)
	const atRest = await rest.stop()

	const during = startAsking(portal, cookie)
	const { peak, result } = await watch(portal.pid, run())
	const open = await countOpenCalls(broker)
	const asked = await during.stop()
	const instead = portal.isRunning() ? undefined : 'process died'
	const [usual, found] = [median(atRest), median(asked)]
	const times = `median ${shown(found)}, at rest ${shown(usual)}, longest ${shown(Math.max(...asked))}, ${asked.length} pages`
	return [
		{
			what: name,
			value: Math.max(0, peak - memory),
			unit: 'MB above rest',
			atMost: ABOVE_REST_MB,
			instead,
			note: [result, why].filter(Boolean).join('; '),
		},
		{ what: '  another client’s dashboard', value: found / usual, unit: '× its time at rest', atMost: SLOWER, instead, note: times },
		...(/aborted|abandoned/.test(name) ? [{ what: '  calls left open at the broker', value: open, unit: '', atMost: 0, instead }] : []),
	]
}

const shown = (ms: number) => (Number.isFinite(ms) ? `${ms.toFixed(0)} ms` : 'no answer')

/**
 * Requests a dashboard at fixed intervals until `stop`, which returns the milliseconds of each request. A missing or wrong reply counts
 * as infinite.
 */
function startAsking(portal: Program, cookie: string) {
	const times: number[] = []
	const underWay = new Set<Promise<void>>()
	const ask = async () => {
		const started = performance.now()
		const ms = await readPage(portal.url, '/dashboard?refresh=1', cookie, AbortSignal.timeout(PATIENCE_MS)).then(
			() => performance.now() - started,
			() => Infinity,
		)
		times.push(ms)
	}
	const clock = setInterval(() => {
		if (underWay.size >= MOST_UNDER_WAY) return
		const asking = ask().finally(() => underWay.delete(asking))
		underWay.add(asking)
	}, EVERY_MS)
	return {
		async stop() {
			clearInterval(clock)
			await Promise.all(underWay)
			return times
		},
	}
}

/** Returns how many files and uploads the broker has not finished and whose connection is open. */
async function countOpenCalls(broker: Program): Promise<number> {
	return Number(await (await fetch(`${broker.url}/open-calls`)).text())
}
