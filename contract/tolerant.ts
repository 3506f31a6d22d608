import { z } from 'zod/v4'

/*
 * The contract says exactly what a broker writes: the sandbox, its documentation and its tests are held to it. A reply that the portal reads
 * may still have a bad row or figure in it, and one of them must not take a page down. So the schemas made here are exact by themselves, and
 * tolerant while `startReading` reads: what does not fit is left out or is null, counted, and never a made-up value.
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
type Definition = z.core.$ZodNonOptionalDef & { read: (payload: Payload, context: Context, current: Reading) => Payload }

/** Exact as `innerType`, which is also what it is described as; while a reply is read, `read` decides. */
const Tolerant = z.core.$constructor<z.ZodType, Definition>('Tolerant', (schema, definition) => {
	z.ZodNonOptional.init(schema as z.ZodNonOptional, definition)
	const parse = schema._zod.parse
	schema._zod.parse = (payload, context) => (reading ? definition.read(payload, context, reading) : parse(payload, context))
})

function tolerant<Output, Input>(innerType: z.ZodType, read: Definition['read']): z.ZodType<Output, Input> {
	return new Tolerant({ type: 'nonoptional', innerType, read }) as z.ZodType<Output, Input>
}

/** Runs a schema on a part of what is being read. */
function run(schema: z.core.$ZodType, value: unknown, context: Context): Payload {
	const result = schema._zod.run({ value, issues: [] }, context)
	if (result instanceof Promise) throw new Error('The contract is read synchronously')
	return result
}

/** No text of a broker is longer; the screen shows less. */
const LONGEST = 10_000
const AnyText = z.string().max(LONGEST)
const readAnyText: Definition['read'] = (payload, context) => Object.assign(payload, run(AnyText, payload.value, context))

/** Text. Its length is the contract's promise and a matter of display. */
export function text(max: number, min = 0): z.ZodType<string, string> {
	return tolerant(z.string().min(min).max(max), readAnyText)
}

/** A code with a known list of values. A broker may have more: an unknown one is kept and shown as it is. */
export function word<Value extends string>(known: z.ZodType<Value, Value>): z.ZodType<string, Value> {
	return tolerant(known, readAnyText)
}

type Shape = Record<string, z.ZodType>
type Cells<Fields extends Shape> = { [Name in keyof Fields]: z.ZodType<z.output<Fields[Name]> | null, z.input<Fields[Name]>> }

/** Fields that a row can do without: one that does not fit is null, shown as a dash, and left out of totals. */
export function cells<Fields extends Shape>(fields: Fields): Cells<Fields> {
	const made = Object.entries(fields).map(([name, field]) => [
		name,
		tolerant(field, (payload, context, current) => {
			const result = run(field, payload.value, context)
			if (result.issues.length > 0) count(current, 'cells', name)
			payload.value = result.issues.length > 0 ? null : result.value
			return payload
		}),
	])
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
