import { z } from 'zod/v4'
import { isBlank, isNoDay } from './readers'

/*
 * The contract says exactly what a broker writes; the sandbox, its documentation and its tests must follow it. A response that the portal
 * reads may still have a bad row or figure, and one of them must not break a page. So these schemas are exact on their own, and tolerant
 * while `startReading` runs: they accept other spellings (readers.ts), leave out what they cannot read (or set it to null) and count it.
 * They make up no figure. `spare` values, and a flag that may be missing, have a default that harms nobody.
 */

/** Parts of a response that could not be read. */
export type Unread = {
	/** Rows left out. */
	rows: number
	/** Cells set to null in a row or object that stays. */
	cells: number
	/** Id of the request to the portal; its log line has the same id. */
	reference: string
}

type Reading = Unread & { fields: Map<string, number>; isFiner: boolean }

/** The response being read. Reading is synchronous, so there is at most one. */
let reading: Reading | undefined

const unread = new WeakMap<object, Unread>()

/** Responses with amounts of parts of a paisa. */
const finer = new WeakSet<object>()

/** True when amounts of this response were rounded to paise: the broker's sums of them may differ from ours by paise. */
export const isRounded = (response: object) => finer.has(response)

/** Says that an amount of the response being read has parts of a paisa. */
export function noteFiner(): void {
	if (reading) reading.isFiner = true
}

/** The unreadable parts of a response or of one of its lists; undefined when everything could be read. */
export function unreadIn(value: object): Unread | undefined {
	return unread.get(value)
}

