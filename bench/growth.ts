import { writeFileSync } from 'node:fs'
import autocannon from 'autocannon'
import { alignColumns, type Figure, formatDigits, median, percentile } from './figures'
import { drawPanels, type Line, type Panel } from './plot'
import { ownSeconds, type Program } from './programs'
import { readPage } from './visitor'

/*
 * How the cost of a page grows: with the number of clients, with the rows of the ledger, and with the delay of the broker. Each turn
 * measures every case once, so other load of the machine meets all of them. A case sends a fixed number of pages, not pages for a fixed
 * time: with 256 clients most pages of two seconds would be unfinished, and their CPU time would count for no page.
 */
const TURNS = 3
const PLOT = '.cache/bench-growth.svg'

/** The portal caches a ledger for a minute. With `refresh` each page asks the broker, which is the most work. */
const PATHS = { dashboard: '/dashboard', ledger: '/reports/ledger?refresh=1' }
type PageName = keyof typeof PATHS
const PAGES = Object.keys(PATHS) as PageName[]

/** Clients, and the pages that they read in a turn: about two seconds of them, but at least two for each client. */
const CLIENTS: [clients: number, pages: number][] = [
	[1, 120],
	[4, 160],
	[16, 160],
	[64, 256],
	[256, 512],
]
/** Rows of the ledger, and the pages that one client reads in a turn. The dashboard shows no rows. */
const ROWS: [rows: number, pages: number][] = [
	[100, 100],
	[10_000, 12],
	[100_000, 3],
]
/** Delay in ms, and the pages of one client and of eight. One client shows the time of a page, eight use enough CPU time to count. */
const DELAYS: [delayMs: number, pagesOfOne: number, pagesOfEight: number][] = [
	[0, 60, 128],
	[50, 16, 128],
	[500, 4, 64],
]
const FEW = 8
export const MOST_CLIENTS = 256

/* Limits, as ratios within one run. */
const CLIENTS_COST = 1.25
const ROWS_COST = 1.2
const DELAY_COST = 1.15
const DELAY_ADDED = 1.2

type Axis = 'clients' | 'rows' | 'delay'
/** One point of the plot. `rows` is 0 for the ledger of the sandbox. */
type Case = { axis: Axis; at: number; page: PageName; clients: number; pages: number; rows: number; delayMs: number }
type Turn = { perSecond: number; perOwnSecond: number; p50: number; p99: number }
type Result = Case & { turns: Turn[] }

function listCases(): Case[] {
	const usual = { rows: 0, delayMs: 0 }
	return [
		...PAGES.flatMap((page) =>
			CLIENTS.map(([clients, pages]) => ({ ...usual, axis: 'clients' as const, at: clients, page, clients, pages })),
		),
		...ROWS.map(([rows, pages]) => ({ ...usual, axis: 'rows' as const, at: rows, page: 'ledger' as const, clients: 1, pages, rows })),
		...PAGES.flatMap((page) =>
			DELAYS.flatMap(([delayMs, pagesOfOne, pagesOfEight]) => {
				const each = { ...usual, axis: 'delay' as const, at: delayMs, page, delayMs }
				return [
					{ ...each, clients: 1, pages: pagesOfOne },
					{ ...each, clients: FEW, pages: pagesOfEight },
				]
			}),
		),
	]
}

/** `cookies` are the sessions of 256 different clients. Prints the table of all cases and writes the plot. */
export async function measureGrowth(
	portal: Program,
	replay: Program,
	cookies: readonly string[],
	say: (line: string) => void,
): Promise<Figure[]> {
	await checkRows(portal, replay, cookies)
	const results: Result[] = listCases().map((each) => ({ ...each, turns: [] }))
	// The replaying broker asks its sandbox for the replies to each client, and V8 compiles the pages.
	for (const page of PAGES) await readPages(portal, PATHS[page], cookies, 2 * MOST_CLIENTS)
	for (let turn = 1; turn <= TURNS; turn++) {
		say(`  turn ${turn} of ${TURNS}…`)
		for (const result of results) {
			await shapeAnswers(replay, result)
			result.turns.push(await readPages(portal, PATHS[result.page], cookies.slice(0, result.clients), result.pages))
		}
	}
	await shapeAnswers(replay, { rows: 0, delayMs: 0 })
	say(formatResults(results))
	writeFileSync(PLOT, drawPanels('How the cost of a page grows', listPanels(results)))
	say(`The plot is ${PLOT}.`)
	return judge(results)
}

