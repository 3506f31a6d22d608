import { randomUUID } from 'node:crypto'
import { z } from 'zod/v4'
import { startReading, withUnread } from '#contract/tolerant'
import { takeTurns } from '~/lib/turns'

/*
 * A ledger of 100,000 rows is 25 MB of JSON. Parsing and validating it at once would block every other request for a second, so long
 * replies are read in slices (takeTurns).
 */

/** Shorter text is parsed at once, which takes 5 ms. */
export const LONG_BYTES = 512 * 1024
/** Elements of a long list are parsed together in batches of this many bytes. */
const PIECE_BYTES = 32 * 1024
/** Lists are in `data`, or in an object in it. */
const LIST_DEPTH = 3

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
	/** The list being read: its depth, its start, the start of its unparsed text, the elements parsed, and the text before the list. */
	list?: { depth: number; start: number; from: number; items?: unknown[]; before?: string }
}

/**
 * Reads elements of a long list while the rest of it arrives, and adds them to the list. `before` is the text of the reply before the
 * list.
 */
export type ReadRows = (list: unknown[], before: string, items: readonly unknown[]) => void

const addUnread: ReadRows = (list, _, items) => {
	for (const item of items) list.push(item)
}

/** JSON.parse of the text of a reply. A broker may begin it with a byte order mark (RFC 8259, 8.1). */
export function parseText(text: string): unknown {
	return JSON.parse(text.startsWith('\uFEFF') ? text.slice(1) : text) as unknown
}

/**
 * JSON.parse for text that arrives in pieces, in slices, so that the whole text is never held. Throws a SyntaxError when it is not JSON.
 */
