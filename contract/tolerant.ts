import { z } from 'zod/v4'
import { isBlank } from './readers'

/*
 * The contract says exactly what a broker writes: the sandbox, its documentation and its tests are held to it. A reply that the portal reads
 * may still have a bad row or figure in it, and one of them must not take a page down. So the schemas made here are exact by themselves, and
 * tolerant while `startReading` reads: what brokers write in another way is read (readers.ts), what cannot be read is left out or is null and
 * is counted, and no value is made up.
 */

/** What of a reply could not be read. */
export type Unread = {
	/** Left out as a whole. */
	rows: number
	/** Null in a row or object that stays. */
	cells: number
	/** Of the visit that asked the broker; the log line has the same. */
	reference: string
}

type Reading = Unread & { fields: Map<string, number> }

/** The reply that is being read. Reading is synchronous, so there is one at a time. */
let reading: Reading | undefined

const unread = new WeakMap<object, Unread>()

/** What could not be read in a reply, or in one of its lists of rows; undefined when all of it could. */
export function unreadIn(value: object): Unread | undefined {
	return unread.get(value)
}

/** The same rows in another form: what is missing in their sources is missing in them. */
export function withUnread<Rows extends object>(rows: Rows, ...sources: readonly (object | undefined)[]): Rows {
	const found = sources.flatMap((source) => (source && unread.get(source)) ?? [])
	const [first] = found
	if (first) unread.set(rows, { ...first, rows: sum(found.map((each) => each.rows)), cells: sum(found.map((each) => each.cells)) })
	return rows
}

const sum = (counts: readonly number[]) => counts.reduce((total, count) => total + count, 0)

/** Names of fields with how often each did not fit, for the log. Never values: they are the client's own. */
export type UnreadFields = Record<string, number>

/** One reply that is read with tolerance for rows, cells, words and lengths, in as many slices as it takes. */
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
		/** Ends the reading of what was read; says what could not be, undefined when all of it could. */
		finish(data: unknown): { count: number; fields: UnreadFields } | undefined {
			if (own.rows + own.cells === 0) return undefined
			if (typeof data === 'object' && data !== null) unread.set(data, { rows: own.rows, cells: own.cells, reference })
			return { count: own.rows + own.cells, fields: Object.fromEntries(own.fields) }
		},
	}
}

function count(current: Reading, what: 'rows' | 'cells', field: string) {
	current[what] += 1
	current.fields.set(field, (current.fields.get(field) ?? 0) + 1)
}

type Payload = z.core.ParsePayload
type Context = z.core.ParseContextInternal
type Read = (payload: Payload, context: Context, current: Reading) => Payload
type Definition = z.core.$ZodNonOptionalDef & { read: Read; isOptional?: boolean; isWords?: boolean }

/** Exact as `innerType`, which is also what it is described as; while a reply is read, `read` decides. */
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

/** Runs a schema on what is being read. */
function runOn(schema: z.core.$ZodType, payload: Payload, context: Context): Payload {
	const result = schema._zod.run(payload, context)
	if (result instanceof Promise) throw new Error('The contract is read synchronously')
	return result
}

/** Runs a schema on a part of what is being read. */
function run(schema: z.core.$ZodType, value: unknown, context: Context): Payload {
	return runOn(schema, { value, issues: [] }, context)
}

/**
 * A value that brokers write in more ways than the contract does. `bend` gives the value as the portal has it, undefined for what cannot be
 * read; what it gives is not looked at again.
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

/** The payload with the issue that the exact schema has with it, or with one of ours where it has none. */
function fail(exact: z.core.$ZodType, payload: Payload, context: Context): Payload {
	const { issues } = run(exact, payload.value, context)
	const own = { code: 'custom' as const, message: 'Cannot be read', input: payload.value, inst: exact }
	payload.issues.push(...(issues.length > 0 ? issues : [own]))
	return payload
}

/** No text of a broker is longer; the screen shows less. */
const LONGEST = 10_000

/** Text as it is, a whole number as its digits, null as none. Undefined for anything else. */
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

/** Text of a form that the contract promises. The portal reads any. */
export function words(exact: z.ZodType<string, string>): z.ZodType<string, string> {
	return tolerant(exact, readText(exact), { isWords: true })
}

/** Text. Its length is the contract's promise and a matter of display. */
export function text(max: number, min = 0): z.ZodType<string, string> {
	return words(z.string().min(min).max(max))
}

/** A code with a known list of values. A broker may have more: an unknown one is kept and shown as it is, none is empty. */
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

/** A name of a thing, such as an ISIN, of a form that the contract promises. Another form is kept as it is, unless it `isWrong`; without it there is no thing. */
export function id(exact: z.ZodType<string, string>, isWrong: (name: string) => boolean = () => false): z.ZodType<string, string> {
	return bent(exact, (value) => {
		const name = bendText(value)?.trim()
		return name === undefined || isBlank(name) || isWrong(name) ? undefined : name
	})
}

/** The same where the thing is known by more than its name: empty where the field is there and the name is not. */
export function idOrNone(exact: z.ZodType<string, string>): z.ZodType<string, string> {
	return bent(exact, (value) => {
		const name = bendText(value)?.trim()
		return name !== undefined && isBlank(name) ? '' : name
	})
}

/** What may not be there: null, which brokers also write as a blank, a dash or NA. */
export function maybe<Schema extends z.ZodType>(schema: Schema): z.ZodType<z.output<Schema> | null, z.input<Schema> | null> {
	return tolerant(schema.nullable(), (payload, context) => {
		if (!isBlank(payload.value)) return runOn(schema, payload, context)
		payload.value = null
		return payload
	})
}

/** What a broker may leave out, or write as in `maybe`: undefined. */
export function optional<Schema extends z.ZodType>(schema: Schema): z.ZodOptional<Schema> {
	const read: Read = (payload, context) => {
		if (!isBlank(payload.value)) return runOn(schema, payload, context)
		payload.value = undefined
		return payload
	}
	return tolerant(schema.optional(), read, { isOptional: true }) as unknown as z.ZodOptional<Schema>
}

/** Both: null or undefined. */
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
 * Fields that a row can do without: one that does not fit is null, shown as a dash, and left out of totals. Words that are not there are not
 * counted: no sum is less for them.
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

/** A list, with as many rows at most as the contract promises. A row that lacks what makes it a row is left out; more rows are no fault. */
export function rows<Row extends z.ZodType>(row: Row, most?: number): z.ZodType<z.output<Row>[], z.input<Row>[]> {
	const list = most === undefined ? z.array(row) : z.array(row).max(most)
	return tolerant(list, (payload, context, current) => {
		if (!Array.isArray(payload.value)) return run(list, payload.value, context)
		const before = { ...current }
		const read: unknown[] = []
		for (const value of payload.value as unknown[]) {
			const { cells: known } = current
			const result = run(row, value, context)
			if (result.issues.length === 0) read.push(result.value)
			else {
				current.cells = known
				count(current, 'rows', nameField(result.issues[0]?.path))
			}
		}
		const own = { rows: current.rows - before.rows, cells: current.cells - before.cells, reference: current.reference }
		if (own.rows > 0 || own.cells > 0) unread.set(read, own)
		payload.value = read
		return payload
	})
}

function nameField(path: readonly PropertyKey[] | undefined): string {
	return path?.filter((key) => typeof key === 'string').join('.') || 'row'
}
