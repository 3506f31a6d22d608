import { writeFileSync } from 'node:fs'
import autocannon from 'autocannon'
import { type Figure, median } from './figures'
import { type Program, start } from './programs'
import { pageOf, signIn } from './visitor'

const SECONDS = 5
const RUNS = 3
const BARE_PORT = 4203

type Page = { name: string; path: string; atLeast: number }

/** Requests per second of a page against a bare handler that sends the same bytes, in turns, so that both meet the same neighbours. */
export async function measureThroughput(portal: Program, page: Page): Promise<Figure[]> {
	const cookie = await signIn(portal.url, 'DEMO01')
	const { bytes, headers } = await pageOf(portal.url, page.path, cookie)
	const file = `.cache/bench-${page.name}.html`
	writeFileSync(file, bytes)
	const kept = [...headers].filter(
		([name]) => !['connection', 'date', 'keep-alive', 'transfer-encoding', 'content-length', 'set-cookie'].includes(name),
	)
	writeFileSync(`${file}.json`, JSON.stringify(kept))
	const bare = await start('bare', ['--import', 'tsx', 'bench/bare-handler.ts', String(BARE_PORT), file], BARE_PORT, {})

	await rate(portal.url + page.path, cookie)
	const runs: { portal: number; zipped: number; bare: number }[] = []
	for (let run = 0; run < RUNS; run++) {
		runs.push({
			portal: await rate(portal.url + page.path, cookie),
			bare: await rate(bare.url, cookie),
			zipped: await rate(portal.url + page.path, cookie, 'gzip'),
		})
	}
	await bare.stop()
	const bareRate = median(runs.map((run) => run.bare))
	const note = (rate: number) => `${rate.toFixed(0)} of ${bareRate.toFixed(0)} a second, ${(bytes.length / 1024).toFixed(0)} KB`
	const [plain, zipped] = [median(runs.map((run) => run.portal)), median(runs.map((run) => run.zipped))]
	return [
		{
			what: `${page.name}: requests a second, ratio to a bare handler`,
			value: plain / bareRate,
			unit: '',
			atLeast: page.atLeast,
			note: note(plain),
		},
		{ what: `${page.name}: the same with gzip`, value: zipped / bareRate, unit: '', note: note(zipped) },
	]
}

async function rate(url: string, cookie: string, coding?: string): Promise<number> {
	const headers = {
		cookie,
		'sec-fetch-dest': 'document',
		'sec-fetch-mode': 'navigate',
		'sec-fetch-site': 'same-origin',
		...(coding && { 'accept-encoding': coding }),
	}
	const { requests, duration, non2xx, errors } = await autocannon({ url, connections: 10, duration: SECONDS, headers })
	if (non2xx > 0 || errors > 0) throw new Error(`${url}: ${non2xx} wrong answers, ${errors} errors`)
	return requests.total / duration
}