export async function parseLong(pieces: AsyncIterable<Uint8Array>, readRows: ReadRows = addUnread): Promise<unknown> {
	const pause = takeTurns()
	// Long lists are cut out. The rest is parsed with a random mark in place of each, which no broker can guess.
	const mark = randomUUID()
	const lists: unknown[][] = []
	const rest: string[] = []
	const scan: Scan = { bytes: Buffer.alloc(0), at: 0, copied: 0, depth: 0, isText: false }

	/** Parses the list as far as it was scanned. */
	function take(list: NonNullable<Scan['list']>, to: number) {
		if (!list.items) {
			const before = scan.bytes.toString('utf8', scan.copied, list.start)
			rest.push(before, `"${mark}${lists.length}"`)
			lists.push((list.items = []))
			list.before = before
		}
		const text = scan.bytes.toString('utf8', list.from, to)
		if (!text.trim()) throw new SyntaxError('A list ends with a comma')
		readRows(list.items, list.before ?? '', JSON.parse(`[${text}]`) as unknown[])
		list.from = scan.copied = to + 1
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

/** Scans past the next comma that completes a batch, or past the bracket that ends the list, or up to `end`. */
function findNext(scan: Scan, end: number): 'piece' | 'end' | undefined {
	let { bytes, at, depth, isText, list } = scan
	let found: 'piece' | 'end' | undefined
	while (at < end && !found) {
		const byte = bytes[at]
		at += 1
		if (isText) {
			if (byte === BACKSLASH) at += 1
			else if (byte === QUOTE) isText = false
		} else if (byte === QUOTE) isText = true
		else if (byte === OPEN) depth += 1
		else if (byte === CLOSE) depth -= 1
		else if (byte === OPEN_LIST) {
			depth += 1
			if (!list && depth <= LIST_DEPTH) list = { depth, start: at - 1, from: at }
		} else if (byte === COMMA) {
			if (list?.depth === depth && at - list.from >= PIECE_BYTES) found = 'piece'
		} else if (byte === CLOSE_LIST) {
			if (list?.depth === depth) found = 'end'
			depth -= 1
		}
	}
	Object.assign(scan, { at, depth, isText, list })
	return found
}

function putBack(value: unknown, lists: ReadonlyMap<string, unknown[]>): unknown {
	if (typeof value === 'string') return lists.get(value) ?? value
	if (!isRecord(value) || lists.size === 0) return value
	for (const key of Object.keys(value)) value[key] = putBack(value[key], lists)
	return value
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

const LONG_ROWS = 1000
const ROWS_A_SLICE = 200

/** The end of the text before a list that is `data`, or a field of it. */
const DATA = /"data"\s*:\s*(?:\{[^{}]*"(\w+)"\s*:\s*)?$/

/** Maximum number of characters before a list that are compared with DATA. */
const MAX_BEFORE = 2000

type Reading = ReturnType<typeof startReading>
type Result = z.ZodSafeParseResult<unknown>
/** Lists whose rows were read while they arrived. */
type ReadLists = Map<unknown, { field: z.core.$ZodType; result: Result }>

/**
 * Validates one reply with its schema; long lists are validated in slices. A list that is `data`, or a field of it, is validated while it
 * arrives (`readRows`), because the raw rows take as much memory as the validated ones. Other lists are validated at the end.
 */
export function startReply<Data extends z.ZodType>(schema: Data, reference: string) {
	const reading = startReading(reference)
	const lists: ReadLists = new Map()
	const readRows: ReadRows = (list, before, items) => {
		const known = lists.get(list)
		const field = known?.field ?? (list.length === 0 ? findList(schema, before) : undefined)
		const part = field && known?.result.success !== false ? reading.safeParse(field, items) : undefined
		if (field && part) lists.set(list, { field, result: part.success ? { success: true, data: list } : part })
		const rows = part?.success ? (part.data as unknown[]) : items
		for (const row of rows) list.push(row)
		if (part?.success) withUnread(list, list, rows as unknown[])
	}
	return {
		readRows,
		/** The result of `safeParse`, and the unreadable parts. */
		async finish(json: unknown) {
			const parsed = (await readSliced(schema, json, takeTurns(), reading, lists)) as z.ZodSafeParseResult<z.output<Data>>
			return { parsed, unread: reading.finish(parsed.data) }
		},
	}
}

/** The schema of a list that is `data` or a field of it, by the text before the list. */
function findList(schema: z.core.$ZodType, before: string): z.core.$ZodType | undefined {
	const found = DATA.exec(before.slice(-MAX_BEFORE))
	if (!found) return undefined
	const [, name] = found
	const list = name === undefined ? schema : schema instanceof z.ZodObject ? readField(schema, name) : undefined
	return list && isList(list) ? list : undefined
}

function readField({ shape }: z.ZodObject, name: string): z.core.$ZodType | undefined {
	return Object.hasOwn(shape, name) ? (shape as Record<string, z.core.$ZodType>)[name] : undefined
}

async function readSliced(
	schema: z.core.$ZodType,
	json: unknown,
	pause: () => Promise<void>,
	reading: Reading,
	lists: ReadLists,
): Promise<Result> {
	const known = lists.get(json)
	if (known) return known.result
	if (isLongList(schema, json)) {
		const rows: unknown[] = []
		for (let start = 0; start < json.length; start += ROWS_A_SLICE) {
			const part = reading.safeParse(schema, json.slice(start, start + ROWS_A_SLICE))
			if (!part.success) return part
			for (const row of part.data as unknown[]) rows.push(row)
			withUnread(rows, rows, part.data as unknown[])
			// Drop the raw rows: they take as much memory as the validated ones.
			json.fill(undefined, start, start + ROWS_A_SLICE)
			await pause()
		}
		return { success: true, data: rows }
	}
	if (!(schema instanceof z.ZodObject) || !isRecord(json)) return reading.safeParse(schema, json)
	const { shape } = schema as z.ZodObject<Record<string, z.ZodType>>
	const long = Object.entries(shape).filter(([name, field]) => lists.has(json[name]) || isLongList(field, json[name]))
	const read = reading.safeParse(schema, long.length === 0 ? json : { ...json, ...Object.fromEntries(long.map(([name]) => [name, []])) })
	if (!read.success) return read
	const whole = read.data as Record<string, unknown>
	for (const [name, field] of long) {
		const list = await readSliced(field, json[name], pause, reading, lists)
		if (!list.success) return list
		whole[name] = list.data
	}
	return read
}

function isLongList(schema: z.core.$ZodType, json: unknown): json is unknown[] {
	return Array.isArray(json) && json.length > LONG_ROWS && isList(schema)
}

/** Whether the schema is a list without a maximum length. A list with a maximum is read at once, because only its first rows are read. */
function isList(schema: z.core.$ZodType): boolean {
	const list = schema instanceof z.ZodNonOptional ? schema.unwrap() : schema
	return list instanceof z.ZodArray && list._zod.bag.maximum === undefined
}
