import { type Day, MONTHS, toIndianDay } from './values/dates'
import { isDay } from './values/typed-day'

/*
 * Readers for numbers, days and moments that a broker writes in another form than the contract. Each returns undefined for text with more
 * than one meaning: a wrong figure is worse than none.
 */

const NOT_THERE = new Set(['', '-', '--', '—', '–', '.', 'na', 'n/a', 'n.a.', 'nil', 'null', 'none', '0000-00-00'])
const LONGEST_BLANK = 10

/** True for null, and for the words that brokers write for an empty value. */
export function isBlank(value: unknown): boolean {
	if (value === null || value === undefined) return true
	return typeof value === 'string' && value.length <= LONGEST_BLANK && NOT_THERE.has(value.trim().toLowerCase())
}

/** What SQL Server, spreadsheets and .NET write for a day that was never set. */
const NEVER_SET = new Set<unknown>(['1900-01-01', '1899-12-30', '1899-12-31', '0001-01-01'])

/** True for a day that stands for none, where a day may be missing. */
export const isNoDay = (value: unknown): boolean => NEVER_SET.has(value)

/** One thousand as 1000, 1,000 or 1,00,000: commas separate groups of three digits, or groups of two with a last group of three. */
const DIGITS = String.raw`(?:\d+|\d{1,3}(?:,\d{3})+|\d{1,2}(?:,\d{2})*,\d{3})?(?:\.\d*)?(?:E[+-]?\d{1,2})?`
const CURRENCY = String.raw`(?:₹|RS\.?|INR)?`
const FIGURE = new RegExp(String.raw`^(\()?([+-])?${CURRENCY}([+-])?(${DIGITS})(?:/-)?(-)?(\))?(CR\.?|DR\.?)?$`)
/** The longest figure that a broker writes. */
const LONGEST_FIGURE = 40

type Figure = { value: number; side?: 'CR' | 'DR' }

function parseFigure(text: string): Figure | undefined {
	if (text.length > LONGEST_FIGURE) return undefined
	const plain = text
		.replace(/[\s\u00A0\u200E\u200F]/g, '')
		.replace(/−/g, '-')
		.toUpperCase()
	const [, opening, first, second, digits = '', last, closing, side] = FIGURE.exec(plain) ?? []
	if (!/\d/.test(digits) || /^E/.test(digits)) return undefined
	const signs = [opening && closing && '-', first, second, last].filter((sign) => sign)
	if (!opening !== !closing || signs.length > 1 || (side && signs.length > 0)) return undefined
	const value = Number(digits.replaceAll(',', ''))
	if (!Number.isFinite(value)) return undefined
	return { value: signs[0] === '-' && value !== 0 ? -value : value, side: side?.startsWith('CR') ? 'CR' : side ? 'DR' : undefined }
}

/** `1,23,456.78`, `₹ 1,000`, `-500`, `500-` and `(500.00)` as a number. Undefined for text with Cr or Dr, because this is not a balance. */
export function readFigure(text: string): number | undefined {
	const figure = parseFigure(text)
	return figure?.side ? undefined : figure?.value
}

/** A balance: `500.00 Cr` is 500 and `500.00 Dr` is -500. Undefined for a sign together with Cr or Dr. */
export function readBalance(text: string): number | undefined {
	const figure = parseFigure(text)
	return figure?.side === 'DR' && figure.value !== 0 ? -figure.value : figure?.value
}

/** An amount in the column of one side, which may name that side: `500.00 Dr` among the debits. Undefined with the other side. */
export const readOfSide =
	(own: 'CR' | 'DR') =>
	(text: string): number | undefined => {
		const figure = parseFigure(text)
		return figure?.side && figure.side !== own ? undefined : figure?.value
	}

/** `12.5 %` as 12.5. */
export function readPercent(text: string): number | undefined {
	// The expression takes the square of a text's blanks.
	return text.length > LONGEST_FIGURE ? undefined : readFigure(text.replace(/\s*%\s*$/, ''))
}

const YEAR_FIRST = /^(\d{4})([-/.]?)(\d{2})\2(\d{2})(?=$|[T\s])/
const DAY_FIRST = /^(\d{1,2})([-/.\s])(\d{1,2}|[A-Z]{3,9})\2(\d{4})(?=$|[T\s])/
/** `17:30`, `17:30:05.123`, `05:30 PM`, each with a zone or without one. */
const TIME = /^(?:T|\s+)(\d{1,2}):(\d{2})(?::(\d{2})(?:[.,]\d{1,9})?)?(?:\s*(AM|PM))?\s*(Z|[+-]\d{2}:?\d{2})?$/
const LONGEST_MOMENT = 40

/** For a time without a zone: brokers write the time in India. */
const INDIA = '+05:30'

type Parsed = { day: Day; time?: string; zone?: string }

function parseMoment(text: string): Parsed | undefined {
	if (text.length > LONGEST_MOMENT) return undefined
	const plain = text.trim().toUpperCase()
	const [found, day] = matchDay(plain)
	if (found === undefined || day === undefined || !isDay(day)) return undefined
	const rest = plain.slice(found.length)
	if (rest === '') return { day }
	const [, hours = '', minutes = '', seconds = '00', half, zone] = TIME.exec(rest) ?? []
	if (hours === '' || Number(minutes) > 59 || Number(seconds) > 59) return undefined
	const hour = half === undefined ? Number(hours) : (Number(hours) % 12) + (half === 'PM' ? 12 : 0)
	if (hour > 23 || (half !== undefined && (Number(hours) < 1 || Number(hours) > 12))) return undefined
	return { day, time: `${String(hour).padStart(2, '0')}:${minutes}:${seconds}`, zone: zone?.replace(/^(...)(\d\d)$/, '$1:$2') }
}

function matchDay(text: string): [] | [string, Day] {
	const [first, year, , month, day] = YEAR_FIRST.exec(text) ?? []
	if (first !== undefined) return [first, `${year}-${month}-${day}`]
	const [found, date = '', , name = '', itsYear] = DAY_FIRST.exec(text) ?? []
	if (found === undefined) return []
	const number = /\d/.test(name) ? name : String(MONTHS.indexOf(name.slice(0, 3)) + 1)
	return [found, `${itsYear}-${number.padStart(2, '0')}-${date.padStart(2, '0')}`]
}

/**
 * `31/03/2025`, `31-03-2025`, `31-Mar-2025` and `2025-03-31`, with or without a time, as an ISO day. A time with a zone gives the day in
 * India. Undefined for a year of two digits, and for a month before the day.
 */
export function readDay(text: string): Day | undefined {
	const parsed = parseMoment(text)
	if (!parsed?.zone) return parsed?.day
	return toIndianDay(new Date(`${parsed.day}T${parsed.time}${parsed.zone}`))
}

/** A day with its time, in India unless a zone is given, as ISO text in UTC. Undefined for a day without a time. */
export function readMoment(text: string): string | undefined {
	const parsed = parseMoment(text)
	if (!parsed?.time) return undefined
	return new Date(`${parsed.day}T${parsed.time}${parsed.zone ?? INDIA}`).toISOString()
}

const FLAGS = new Map<unknown, boolean>([
	[1, true],
	[0, false],
	...['true', 'yes', 'y', '1'].map((word) => [word, true] as const),
	...['false', 'no', 'n', '0'].map((word) => [word, false] as const),
])

/** `Y`, `true` and 1 as true, `N`, `false` and 0 as false. */
export function readFlag(value: unknown): boolean | undefined {
	return FLAGS.get(typeof value === 'string' ? value.trim().toLowerCase() : value)
}
