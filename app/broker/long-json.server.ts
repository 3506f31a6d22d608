import { randomUUID } from 'node:crypto'
import { takeTurns } from '~/lib/turns'

/*
 * A ledger of 100,000 rows is 25 MB of JSON. Parsing and validating it at once would block every other request for a second, so long
 * replies are read in slices (takeTurns).
 */

/** Shorter text is parsed at once, which takes 5 ms. */
export const LONG_BYTES = 512 * 1024
/** Elements of a long list are parsed together in batches of this many bytes. */
const PIECE_BYTES = 32 * 1024
/** Short rows take longer to validate than to receive, so a batch also has a maximum number of rows. */
export const ROWS_A_SLICE = 200
/** Lists are in `data`, or in an object in it. */
const LIST_DEPTH = 3

/*
 * What a reply may contain besides its bytes. A megabyte of empty lists takes 20 MB of memory, and a million names in one object take
 * seconds. The largest books of the sandbox have 100,000 rows of 13 values.
 */

/** Maximum number of elements of all long lists. */
const MOST_ROWS = 500_000
/** Maximum number of values in text that is parsed at once. */
const MOST_AT_ONCE = 250_000
/** Maximum number of values that are kept as they are until the whole reply is there. */
const MOST_KEPT = 2_000_000
/** Maximum number of names in one object. */
const MOST_NAMES = 20_000

/* Codes of `"`, `\`, `,`, `[`, `]`, `{` and `}`. */
const QUOTE = 0x22
const BACKSLASH = 0x5c
const COMMA = 0x2c
const OPEN_LIST = 0x5b
const CLOSE_LIST = 0x5d
const OPEN = 0x7b
const CLOSE = 0x7d

/** State of a scan of the text. */
type Scan = {
	/** Text not parsed yet. */
	bytes: Buffer
	/** Text from this position on is not scanned yet; text before `copied` is already parsed. */
	at: number
	copied: number
	depth: number
	isText: boolean
	/** Number of values in the text scanned and not parsed yet, and how many of them are elements of the list. */
	values: number
	rows: number
	/** By depth the number of commas in the object there; NaN for a list, which may have any number. */
	commas: number[]
	/**
	 * The list being read: its depth, its start, the start of its unparsed text, the values before it, the elements parsed, and the text
	 * before the list.
	 */
	list?: { depth: number; start: number; from: number; values: number; items?: unknown[]; before?: string }
}

/**
 * Reads elements of a long list while the rest of it arrives, and adds them to the list. `before` is the text of the reply before the
 * list. Returns whether the elements were validated; others are kept as they are.
 */
export type ReadRows = (list: unknown[], before: string, items: readonly unknown[]) => boolean

const addUnread: ReadRows = (list, _, items) => {
	for (const item of items) list.push(item)
	return false
}

/** A reply with more values than any report has. */
class TooManyValues extends Error {
	override name = 'TooManyValues'
}

/** JSON.parse of the text of a reply. A broker may begin it with a byte order mark (RFC 8259, 8.1). */
export function parseText(text: string): unknown {
	return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) as unknown
}

/**
 * JSON.parse for text that arrives in pieces, in slices, so that the whole text is never held. Throws a SyntaxError when it is not JSON,
 * and another error when it has too many values.
 */