/** Marks rows that were made from other rows: the unreadable parts of their sources, and their rounding, count for them too. */
export function withUnread<Rows extends object>(rows: Rows, ...sources: readonly (object | undefined)[]): Rows {
	if (sources.some((source) => source && finer.has(source))) finer.add(rows)
	const found = sources.flatMap((source) => (source && unread.get(source)) ?? [])
	const [first] = found
	if (first) unread.set(rows, { ...first, rows: sum(found.map((each) => each.rows)), cells: sum(found.map((each) => each.cells)) })
	return rows
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

/** For the log: names of unreadable fields and how often. Never values, because they are the client's data. */
export type UnreadFields = Record<string, number>

/** Reads one response, in as many slices as it takes, with tolerance for rows, cells, words and lengths. */
export function startReading(reference: string) {
	const own: Reading = { rows: 0, cells: 0, fields: new Map(), isFiner: false, reference }
	return {
		safeParse(schema: z.core.$ZodType, json: unknown): z.ZodSafeParseResult<unknown> {
			reading = own
			try {
				return z.safeParse(schema, json)
			} finally {
				reading = undefined
			}
		},
		/** Ends the reading and returns the unreadable parts; undefined when everything could be read. */
		finish(data: unknown): { count: number; fields: UnreadFields } | undefined {
			const isKept = typeof data === 'object' && data !== null
			if (isKept && own.isFiner) finer.add(data)
			if (own.rows + own.cells === 0) return undefined
			if (isKept) unread.set(data, { rows: own.rows, cells: own.cells, reference })
			return { count: own.rows + own.cells, fields: Object.fromEntries(own.fields) }
		},
	}
}

function count(current: Reading, what: 'rows' | 'cells', fields: Iterable<string>, times = 1) {
	current[what] += times
	for (const field of fields) current.fields.set(field, (current.fields.get(field) ?? 0) + times)
}

type Payload = z.core.ParsePayload
type Context = z.core.ParseContextInternal
export type Read = (payload: Payload, context: Context, current: Reading) => Payload
type Definition = z.core.$ZodNonOptionalDef & { read: Read; isOptional?: boolean; isWords?: boolean }

/** As exact as `innerType`, and with the same JSON Schema. While a response is read, `read` decides instead. */
const Tolerant = z.core.$constructor<z.ZodType, Definition>('Tolerant', (schema, definition) => {
	z.ZodNonOptional.init(schema as z.ZodNonOptional, definition)
	const { innerType, read, isOptional } = definition
	const parse = isOptional ? (payload: Payload, context: Context) => innerType._zod.run(payload, context) : schema._zod.parse
	if (isOptional) Object.assign(schema._zod, { optin: innerType._zod.optin, optout: innerType._zod.optout })
	schema._zod.parse = (payload, context) => (reading ? read(payload, context, reading) : parse(payload, context))
})

/** A schema that `read` reads while a response is read. */
export function tolerant<Output, Input>(
	innerType: z.ZodType,
	read: Read,
	kind: Pick<Definition, 'isOptional' | 'isWords'> = {},
): z.ZodType<Output, Input> {
	return new Tolerant({ type: 'nonoptional', innerType, read, ...kind }) as z.ZodType<Output, Input>
}

/** Runs a schema on the payload. */
export function runOn(schema: z.core.$ZodType, payload: Payload, context: Context): Payload {
	const result = schema._zod.run(payload, context)
	if (result instanceof Promise) throw new Error('The contract is read synchronously')
	return result
}

/** Runs a schema on a part of the payload. */
function run(schema: z.core.$ZodType, value: unknown, context: Context): Payload {
	return runOn(schema, { value, issues: [] }, context)
}

/**
 * A value that brokers write in more ways than the contract. `bend` returns the portal's value, or undefined when it cannot read it; its
 * result is not checked again.
 */
export function bent<Output, Input>(
	exact: z.ZodType<Output, Input>,
	bend: (value: unknown) => Output | undefined,
): z.ZodType<Output, Input> {
	return tolerant(exact, (payload, context) => {
		const value = bend(payload.value)
		if (value === undefined) return fail(exact, payload, context)
		payload.value = value
		return payload
	})
}

/** The payload with the exact schema's issue, or with a general issue when the schema reports none. */
export function fail(exact: z.core.$ZodType, payload: Payload, context: Context): Payload {
	const { issues } = run(exact, payload.value, context)
	const own = { code: 'custom' as const, message: 'Cannot be read', input: payload.value, inst: exact }
	payload.issues.push(...(issues.length > 0 ? issues : [own]))
	return payload
}

/** Reads `none` in place of a blank, a dash, NA, or a day that was never set. */
function readOr(schema: z.ZodType, none: null | undefined): Read {
	return (payload, context) => {
		const result = isBlank(payload.value) ? { ...payload, value: none } : runOn(schema, payload, context)
		if (isNoDay(result.value)) result.value = none
		return result
	}
}

/** A field that may be empty: null. */
export function maybe<Schema extends z.ZodType>(schema: Schema): z.ZodType<z.output<Schema> | null, z.input<Schema> | null> {
	return tolerant(schema.nullable(), readOr(schema, null))
}

/** A field that a broker may leave out, or write as in `maybe`: undefined. */
export function optional<Schema extends z.ZodType>(schema: Schema): z.ZodOptional<Schema> {
	return tolerant(schema.optional(), readOr(schema, undefined), { isOptional: true }) as unknown as z.ZodOptional<Schema>
}

/** Accepts both: null and undefined. */
export function nullish<Schema extends z.ZodType>(schema: Schema): z.ZodOptional<z.ZodNullable<Schema>> {
	return tolerant(schema.nullish(), readOr(schema, null), { isOptional: true }) as unknown as z.ZodOptional<z.ZodNullable<Schema>>
}

type Shape = Record<string, z.ZodType>
type Cells<Fields extends Shape> = { [Name in keyof Fields]: z.ZodType<z.output<Fields[Name]> | null, z.input<Fields[Name]>> }

/**
 * Fields that a row can do without: an unreadable one is null, shown as a dash, and left out of totals. An absent text is not counted as
 * unreadable, because no total needs it.
 */
export function cells<Fields extends Shape>(fields: Fields): Cells<Fields> {
	const made = Object.entries(fields).map(([name, field]) => {
		const isWords = field instanceof Tolerant && (field as unknown as { _zod: { def: Definition } })._zod.def.isWords === true
		const read: Read = (payload, context, current) => {
			if (isWords && (payload.value === null || payload.value === undefined)) {
				payload.value = null
				return payload
			}
			const result = runOn(field, payload, context)
			if (result.issues.length === 0) return result
			count(current, 'cells', [name])
			return { ...result, value: null, issues: [] }
		}
		return [name, tolerant(field, read)]
	})
	return Object.fromEntries(made) as Cells<Fields>
}

/** A value that the portal can do without: `otherwise` when it is absent or cannot be read, which is then not counted. */
export function spare<Schema extends z.ZodType, Otherwise>(
	schema: Schema,
	otherwise: () => z.output<Schema> | Otherwise,
): z.ZodType<z.output<Schema> | Otherwise, z.input<Schema>> {
	return tolerant(schema, (payload, context, current) => {
		const known = { ...current, fields: new Map(current.fields) }
		const result = run(schema, payload.value, context)
		Object.assign(current, known)
		// A spare value is not counted, so nothing may find it marked.
		if (typeof result.value === 'object' && result.value !== null) unread.delete(result.value)
		payload.value = result.issues.length === 0 ? result.value : otherwise()
		return payload
	})
}

/** An object of `cells` with its own count of unreadable parts. Each cell is unreadable when the value is no object. */
export function part<Schema extends z.ZodType>(schema: Schema): z.ZodType<z.output<Schema>, z.input<Schema>> {
	return tolerant(schema, (payload, context, current) => {
		const before = { ...current }
		const isObject = typeof payload.value === 'object' && payload.value !== null && !Array.isArray(payload.value)
		const result = run(schema, isObject ? payload.value : {}, context)
		if (result.issues.length > 0) return fail(schema, payload, context)
		payload.value = result.value
		markUnread(payload.value as object, before, current)
		return payload
	})
}

/** Says which unreadable parts of the response are in `value`: those found since `before`. */
export function markUnread(value: object, before: Unread, { rows, cells, reference }: Unread): void {
	const own = { rows: rows - before.rows, cells: cells - before.cells, reference }
	if (own.rows > 0 || own.cells > 0) unread.set(value, own)
}

/**
 * The portal reads this many times the rows that the contract allows. More are an error of the broker: a page with 100,000 links would
 * block every other client while it is rendered.
 */
const BEYOND = 10

/**
 * A list of at most as many rows as the contract allows. A row without its required fields is left out; the portal accepts ten times as
 * many rows, and counts the others as unread. Null is an empty list.
 */
export function rows<Row extends z.ZodType>(row: Row, most?: number): z.ZodType<z.output<Row>[], z.input<Row>[]> {
	const list = most === undefined ? z.array(row) : z.array(row).max(most)
	return tolerant(list, (payload, context, current) => {
		if (payload.value === null) payload.value = []
		if (!Array.isArray(payload.value)) return run(list, payload.value, context)
		const before = { ...current }
		const read: unknown[] = []
		const values = payload.value as unknown[]
		const end = Math.min(values.length, (most ?? Infinity) * BEYOND)
		for (const value of values.slice(0, end)) {
			const { cells: known } = current
			const result = run(row, value, context)
			if (result.issues.length === 0) read.push(result.value)
			else {
				current.cells = known
				count(current, 'rows', new Set(result.issues.map(nameField)))
			}
		}
		if (end < values.length) count(current, 'rows', ['too many'], values.length - end)
		markUnread(read, before, current)
		payload.value = read
		return payload
	})
}

/**
 * A list in an object that is worth showing without it: when it cannot be read at all, it is empty and counts as one unreadable row. One
 * row in place of the list is a list of one, as programs that convert XML write it.
 */
export function inner<Row>(list: z.ZodType<Row[]>): z.ZodType<Row[], z.input<typeof list>> {
	return tolerant(list, (payload, context, current) => {
		const { value } = payload
		const isOne = typeof value === 'object' && value !== null && !Array.isArray(value)
		const before = { ...current }
		const result = run(list, isOne ? [value] : value, context)
		if (result.issues.length === 0) return { ...payload, value: result.value }
		count(current, 'rows', ['list'])
		const none: Row[] = []
		markUnread(none, before, current)
		return { ...payload, value: none }
	})
}

/** A list whose absence says nothing: an empty one would allow what its rows forbid. Null is an unreadable response. */
export function knownRows<Row extends z.ZodType>(row: Row, most?: number): z.ZodType<z.output<Row>[], z.input<Row>[]> {
	const list = rows(row, most)
	return tolerant(list, (payload, context) =>
		payload.value === null ? fail(z.array(row), payload, context) : runOn(list, payload, context),
	)
}

function nameField({ path }: z.core.$ZodRawIssue): string {
	return path?.filter((key) => typeof key === 'string').join('.') || 'row'
}
