import { currentYear, formatYear } from '#contract/values/financial-year'
import { wait } from '#scripts/programs'
import { type Figure } from './figures'
import { ownSeconds, type Program, residentMb } from './programs'
import { takeFile } from './slow-client'
import { sendUploads } from './uploads'
import { readPage, signIn } from './visitor'

const MB = 1_048_576
const ABOVE_IDLE_MB = 60
const HUGE = { operation: 'downloadLedger', kind: 'huge', mb: 500, client: 'DEMO01' }

/** Measures the resident memory of the portal at rest, and its rise while files pass through it. */
export async function measureMemory(portal: Program, sandbox: Program, wholeLedger: string): Promise<Figure[]> {
	const demo = await signIn(portal.url, 'DEMO01')
	const bulk = await signIn(portal.url, 'BULK01')
	for (let visit = 0; visit < 30; visit++) {
		for (const path of ['/dashboard', '/reports/ledger']) await readPage(portal.url, path, demo)
	}
	await wait(5000)
	const idle = residentMb(portal.pid)
	const figures: Figure[] = [{ what: 'Portal at rest, after a warm-up', value: idle, unit: 'MB' }]
	const above = (what: string, { peak }: { peak: number }, note: string) =>
		figures.push({ what, value: Math.max(0, peak - idle), unit: 'MB above rest', atMost: ABOVE_IDLE_MB, note })

	await fetch(`${sandbox.url}/control/faults`, {
		method: 'POST',
		headers: { 'content-type': 'application/json' },
		body: JSON.stringify(HUGE),
	})
	const file = `${portal.url}/downloads/ledger/pdf`
	const whole = await watch(portal.pid, takeFile(file, demo, { bytesASecond: 40 * MB }))
	above('500 MB to a client at 40 MB/s', whole, `${(whole.result / MB).toFixed(0)} MB came`)
	const left = await watch(portal.pid, takeFile(file, demo, { bytesASecond: 5 * MB, leaveAfterMs: 4000 }))
	await wait(500)
	above('500 MB to a client at 5 MB/s that leaves after 4 s', left, `${(left.result / MB).toFixed(0)} MB came`)
	figures.push({ what: 'The broker saw it leave', value: (await wasAborted(sandbox)) ? 1 : 0, unit: '', atLeast: 1, note: '1 is yes' })
	await fetch(`${sandbox.url}/control/faults`, { method: 'DELETE' })

	await readPage(portal.url, '/dashboard', bulk)
	const csv = await watch(portal.pid, takeFile(`${portal.url}/downloads/ledger/csv?${wholeLedger}`, bulk, { bytesASecond: 5 * MB }))
	above('105,000 ledger rows as CSV to a client at 5 MB/s', csv, `${(csv.result / MB).toFixed(1)} MB came`)
	const sent = await watch(portal.pid, sendUploads(portal, bulk))
	const more = await watch(portal.pid, sendUploads(portal, bulk))
	figures.push(
		{
			what: '20 proofs of 4.9 MB sent at once',
			value: sent.peak - idle,
			unit: 'MB above rest',
			note: `${(sent.result / MB).toFixed(0)} MB went`,
		},
		{ what: 'Another 20, straight after them', value: more.peak - sent.peak, unit: 'MB above the first', atMost: 20 },
	)
	figures.push(...(await measureYearPack(portal, bulk, idle)))
	return figures
}

/**
 * Measures a whole year of 10,000 trades in one zip. The broker needs most of the time, because it makes each contract note on request.
 * Memory is flat when the pack of another year, directly after it, needs no more.
 */
async function measureYearPack(portal: Program, cookie: string, idle: number): Promise<Figure[]> {
	const take = (year: number) =>
		watch(portal.pid, takeFile(`${portal.url}/downloads/year-pack?year=${formatYear(year)}`, cookie, { bytesASecond: 40 * MB }))
	const before = ownSeconds(portal.pid)
	const started = performance.now()
	const pack = await take(currentYear() - 1)
	const [time, own] = [(performance.now() - started) / 1000, ownSeconds(portal.pid) - before]
	const another = await take(currentYear() - 2)
	return [
		{ what: "BULK01's year pack", value: pack.peak - idle, unit: 'MB above rest', note: `${(pack.result / MB).toFixed(1)} MB came` },
		{ what: 'The pack of another year, straight after it', value: another.peak - pack.peak, unit: 'MB above the first', atMost: 20 },
		{ what: "BULK01's year pack", value: time, unit: 's', note: 'from the first byte asked for to the last' },
		{ what: "BULK01's year pack: the portal's own time", value: own, unit: 's' },
	]
}

/** Returns the result of some work, and the maximum memory of a process during it, in MB. */
export async function watch<Result>(pid: number, going: Promise<Result>): Promise<{ peak: number; result: Result }> {
	let peak = 0
	const clock = setInterval(() => (peak = Math.max(peak, residentMb(pid))), 25)
	const result = await going.finally(() => clearInterval(clock))
	return { peak, result }
}

async function wasAborted(sandbox: Program): Promise<boolean> {
	const log = (await (await fetch(`${sandbox.url}/control/log`)).json()) as { data: { operation: string | null; aborted: boolean }[] }
	return log.data.findLast(({ operation }) => operation === 'downloadLedger')?.aborted === true
}
