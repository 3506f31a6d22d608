import { writeFileSync } from 'node:fs'
import autocannon from 'autocannon'
import { type Figure, median } from './figures'
import { ownSeconds, type Program, start } from './programs'
import { nameTwin, readPage, signIn } from './visitor'

const SECONDS = 3
const TURNS = 5
export const CLIENTS = 16
const BARE_PORT = 4203

/**
 * `atLeast` is the minimum ratio to the bare handler, in pages per CPU second of the process, with sixteen clients. `atMostMs` is the
 * maximum CPU time of a page in milliseconds.
 */
type Page = { name: string; path: string; atLeast: number; atMostMs?: number }

/** Signs in different clients with the same figures. The replaying broker provides them. */
export async function signInTwins(portal: Program, count: number): Promise<string[]> {
	const cookies: string[] = []
	for (let client = 1; client <= count; client++) cookies.push(await signIn(portal.url, nameTwin(client)))
	return cookies
}

/**
 * Measures the pages per second of sixteen clients, each with a session and a connection, compared with a bare handler that sends the
 * same bytes. Both run in turns under the same load. Calls to the broker are shared only within a session, so one client on sixteen
 * connections is measured too: the difference shows what sharing saves.
 */
export async function measureThroughput(portal: Program, page: Page, cookies: readonly string[]): Promise<Figure[]> {
	const [first = ''] = cookies
	const { bytes, headers } = await readPage(portal.url, page.path, first)
	const file = `.cache/bench-${page.name}.html`
	writeFileSync(file, bytes)
	const kept = [...headers].filter(
		([name]) => !['connection', 'date', 'keep-alive', 'transfer-encoding', 'content-length', 'set-cookie'].includes(name),
	)
	writeFileSync(`${file}.json`, JSON.stringify(kept))
	const bare = await start('bare', ['--import', 'tsx', 'bench/bare-handler.ts', String(BARE_PORT), file], BARE_PORT, {})
	const oneClient = cookies.map(() => first)

	await measureRate(portal, page.path, cookies)
	const turns: Record<'many' | 'one' | 'zipped' | 'bare', Rate>[] = []
	for (let turn = 0; turn < TURNS; turn++) {
		turns.push({
			many: await measureRate(portal, page.path, cookies),
			bare: await measureRate(bare, '/', cookies),
			one: await measureRate(portal, page.path, oneClient),
			zipped: await measureRate(portal, page.path, cookies, 'gzip, br'),
		})
	}
	await bare.stop()
	// The median of the ratio of each turn, because a load during one turn slows both sides of it.
	const ratio = (side: 'many' | 'one' | 'zipped', by: keyof Rate) => median(turns.map((turn) => turn[side][by] / turn.bare[by]))
	const middle = (side: keyof (typeof turns)[number], by: keyof Rate) => median(turns.map((turn) => turn[side][by]))
	const who = `${page.name}, ${cookies.length} clients`
	return [
		{
			what: `${who}: pages for a second of the process's own time, ratio to a bare handler`,
			value: ratio('many', 'perOwnSecond'),
			unit: '',
			atLeast: page.atLeast,
			note: `${(bytes.length / 1024).toFixed(0)} KB, about ${middle('many', 'perOwnSecond').toFixed(0)} of ${middle('bare', 'perOwnSecond').toFixed(0)}`,
		},
		{ what: `${who}: own time of a page`, value: 1000 / middle('many', 'perOwnSecond'), unit: 'ms', atMost: page.atMostMs },
		{ what: `${who}: the same ratio, compressed`, value: ratio('zipped', 'perOwnSecond'), unit: '' },
		{ what: `${who}: pages a second, ratio`, value: ratio('many', 'perSecond'), unit: '', note: 'believe it only on an idle machine' },
		{ what: `${page.name}, one client on as many connections: ratio by own time`, value: ratio('one', 'perOwnSecond'), unit: '' },
	]
}

/** `perOwnSecond` counts only CPU seconds of the process, so other load does not matter. */
type Rate = { perSecond: number; perOwnSecond: number }

/** Measures one rate, with one connection for each cookie. */
async function measureRate({ url, pid }: Program, path: string, cookies: readonly string[], coding?: string): Promise<Rate> {
	const headers = {
		'sec-fetch-dest': 'document',
		'sec-fetch-mode': 'navigate',
		'sec-fetch-site': 'same-origin',
		...(coding && { 'accept-encoding': coding }),
	}
	const left = [...cookies]
	const before = ownSeconds(pid)
	const { requests, duration, non2xx, errors } = await autocannon({
		url: url + path,
		connections: cookies.length,
		duration: SECONDS,
		setupClient: (client) => client.setHeaders({ ...headers, cookie: left.pop() ?? '' }),
	})
	if (non2xx > 0 || errors > 0) throw new Error(`${path}: ${non2xx} wrong answers, ${errors} errors`)
	return { perSecond: requests.total / duration, perOwnSecond: requests.total / (ownSeconds(pid) - before) }
}