export async function parseLong(pieces: AsyncIterable<Uint8Array>, readRows: ReadRows = addUnread): Promise<unknown> {
	const pause = takeTurns()
	// Long lists are cut out. The rest is parsed with a random mark in place of each, which no broker can guess.
	const mark = randomUUID()
	const lists: unknown[][] = []
	const rest: string[] = []
	const scan: Scan = { bytes: Buffer.alloc(0), at: 0, copied: 0, depth: 0, isText: false, values: 0, rows: 0, commas: [] }
	const counts = { rows: 0, kept: 0, atEnd: 0 }

	/** Parses the list as far as it was scanned. */
	function take(list: NonNullable<Scan['list']>, to: number) {
		if (!list.items) {
			const before = scan.bytes.toString('utf8', scan.copied, list.start)
			rest.push(before, `"${mark}${lists.length}"`)
			lists.push((list.items = []))
			list.before = before
			countAtEnd(list.values)
			scan.values -= list.values
		}
		const text = scan.bytes.toString('utf8', list.from, to)
		if (!text.trim()) throw new SyntaxError('A list ends with a comma')
		const isValidated = readRows(list.items, list.before ?? '', JSON.parse(`[${text}]`) as unknown[])
		counts.rows += scan.rows
		if (!isValidated) counts.kept += scan.values
		if (counts.rows > MOST_ROWS || counts.kept > MOST_KEPT) throw new TooManyValues('A list is too long')
		list.from = scan.copied = to + 1
		scan.values = scan.rows = 0
	}
	function countAtEnd(values: number) {
		counts.atEnd += values
		if (counts.atEnd > MOST_AT_ONCE) throw new TooManyValues('The reply has too many values beside its lists')
	}
	async function look() {
		while (scan.at < scan.bytes.length) {
			const found = findNext(scan, Math.min(scan.at + PIECE_BYTES, scan.bytes.length))
			const { list } = scan
			if (list && (found === 'piece' || (found === 'end' && list.items))) take(list, scan.at - 1)
			if (found === 'end') scan.list = undefined
			await pause()
		}
	}

	let fresh: Uint8Array[] = []
	let size = 0
	for await (const piece of pieces) {
		fresh.push(piece)
		size += piece.length
		// Doubles the buffer, so that each byte of a single long value is copied about twice.
		if (size < Math.max(PIECE_BYTES, scan.bytes.length - scan.copied)) continue
		join(scan, fresh)
		fresh = []
		size = 0
		await look()
	}
	join(scan, fresh)
	await look()
	if (scan.list?.items) throw new SyntaxError('A list is not closed')
	countAtEnd(scan.values)
	rest.push(scan.bytes.toString('utf8', scan.copied))
	return putBack(parseText(rest.join('')), new Map(lists.map((items, index) => [`${mark}${index}`, items])))
}

/** Drops the parsed text and appends the bytes that have arrived. */
function join(scan: Scan, fresh: readonly Uint8Array[]) {
	const { copied, list } = scan
	scan.bytes = Buffer.concat([scan.bytes.subarray(copied), ...fresh])
	scan.at -= copied
	scan.copied = 0
	if (!list) return
	list.start -= copied
	list.from -= copied
}

/**
 * Scans past the next comma that completes a batch, or past the bracket that ends the list, or up to `end`. Throws when the text has too
 * many values for JSON.parse at once.
 */
function findNext(scan: Scan, end: number): 'piece' | 'end' | undefined {
	const { bytes, commas } = scan
	let { at, depth, isText, values, rows, list } = scan
	let found: 'piece' | 'end' | undefined
	while (at < end && !found) {
		const byte = bytes[at]
		at += 1
		if (isText) {
			if (byte === BACKSLASH) at += 1
			else if (byte === QUOTE) isText = false
		} else if (byte === QUOTE) isText = true
		else if (byte === OPEN) {
			depth += 1
			values += 1
			commas[depth] = 0
		} else if (byte === CLOSE) depth -= 1
		else if (byte === OPEN_LIST) {
			if (!list && depth < LIST_DEPTH) {
				list = { depth: depth + 1, start: at - 1, from: at, values }
				rows = 0
			}
			depth += 1
			values += 1
			commas[depth] = NaN
		} else if (byte === COMMA) {
			values += 1
			commas[depth] = (commas[depth] ?? 0) + 1
			if ((commas[depth] ?? 0) > MOST_NAMES) throw new TooManyValues('An object has too many names')
			if (list?.depth === depth) {
				rows += 1
				if (rows >= ROWS_A_SLICE || at - list.from >= PIECE_BYTES) found = 'piece'
			}
		} else if (byte === CLOSE_LIST) {
			if (list?.depth === depth) found = 'end'
			depth -= 1
		}
		if (values > MOST_AT_ONCE) throw new TooManyValues('A part of the reply has too many values')
	}
	Object.assign(scan, { at, depth, isText, values, rows, list })
	return found
}

function putBack(value: unknown, lists: ReadonlyMap<string, unknown[]>): unknown {
	if (typeof value === 'string') return lists.get(value) ?? value
	if (!isRecord(value) || lists.size === 0) return value
	for (const key of Object.keys(value)) value[key] = putBack(value[key], lists)
	return value
}

export const isRecord = (value: unknown): value is Record<string, unknown> =>
	typeof value === 'object' && value !== null && !Array.isArray(value)
