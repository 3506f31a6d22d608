import { z } from 'zod/v4'
import { isBlank } from './readers'
import { bent, fail, type Read, tolerant } from './tolerant'

/* Texts, codes and names of a response. Exact on their own, tolerant while a response is read: see tolerant.ts. */

/** Maximum length of a broker's text; the screen shows less. */
const LONGEST = 10_000

/**
 * Marks that turn the direction of a text: a payer's name with one could draw the words and figures beside it backwards. And halves of a
 * character, which no address can contain.
 */
const UNFIT = /[\u202A-\u202E\u2066-\u2069\p{Cs}]/gu

/** Text without these and without blanks around it, a whole number as its digits, null as empty text. Undefined for anything else. */
function bendText(value: unknown): string | undefined {
	if (typeof value === 'string') return value.length <= LONGEST ? value.replace(UNFIT, '').trim() : undefined
	if (value === null) return ''
	return Number.isSafeInteger(value) ? String(value) : undefined
}

/** Text that only says that there is none, such as NA, is empty. */
const toEmpty = (text: string) => (isBlank(text) ? '' : text)

const readText =
	(exact: z.ZodType, bend = toEmpty): Read =>
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

/** The name of a person, which may be Nil. */
export function personName(max: number): z.ZodType<string, string> {
	const exact = z.string().max(max)
	return tolerant(
		exact,
		readText(exact, (name) => (/^nil$/i.test(name) ? name : toEmpty(name))),
		{ isWords: true },
	)
}

/** Text of capitals and digits. Brokers also write small letters, blanks between, and the apostrophe that a spreadsheet puts before digits. */
export function capitals(max: number, min = 0): z.ZodType<string, string> {
	const exact = z.string().min(min).max(max)
	return tolerant(exact, readText(exact, toCapitals), { isWords: true })
}

const toCapitals = (code: string) => toEmpty(code).replace(/[\s']/g, '').toUpperCase()

/**
 * A code from a known list. The portal keeps and shows an unknown code; an absent code is empty. `others`: what brokers write in place of
 * a code, in small letters.
 */
export function word<Value extends string>(known: z.ZodType<Value, Value>, others: Record<string, Value> = {}): z.ZodType<string, Value> {
	const values = known._zod.values ?? new Set<z.core.util.Primitive>()
	const byName = new Map<string, string>([...values].map((value) => [String(value).toLowerCase(), String(value)]))
	for (const [name, value] of Object.entries(others)) byName.set(name, value)
	const bend = (code: string) => {
		if (values.has(code)) return code
		return byName.get(code.toLowerCase()) ?? toEmpty(code)
	}
	const read = readText(known, bend)
	return tolerant<string, Value>(
		known,
		(payload, context, current) => {
			// Of some codes brokers keep a flag.
			if (typeof payload.value === 'boolean' && byName.has(String(payload.value))) payload.value = String(payload.value)
			return read(payload, context, current)
		},
		{ isWords: true },
	)
}

/**
 * A name, such as an ISIN, in a form that the contract requires. The portal keeps a name of another form unless `isWrong` rejects it. A
 * row without its name is left out.
 */
export function id(exact: z.ZodType<string, string>, isWrong: (name: string) => boolean = () => false): z.ZodType<string, string> {
	return bent(exact, (value) => {
		const name = bendText(value)
		return !name || isBlank(name) || isWrong(name) ? undefined : name
	})
}

/** Like `id`, for a name of capitals. */
export function idOfCapitals(exact: z.ZodType<string, string>): z.ZodType<string, string> {
	return bent(exact, (value) => toCapitals(bendText(value) ?? '') || undefined)
}

/** Like `id`, for a row that has another name too: empty when the field is blank. */
export function idOrNone(exact: z.ZodType<string, string>): z.ZodType<string, string> {
	return bent(exact, (value) => {
		const name = bendText(value)
		return name && toEmpty(name)
	})
}
