import { isLong } from '#sandbox/testing/runs'
import { ASKED_ONCE } from './allowances'
import { FAULTS, LONG_LIST, type ResponseFault, SHORTER_LIST } from './broken-responses'
import { judgePage, type Seen } from './judge'
import { LONG_LEDGER } from './long-ledger'
import { type Page } from './pages'
import { type RecordedCall, type ReplayedPortal, type RecordedSession } from './replayed-broker'

export type Case = { page: Page; call: RecordedCall; fault: ResponseFault; honest: Seen }

/** Faults of only one call. */
const OWN_FAULTS: Record<string, readonly ResponseFault[]> = { 'GET /v2/service/reports/ledger': [LONG_LEDGER] }

/** Calls that most pages make. Each of their faults is tried on an eighth of the pages, and each page gets an eighth of the faults. */
const COMMON = new Set(['/v2/user/verify-user', '/v2/account-profile/personal-details'])
/** Tried on all other calls of every page. Each call gets a third of the other faults. */
const ALWAYS = new Set(['never', '401 JSON', '404 JSON', '500 JSON', 'malformed', 'missing field', 'one bad row'])
/** Timeout of a page in milliseconds: far beyond every limit of the portal. */
const GIVE_UP_MS = 60_000

async function look({ visitor }: RecordedSession, address: string): Promise<Seen> {
	const started = performance.now()
	const used = process.cpuUsage()
	const giveUp = new AbortController()
	const tooLate = new Promise<never>((_, reject) => {
		const timer = setTimeout(() => reject(new Error(`no answer in ${GIVE_UP_MS / 1000} s`)), GIVE_UP_MS)
		giveUp.signal.addEventListener('abort', () => clearTimeout(timer), { once: true })
	})
	const read = async () => {
		const answer = await visitor.send(address)
		return { answer, html: await answer.text() }
	}
	const { answer, html } = await Promise.race([read(), tooLate]).finally(() => giveUp.abort())
	const { user, system } = process.cpuUsage(used)
	const [ms, processorMs] = [performance.now() - started, (user + system) / 1000]
	return { status: answer.status, html, ms, processorMs, location: answer.headers.get('location') ?? '' }
}

export const findAddress = async (page: Page, { visitor }: RecordedSession) =>
	typeof page.address === 'string' ? page.address : await page.address(visitor)

/** The calls that an address makes, each once. */
export async function listCalls(portal: ReplayedPortal, page: Page): Promise<RecordedCall[]> {
	const session = await portal.signIn(page.who)
	const address = await findAddress(page, session)
	// The sandbox makes each file once, and slowly on a busy machine. The tests read the recording, within the portal's limits.
	await (await session.visitor.send(address)).arrayBuffer()
	const calls = session.listen()
	const honest = await session.visitor.send(address)
	await honest.arrayBuffer()
	session.forget()
	if (honest.status !== 200) throw new Error(`${address} answers ${honest.status} ${honest.headers.get('location') ?? ''}`)
	return [...new Map(calls.map((call) => [`${call.method} ${call.path}`, call])).values()]
}

/** True when a fault is tried on a call. `turn` differs between pages, calls and faults that follow each other. */
function isTaken({ path }: RecordedCall, { name, isHeavy }: ResponseFault, turn: number): boolean {
	if (isLong) return true
	return COMMON.has(path) ? turn % 8 === 0 : isHeavy || ALWAYS.has(name) || turn % 3 === 0
}

/** Cases of all pages: each without a failure, and faults of every call it makes. Throws when a page does not load. */
export async function listCases(portal: ReplayedPortal, pages: readonly Page[]): Promise<Case[]> {
	const cases: Case[] = []
	for (const [turn, page] of pages.entries()) cases.push(...(await listPageCases(portal, page, turn)))
	return isLong ? cases : shortenRepeated(cases)
}

/** Reports, whose lists grow with every trade. */
export const LARGE = /^\/(v2\/service\/reports|v1\/reports|v1\/user\/report)\/|list_of_funds/

/**
 * Each report gets a list of 100,000 rows on its longest page, and every other call a fifth of that. So does every second of the other
 * pages that make a call.
 */
function shortenRepeated(cases: readonly Case[]): Case[] {
	const longest = new Map<string, Case>()
	const nameCall = ({ call }: Case) => `${call.method} ${call.path}`
	for (const each of cases.filter(({ fault }) => fault === LONG_LIST)) {
		const other = longest.get(nameCall(each))
		if (!other || other.honest.html.length < each.honest.html.length) longest.set(nameCall(each), each)
	}
	const isLongest = (each: Case) => longest.get(nameCall(each)) === each
	const others = cases.filter((each) => each.fault === LONG_LIST && !isLongest(each)).filter((_, at) => at % 2 === 0)
	const shorter = new Set([...others, ...[...longest.values()].filter(({ call }) => !LARGE.test(call.path))])
	return cases
		.filter((each) => each.fault !== LONG_LIST || isLongest(each) || shorter.has(each))
		.map((each) => (shorter.has(each) ? { ...each, fault: SHORTER_LIST } : each))
}

async function listPageCases(portal: ReplayedPortal, page: Page, turn: number): Promise<Case[]> {
	const session = await portal.signIn(page.who)
	const address = await findAddress(page, session)
	const calls = session.listen()
	const honest = await look(session, address)
	session.forget()
	if (honest.status !== 200) throw new Error(`${address} answers ${honest.status} ${honest.location}`)
	const distinct = new Map(calls.map((call) => [`${call.method} ${call.path}`, call]))
	for (const call of ASKED_ONCE) distinct.delete(call)
	const listFaults = ({ method, path }: RecordedCall) => [...FAULTS, ...(OWN_FAULTS[`${method} ${path}`] ?? [])]
	return [...distinct.values()].flatMap((call, at) =>
		listFaults(call)
			.filter((fault, no) => isTaken(call, fault, turn + at + no))
			.map((fault) => ({ page, call, fault, honest })),
	)
}

async function judgeCase(portal: ReplayedPortal, { page, call, fault, honest }: Case): Promise<string[]> {
	const session = await portal.signIn(page.who)
	const address = await findAddress(page, session)
	session.breakCall(call, fault)
	const seen = await look(session, address)
	const hits = session.countHits()
	session.forget()
	return hits === 0 ? ['was not asked'] : judgePage(page.route, seen, honest, { call, fault })
}

/** Runs `atOnce` cases at once, in order. Returns all lines, sorted. */
export async function runInTurn<Item>(items: readonly Item[], atOnce: number, work: (item: Item) => Promise<string[]>): Promise<string[]> {
	const queue = [...items]
	const lines: string[] = []
	const workOn = async () => {
		for (let next = queue.shift(); next; next = queue.shift()) lines.push(...(await work(next)))
	}
	await Promise.all(Array.from({ length: atOnce }, workOn))
	return lines.sort()
}

/** What is wrong in each case, one line each. */
export async function judgeCases(portal: ReplayedPortal, cases: readonly Case[], atOnce: number): Promise<string[]> {
	return runInTurn(cases, atOnce, async (each) => {
		const wrong = await judgeCase(portal, each).catch((error: unknown) => [String(error)])
		const { page, call, fault } = each
		return wrong.map((why) => `${page.route} · ${call.method} ${call.path} · ${fault.name}: ${why}`)
	})
}
