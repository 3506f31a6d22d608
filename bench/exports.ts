import { currentYear, formatYear } from '#contract/values/financial-year'
import { type Figure, percentile } from './figures'
import { ownSeconds, type Program } from './programs'
import { takeFile } from './slow-client'
import { readPage, signIn } from './visitor'

const MB = 1_048_576
const MOST_MS = 50
const PROBE_EVERY_MS = 5

/**
 * Measures how long other clients wait while the client with the largest books exports them: the event loop delay that the portal
 * reports to Prometheus, and from outside the time of /healthz every 5 ms. The delay includes the 10 ms between two samples. It also
 * counts waits for a core that another program uses, so on a busy machine it is several times longer.
 */
export async function measureExports(portal: Program, metricsPort: number, wholeLedger: string): Promise<Figure[]> {
	const cookie = await signIn(portal.url, 'BULK01')
	await readPage(portal.url, '/dashboard', cookie)
	const year = formatYear(currentYear() - 1)
	const own = [
		...['csv', 'pdf', 'xlsx'].map((format) => `ledger/${format}?${wholeLedger}`),
		`global-details/csv?year=${year}`,
		`income-tax/csv?year=${year}`,
		'holding/csv',
	]
	const figures: Figure[] = []
	for (const [name, files] of [
		['files of all reports at once', own],
		['the year pack', [`year-pack?year=${year}`]],
	] as const) {
		// Reading the metrics starts a new histogram.
		await readDelay(metricsPort)
		const before = ownSeconds(portal.pid)
		const started = performance.now()
		const probes = startProbes(portal)
		const taken = await Promise.allSettled(
			files.map((file) => takeFile(`${portal.url}/downloads/${file}`, cookie, { bytesASecond: 40 * MB })),
		)
		const [seconds, busy] = [(performance.now() - started) / 1000, ownSeconds(portal.pid) - before]
		const value = await readDelay(metricsPort)
		const ms = await probes.stop()
		const whole = taken.filter((each) => each.status === 'fulfilled').map(({ value }) => value)
		const size = (whole.reduce((sum, each) => sum + each, 0) / MB).toFixed(1)
		figures.push(
			{
				what: `BULK01 exports ${name}: event loop delay, p99`,
				value,
				unit: 'ms',
				atMost: MOST_MS,
				note: `${size} MB in ${seconds.toFixed(0)} s, ${busy.toFixed(0)} s of them own time; believe it only on an idle machine`,
			},
			{
				what: `BULK01 exports ${name}: time of /healthz, p99`,
				value: percentile(ms, 0.99),
				unit: 'ms',
				note: `p50 ${percentile(ms, 0.5).toFixed(1)} ms, longest ${percentile(ms, 0.9999).toFixed(0)} ms`,
			},
			{
				what: `BULK01 exports ${name}: files that broke off`,
				value: files.length - whole.length,
				unit: '',
				atMost: 0,
				note: taken.flatMap((each, index) => (each.status === 'rejected' ? [files[index]?.split('?')[0] ?? ''] : [])).join(', '),
			},
		)
	}
	return figures
}

/** Returns the p99 of the event loop delay since the last reading, in ms. */
async function readDelay(metricsPort: number): Promise<number> {
	const text = await (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text()
	const [, seconds] = /^nodejs_eventloop_delay_p99(?:\{[^}]*\})? (\S+)/m.exec(text) ?? []
	if (seconds === undefined) throw new Error('The portal reports no event loop delay')
	return Number(seconds) * 1000
}

/** Asks for /healthz every 5 ms, whether or not earlier answers have arrived. `stop` returns the times in ms. */
function startProbes({ url }: Program) {
	const ms: number[] = []
	const underWay = new Set<Promise<void>>()
	async function probe() {
		const started = performance.now()
		const isAnswered = await fetch(`${url}/healthz`).then(
			(answer) => answer.arrayBuffer(),
			() => undefined,
		)
		ms.push(isAnswered ? performance.now() - started : Infinity)
	}
	const clock = setInterval(() => {
		const going = probe().finally(() => underWay.delete(going))
		underWay.add(going)
	}, PROBE_EVERY_MS)
	return {
		async stop() {
			clearInterval(clock)
			await Promise.all(underWay)
			return ms
		},
	}
}
