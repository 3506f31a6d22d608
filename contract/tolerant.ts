import { z } from 'zod/v4'
import { isBlank } from './readers'

/*
 * The contract says exactly what a broker writes; the sandbox, its documentation and its tests must follow it. A response that the portal
 * reads may still have a bad row or figure, and one of them must not break a page. So these schemas are exact on their own, and tolerant
 * while `startReading` runs: they accept other spellings (readers.ts), leave out what they cannot read (or set it to null) and count it.
 * They never make up a value.
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

type Reading = Unread & { fields: Map<string, number> }

/** The response being read. Reading is synchronous, so there is at most one. */
let reading: Reading | undefined

const unread = new WeakMap<object, Unread>()

/** The unreadable parts of a response or of one of its lists; undefined when everything could be read. */
export function unreadIn(value: object): Unread | undefined {
	return unread.get(value)
}

/** Marks rows that were made from other rows: the unreadable parts of their sources count for them too. */
export function withUnread<Rows extends object>(rows: Rows, ...sources: readonly (object | undefined)[]): Rows {
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
	const own: Reading = { rows: 0, cells: 0, fields: new Map(), reference }
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
			if (own.rows + own.cells === 0) return undefined
			if (typeof data === 'object' && data !== null) unread.set(data, { rows: own.rows, cells: own.cells, reference })
			return { count: own.rows + own.cells, fields: Object.fromEntries(own.fields) }
		},
	}
}

function count(current: Reading, what: 'rows' | 'cells', field: string, times = 1) {
	current[what] += times
	current.fields.set(field, (current.fields.get(field) ?? 0) + times)
}

type Payload = z.core.ParsePayload
type Context = z.core.ParseContextInternal
type Read = (payload: Payload, context: Context, current: Reading) => Payload
type Definition = z.core.$ZodNonOptionalDef & { read: Read; isOptional?: boolean; isWords?: boolean }

/** As exact as `innerType`, and with the same JSON Schema. While a response is read, `read` decides instead. */
const Tolerant = z.core.$constructor<z.ZodType, Definition>('Tolerant', (schema, definition) => {
	z.ZodNonOptional.init(schema as z.ZodNonOptional, definition)
	const { innerType, read, isOptional } = definition
	const parse = isOptional ? (payload: Payload, context: Context) => innerType._zod.run(payload, context) : schema._zod.parse
	if (isOptional) Object.assign(schema._zod, { optin: innerType._zod.optin, optout: innerType._zod.optout })
	schema._zod.parse = (payload, context) => (reading ? read(payload, context, reading) : parse(payload, context))
})

function tolerant<Output, Input>(
	innerType: z.ZodType,
	read: Read,
	kind: Pick<Definition, 'isOptional' | 'isWords'> = {},
): z.ZodType<Output, Input> {
	return new Tolerant({ type: 'nonoptional', innerType, read, ...kind }) as z.ZodType<Output, Input>
}

