import { writeFileSync } from 'node:fs'
import autocannon from 'autocannon'
import { type Figure, median } from './figures'
import { ownSeconds, type Program, start } from './programs'
import { readPage, signIn } from './visitor'

const SECONDS = 3
const TURNS = 5
const BARE_PORT = 4203

type Page = { name: string; path: string; atLeast: number }

/**
 * Requests per second of a page compared with a bare handler that sends the same bytes, in turns, so that both run under the same load.
 */
export async function measureThroughput(portal: Program, page: Page): Promise<Figure[]> {
	const cookie = await signIn(portal.url, 'DEMO01')
	const { bytes, headers } = await readPage(portal.url, page.path, cookie)
	const file = `.cache/bench-${page.name}.html`
	writeFileSync(file, bytes)
	const kept = [...headers].filter(
		([name]) => !['connection', 'date', 'keep-alive', 'transfer-encoding', 'content-length', 'set-cookie'].includes(name),
	)
	writeFileSync(`${file}.json`, JSON.stringify(kept))
	const bare = await start('bare', ['--import', 'tsx', 'bench/bare-handler.ts', String(BARE_PORT), file], BARE_PORT, {})

	await rate(portal, page.path, cookie)
	const turns: { portal: Rate; zipped: Rate; bare: Rate }[] = []
	for (let turn = 0; turn < TURNS; turn++) {
		turns.push({
			portal: await rate(portal, page.path, cookie),
			bare: await rate(bare, '/', cookie),
			zipped: await rate(portal, page.path, cookie, 'gzip'),
		})
	}
	await bare.stop()
	// The median of each turn's ratio: a load during one turn slows both sides of it.
	const ratio = (side: 'portal' | 'zipped', by: keyof Rate) => median(turns.map((turn) => turn[side][by] / turn.bare[by]))
	const [ours, theirs] = (['portal', 'bare'] as const).map((side) => median(turns.map((turn) => turn[side].perSecond)).toFixed(0))
	return [
		{
			what: `${page.name}: requests a second, ratio to a bare handler`,
			value: ratio('portal', 'perSecond'),
			unit: '',
			atLeast: page.atLeast,
			note: `${(bytes.length / 1024).toFixed(0)} KB, about ${ours} of ${theirs}`,
		},
		{ what: `${page.name}: the same with gzip`, value: ratio('zipped', 'perSecond'), unit: '' },
		{
			what: `${page.name}: the same for a second of the process's own time`,
			value: ratio('portal', 'perOwnSecond'),
			unit: '',
			note: 'holds on a busy machine too',
		},
	]
}

/** `perOwnSecond` counts only CPU seconds of the process, so other load does not matter. */
type Rate = { perSecond: number; perOwnSecond: number }

async function rate({ url, pid }: Program, path: string, cookie: string, coding?: string): Promise<Rate> {
	const headers = {
		cookie,
		'sec-fetch-dest': 'document',
		'sec-fetch-mode': 'navigate',
		'sec-fetch-site': 'same-origin',
		...(coding && { 'accept-encoding': coding }),
	}
	const before = ownSeconds(pid)
	const { requests, duration, non2xx, errors } = await autocannon({ url: url + path, connections: 10, duration: SECONDS, headers })
	if (non2xx > 0 || errors > 0) throw new Error(`${path}: ${non2xx} wrong answers, ${errors} errors`)
	return { perSecond: requests.total / duration, perOwnSecond: requests.total / (ownSeconds(pid) - before) }
}
