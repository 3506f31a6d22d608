import { z } from 'zod/v4'

/*
 * Which fields a form may have. Names become paths into objects and arrays, so a hostile name costs far more than its length: conform makes
 * `a[40000000]` an array of that many items. These checks run before anything is built.
 */

const MAX_FIELDS = 500
/** More fields than a body of 100 KB can hold. For tables with a field in each row, whose length depends on the client's holdings. */
const MAX_ROW_FIELDS = 5000
const MAX_NAME = 100
const MAX_VALUE = 8192
const MAX_DEPTH = 4
/** An array index, in brackets or after a dot, has at most two digits. */
const LONG_INDEX = /^\d{3,}$/
/** Maximum rows of a list: no form of ours has as many. */
const MAX_ROWS = 20
/** Maximum items of all arrays together, empty ones included: 20 rows of 20 fields have 4,200. */
const MAX_ITEMS = 5000

/** Conform's own fields: a button that adds, removes or checks a row, and the state of the form. */
const INTENT = '__intent__'
const RESERVED = [INTENT, '__state__']

export type FieldRules = {
	/** The list of this form that conform's buttons change. Without it those buttons are ignored. */
	list?: string
	/** Names of the fields in each row of a table. Up to 5,000 of them are read. */
	rows?: RegExp
}

/** Whether a field may have this name: at most 100 characters, four levels, indices up to 99, and no name of a built-in property. */
export function isFieldName(name: string): boolean {
	if (name.length === 0 || name.length > MAX_NAME || RESERVED.includes(name)) return false
	const segments = readSegments(name)
	if (segments.length > MAX_DEPTH || segments.some((segment) => LONG_INDEX.test(segment))) return false
	// `a[0]=x&a.map=y` would replace a method of the array that it creates.
	return segments.every((segment, at) => !(segment in (at === 0 ? {} : [])))
}

/**
 * Whether the cost of reading this form is limited by its length. Deletes conform's own fields where the form has no button that sends
 * them. False for: a name that `isFieldName` refuses, more than 500 fields, arrays of more than 5,000 items together, a value that is a
 * file or over 8,192 characters, and a list with a wrong name or a change that no button of ours makes.
 */
export function checkFields(form: FormData, { list, rows }: FieldRules = {}): boolean {
	const intent = form.get(INTENT)
	for (const name of RESERVED) form.delete(name)

	let fields = 0
	let rowFields = 0
	let items = 0
	for (const [name, value] of form) {
		if (rows?.test(name)) rowFields++
		else fields++
		if (fields > MAX_FIELDS || rowFields > MAX_ROW_FIELDS) return false
		if (typeof value !== 'string' || value.length > MAX_VALUE || !isFieldName(name)) return false
		if (list !== undefined && readSegments(name)[0] === list && !isRow(name, list)) return false
		for (const segment of readSegments(name)) if (/^\d+$/.test(segment)) items += Number(segment) + 1
		if (items > MAX_ITEMS) return false
	}
	if (list === undefined || intent === null) return true
	if (!isListButton(list, intent)) return false
	form.append(INTENT, intent)
	return true
}

function readSegments(name: string): string[] {
	return name.split(/[.[\]]+/).filter((segment) => segment !== '')
}

/**
 * Whether the name is a row of the list, such as `list[3]`, or a field in one. Conform fails when it changes a list whose name was also
 * sent as a plain field or as an object.
 */
function isRow(name: string, list: string): boolean {
	const rest = name.slice(list.length)
	return name.startsWith(list) && /^\[\d+\](\.|$)/.test(rest) && Number.parseInt(rest.slice(1), 10) < MAX_ROWS
}

/** Whether a button of the list sends this: check a field in a row, remove a row, or add an empty one. */
function isListButton(list: string, intent: FormDataEntryValue): intent is string {
	if (typeof intent !== 'string' || intent.length > MAX_VALUE) return false
	const Button = z.discriminatedUnion('type', [
		z.strictObject({
			type: z.literal('validate'),
			payload: z.strictObject({ name: z.string().refine((name) => isFieldName(name) && isRow(name, list)) }),
		}),
		z.strictObject({
			type: z.literal('remove'),
			payload: z.strictObject({
				name: z.literal(list),
				index: z
					.int()
					.min(0)
					.max(MAX_ROWS - 1),
			}),
		}),
		z.strictObject({
			type: z.literal('insert'),
			payload: z.strictObject({ name: z.literal(list), defaultValue: z.strictObject({}).optional() }),
		}),
	])
	try {
		return Button.safeParse(JSON.parse(intent)).success
	} catch {
		return false
	}
}
