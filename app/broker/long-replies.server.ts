import { z } from 'zod/v4'
import { startReading, withUnread } from '#contract/tolerant'
import { takeTurns } from '~/lib/turns'
import { isRecord, type ReadRows, ROWS_A_SLICE } from './long-json.server'

/* Validates long replies in slices, their rows while they arrive. */

const LONG_ROWS = 1000

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
		return part?.success === true
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