/** Runs a schema on the payload. */
function runOn(schema: z.core.$ZodType, payload: Payload, context: Context): Payload {
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
function fail(exact: z.core.$ZodType, payload: Payload, context: Context): Payload {
	const { issues } = run(exact, payload.value, context)
	const own = { code: 'custom' as const, message: 'Cannot be read', input: payload.value, inst: exact }
	payload.issues.push(...(issues.length > 0 ? issues : [own]))
	return payload
}

/** Maximum length of a broker's text; the screen shows less. */
const LONGEST = 10_000

/** Text unchanged, a whole number as its digits, null as empty text. Undefined for anything else. */
function bendText(value: unknown): string | undefined {
	if (typeof value === 'string') return value.length <= LONGEST ? value : undefined
	if (value === null) return ''
	return Number.isSafeInteger(value) ? String(value) : undefined
}

const readText =
	(exact: z.ZodType, bend: (text: string) => string = (text) => text): Read =>
	(payload, context) => {
		const words = bendText(payload.value)
		if (words === undefined) return fail(exact, payload, context)
		payload.value = bend(words)
		return payload
	}

/** Text in a form that the contract requires. The portal accepts any text. */
export function words(exact: z.ZodType<string, string>): z.ZodType<string, string> {
	return tolerant(exact, readText(exact), { isWords: true })
}

/** Text. The contract limits its length; the portal accepts longer text, which only matters for display. */
export function text(max: number, min = 0): z.ZodType<string, string> {
	return words(z.string().min(min).max(max))
}

/** A code from a known list. The portal keeps and shows an unknown code; an absent code is empty. */
export function word<Value extends string>(known: z.ZodType<Value, Value>): z.ZodType<string, Value> {
	const values = known._zod.values ?? new Set<z.core.util.Primitive>()
	const byName = new Map([...values].map((value) => [String(value).toLowerCase(), String(value)]))
	const bend = (code: string) => {
		if (values.has(code)) return code
		const trimmed = code.trim()
		return isBlank(trimmed) ? '' : (byName.get(trimmed.toLowerCase()) ?? trimmed)
	}
	return tolerant(known, readText(known, bend), { isWords: true })
}

/**
 * A name, such as an ISIN, in a form that the contract requires. The portal keeps a name of another form unless `isWrong` rejects it. A
 * row without its name is left out.
 */
export function id(exact: z.ZodType<string, string>, isWrong: (name: string) => boolean = () => false): z.ZodType<string, string> {
	return bent(exact, (value) => {
		const name = bendText(value)?.trim()
		return name === undefined || isBlank(name) || isWrong(name) ? undefined : name
	})
}

/** Like `id`, for a row that has another name too: empty when the field is blank. */
export function idOrNone(exact: z.ZodType<string, string>): z.ZodType<string, string> {
	return bent(exact, (value) => {
		const name = bendText(value)?.trim()
		return name !== undefined && isBlank(name) ? '' : name
	})
}

/** A field that may be empty: null, which brokers also write as a blank, a dash or NA. */
export function maybe<Schema extends z.ZodType>(schema: Schema): z.ZodType<z.output<Schema> | null, z.input<Schema> | null> {
	return tolerant(schema.nullable(), (payload, context) => {
		if (!isBlank(payload.value)) return runOn(schema, payload, context)
		payload.value = null
		return payload
	})
}

/** A field that a broker may leave out, or write as in `maybe`: undefined. */
export function optional<Schema extends z.ZodType>(schema: Schema): z.ZodOptional<Schema> {
	const read: Read = (payload, context) => {
		if (!isBlank(payload.value)) return runOn(schema, payload, context)
		payload.value = undefined
		return payload
	}
	return tolerant(schema.optional(), read, { isOptional: true }) as unknown as z.ZodOptional<Schema>
}

/** Accepts both: null and undefined. */
export function nullish<Schema extends z.ZodType>(schema: Schema): z.ZodOptional<z.ZodNullable<Schema>> {
	const read: Read = (payload, context) => {
		if (!isBlank(payload.value)) return runOn(schema, payload, context)
		payload.value = null
		return payload
	}
	return tolerant(schema.nullish(), read, { isOptional: true }) as unknown as z.ZodOptional<z.ZodNullable<Schema>>
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
			count(current, 'cells', name)
			return { ...result, value: null, issues: [] }
		}
		return [name, tolerant(field, read)]
	})
	return Object.fromEntries(made) as Cells<Fields>
}

/**
 * The portal reads this many times the rows that the contract allows. More are an error of the broker: a page with 100,000 links would
 * block every other client while it is rendered.
 */
const BEYOND = 10

/**
 * A list of at most as many rows as the contract allows. A row without its required fields is left out; the portal accepts ten times as
 * many rows, and counts the others as unread.
 */
export function rows<Row extends z.ZodType>(row: Row, most?: number): z.ZodType<z.output<Row>[], z.input<Row>[]> {
	const list = most === undefined ? z.array(row) : z.array(row).max(most)
	return tolerant(list, (payload, context, current) => {
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
				count(current, 'rows', nameField(result.issues[0]?.path))
			}
		}
		if (end < values.length) count(current, 'rows', 'too many', values.length - end)
		const own = { rows: current.rows - before.rows, cells: current.cells - before.cells, reference: current.reference }
		if (own.rows > 0 || own.cells > 0) unread.set(read, own)
		payload.value = read
		return payload
	})
}

function nameField(path: readonly PropertyKey[] | undefined): string {
	return path?.filter((key) => typeof key === 'string').join('.') || 'row'
}