/** Sets what the replaying broker does to its replies. */
async function shapeAnswers(replay: Program, { rows, delayMs }: Pick<Case, 'rows' | 'delayMs'>): Promise<void> {
	const { ok } = await fetch(`${replay.url}/answers?rows=${rows}&delay_ms=${delayMs}`, { method: 'PUT' })
	if (!ok) throw new Error('The replaying broker does not change its replies')
}

/** Throws unless the portal shows each long ledger whole and finds that it adds up: a cheaper page would mean nothing. */
async function checkRows(portal: Program, replay: Program, [cookie = '']: readonly string[]): Promise<void> {
	for (const [rows] of ROWS) {
		await shapeAnswers(replay, { rows, delayMs: 0 })
		const html = (await readPage(portal.url, PATHS.ledger, cookie)).bytes.toString()
		const isWhole = html.includes(`of ${rows.toLocaleString('en-IN')}`)
		if (!isWhole || !html.includes('as the broker states it')) throw new Error(`The ledger of ${rows} rows is not whole`)
	}
	await shapeAnswers(replay, { rows: 0, delayMs: 0 })
}

/** Reads so many pages, with one connection for each cookie. */
async function readPages({ url, pid }: Program, path: string, cookies: readonly string[], pages: number): Promise<Turn> {
	const headers = { 'sec-fetch-dest': 'document', 'sec-fetch-mode': 'navigate', 'sec-fetch-site': 'same-origin' }
	const left = [...cookies]
	const ms: number[] = []
	const [before, started] = [ownSeconds(pid), performance.now()]
	let ended = started
	const { requests, non2xx, errors } = await autocannon({
		url: url + path,
		connections: cookies.length,
		amount: pages,
		timeout: 120,
		setupClient: (client) => {
			client.setHeaders({ ...headers, cookie: left.pop() ?? '' })
			// The duration of the result ends on a whole second, and its percentiles are whole milliseconds.
			client.on('response', (_status, _bytes, taken) => {
				ms.push(taken)
				ended = performance.now()
			})
		},
	})
	if (non2xx > 0 || errors > 0) throw new Error(`${path}: ${non2xx} wrong answers, ${errors} errors`)
	return {
		perSecond: (requests.total * 1000) / (ended - started),
		perOwnSecond: requests.total / (ownSeconds(pid) - before),
		p50: percentile(ms, 0.5),
		p99: percentile(ms, 0.99),
	}
}

const middle = ({ turns }: Result, by: keyof Turn) => median(turns.map((turn) => turn[by]))

/** The ratio of the own time of a page in two cases. The median over the turns, because a load during one turn slows both. */
const compareOwn = (later: Result, earlier: Result) =>
	median(later.turns.map(({ perOwnSecond }, turn) => (earlier.turns[turn]?.perOwnSecond ?? Number.NaN) / perOwnSecond))

