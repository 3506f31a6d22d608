import { parsePage, readText } from '#tests/support/readers'
import { NAMED, OUTCOMES, OWN_HEADINGS, QUIET } from './allowances'
import { WORDS } from './broken-responses'
import { type Broken } from './replayed-broker'

/** `processorMs` is the processor time of the whole process, so it is useful only for a page that is read alone. */
export type Seen = { status: number; html: string; ms: number; processorMs: number; location: string }

/** Milliseconds. More than a slow endless reply (three timeouts) and then one more timeout, on a busy machine. */
const LIMIT_MS = 15_000

const LEAKS =
	/\bNaN\b|\bundefined\b|Invalid Date|\[object|\bnull\b|\bat \S+ \(\S+:\d+|(?:Type|Reference|Syntax|Range|Zod)Error|ECONN|fetch failed|terminated|Whitelabel|nginx|&lt;h1|Bad Gateway/i
const RAW_NAME = /\b[a-z]+_[a-z][a-z_]*\b|\b[A-Z]{2,}_[A-Z_]+\b/g

const readHeadings = (html: string) => parsePage(html).querySelectorAll('h1, h2').map(readText)
const readRows = (html: string) => parsePage(html).querySelectorAll('tr').map(readText)

const LONG = 1_000_000
/** The page without repeated rows and options, because fifty megabytes of the same text would take seconds to read. */
const dropRepeats = (html: string) => (html.length < LONG ? html : [...new Set(html.split(/(?=<(?:tr|option|li)\b)/))].join(''))

/** The text without times, which change on each visit. */
const readSteady = (html: string) => readText(html).replace(/\b\d\d:\d\d(:\d\d)?\b/g, '')

/** The page without a failure, read once for all its cases. */
type Honest = { headings: string[]; rows: string[]; steady: string; rawNames: Set<string> }
const known = new WeakMap<Seen, Honest>()

function readHonest(seen: Seen): Honest {
	const read = known.get(seen)
	if (read) return read
	const { html } = seen
	const rawNames = new Set(readText(html).match(RAW_NAME))
	const honest = { headings: readHeadings(html), rows: readRows(html), steady: readSteady(html), rawNames }
	known.set(seen, honest)
	return honest
}

/** What a page must never show, whatever the broker answers. */
function findLeaks(html: string, rawNames: ReadonlySet<string>): string[] {
	const text = readText(html)
	const body = html.replace(/<(script|style)\b[\s\S]*?<\/\1>/g, '')
	const raw = (text.match(RAW_NAME) ?? []).filter((name) => !rawNames.has(name))
	return [...(LEAKS.exec(text) ?? LEAKS.exec(body) ?? []), ...raw].map((leak) => `shows ${leak}`)
}

const VERIFY = 'GET /v2/user/verify-user'

/** What is wrong with a page when one of its calls fails; an empty list when nothing is. */
export function judgePage(route: string, seen: Seen, honest: Seen, { call, fault }: Broken): string[] {
	const name = `${call.method} ${call.path}`
	const wrong: string[] = []
	const { status, location } = seen
	const ms = fault.isHeavy ? seen.processorMs : seen.ms
	if (ms > (fault.limitMs ?? LIMIT_MS)) wrong.push(`took ${Math.round(ms / 100) / 10} s`)
	if (fault.name === '401 JSON') return location.startsWith('/login') ? wrong : [...wrong, `a 401 did not sign out: ${status}`]
	if (name === VERIFY && /^4(?!29)/.test(fault.name))
		return /^\/(login|rekyc)/.test(location) ? wrong : [...wrong, `the session goes on: ${status}`]
	if (location) return [...wrong, `leads to ${location}`]

	const html = dropRepeats(seen.html)
	const isNoData = fault.name === '404 JSON'
	const isOutcome = OUTCOMES[route] === name
	const isRefusedThing = NAMED[route] === name && /^40[034] JSON$/.test(fault.name)
	const isMissing = (isNoData && isOutcome) || isRefusedThing
	if (![200, 502, 503, 504, ...(isMissing ? [404] : [])].includes(status)) wrong.push(`answered ${status}`)
	if (fault.isUsable && status !== 200) wrong.push(`a usable answer became ${status}`)
	if (isOutcome && !fault.isUsable && !fault.mayFit && !isNoData && status === 200) wrong.push('a failed page answers 200')
	const { headings, rows, steady, rawNames } = readHonest(honest)
	wrong.push(...findLeaks(html, rawNames), ...(fault.findWrong?.(html) ?? []))
	const kept = new Set(readHeadings(html))
	const lost = headings.filter((heading) => !kept.has(heading) && !OWN_HEADINGS[name]?.includes(heading))
	if (status === 200 && lost.length > 0 && !isOutcome && !isRefusedThing) wrong.push(`lost ${lost.join(', ')}`)
	if (status !== 200 && !html.includes('aria-label="Main"')) wrong.push('lost the menu')

	const quiet = QUIET.find(({ call: silent, routes }) => silent === name && (routes?.includes(route) ?? true))
	if (quiet?.isWhole) {
		const there = new Set(readRows(html))
		wrong.push(...rows.flatMap((row) => (there.has(row) ? [] : [`lost the row ${row}`])))
	}
	if (quiet || (isNoData && !isMissing)) return wrong
	if (!fault.isUsable && !fault.mayFit && readSteady(html) === steady) wrong.push('says nothing')
	// For "No data" the portal has its own text: there is nothing, or the address is unknown.
	if (fault.hasWords && !isNoData && !readText(html).includes(WORDS)) wrong.push('loses the broker’s words')
	return wrong
}