function judge(results: readonly Result[]): Figure[] {
	const find = (axis: Axis, page: PageName, at: number, clients?: number) => {
		const found = results.find(
			(each) => each.axis === axis && each.page === page && each.at === at && (clients === undefined || each.clients === clients),
		)
		if (!found) throw new Error(`There is no ${page} for ${axis} ${at}`)
		return found
	}
	const ownMs = (result: Result) => `${(1000 / middle(result, 'perOwnSecond')).toFixed(1)} ms`
	const between = (later: Result, earlier: Result) => `${ownMs(later)} beside ${ownMs(earlier)}`
	const figures: Figure[] = []
	for (const page of PAGES) {
		const [one, most] = [find('clients', page, 1), find('clients', page, MOST_CLIENTS)]
		figures.push({
			what: `${page}: own time of a page, ${MOST_CLIENTS} clients beside 1`,
			value: compareOwn(most, one),
			unit: '',
			atMost: CLIENTS_COST,
			note: between(most, one),
		})
	}
	const [long, longer] = [find('rows', 'ledger', 10_000), find('rows', 'ledger', 100_000)]
	figures.push({
		what: 'ledger: own time of a row, 100,000 rows beside 10,000',
		value: compareOwn(longer, long) / 10,
		unit: '',
		atMost: ROWS_COST,
		note: between(longer, long),
	})
	for (const page of PAGES) {
		for (const delayMs of [50, 500]) {
			const [late, prompt] = [find('delay', page, delayMs, FEW), find('delay', page, 0, FEW)]
			figures.push({
				what: `${page}: own time of a page, the broker ${delayMs} ms late beside 0`,
				value: compareOwn(late, prompt),
				unit: '',
				atMost: DELAY_COST,
				note: between(late, prompt),
			})
		}
		const [late, prompt] = [find('delay', page, 500, 1), find('delay', page, 0, 1)]
		figures.push({
			what: `${page}: time that 500 ms of the broker add, in delays`,
			value: median(late.turns.map(({ p50 }, turn) => (p50 - (prompt.turns[turn]?.p50 ?? Number.NaN)) / 500)),
			unit: '',
			atMost: DELAY_ADDED,
			note: `p50 ${middle(late, 'p50').toFixed(0)} ms beside ${middle(prompt, 'p50').toFixed(0)} ms, one client`,
		})
	}
	return figures
}

function formatResults(results: readonly Result[]): string {
	const lines = results.map((result) => [
		result.page,
		`${result.at.toLocaleString('en')} ${{ clients: result.at === 1 ? 'client' : 'clients', rows: 'rows', delay: 'ms late' }[result.axis]}`,
		String(result.clients),
		...(['perSecond', 'perOwnSecond', 'p50', 'p99'] as const).map((by) => formatDigits(middle(result, by))),
		String(result.pages * TURNS),
	])
	return alignColumns([['Page', 'Case', 'Clients', 'Pages per second', 'Per own CPU second', 'p50 ms', 'p99 ms', 'Pages'], ...lines])
}

/** One row of panels for each figure, one column for each axis. Panels of a row share their scale. */
function listPanels(results: readonly Result[]): Panel[][] {
	const axes = [
		{ axis: 'clients', label: 'clients', ticks: CLIENTS.map(([at]) => at), isLog: true },
		{ axis: 'rows', label: 'rows of the ledger (1 client)', ticks: ROWS.map(([at]) => at), isLog: true },
		{ axis: 'delay', label: 'delay of the broker, ms', ticks: DELAYS.map(([at]) => at), isLog: false },
	] as const
	const trace = (axis: Axis, page: PageName, by: keyof Turn, clients?: number): Line['points'] =>
		results
			.filter((each) => each.axis === axis && each.page === page && (clients === undefined || each.clients === clients))
			.map((each) => [each.at, middle(each, by)])
	const draw = (label: string, kinds: (keyof Turn)[], clients: number) =>
		axes.map(({ axis, label: name, ...x }) => ({
			x: { ...x, label: axis === 'delay' ? `${name} (${clients} client${clients === 1 ? '' : 's'})` : name },
			y: label,
			lines: kinds.flatMap((by) =>
				PAGES.map((page, look) => ({
					name: page,
					look,
					isDashed: by === 'p99',
					points: trace(axis, page, by, axis === 'delay' ? clients : undefined),
				})),
			),
		}))
	return [
		draw('pages per second', ['perSecond'], FEW),
		draw('pages per second of own CPU time', ['perOwnSecond'], FEW),
		draw('time of a page, ms: p50, and p99 dashed', ['p50', 'p99'], 1),
	]
}
