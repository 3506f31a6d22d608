import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type z } from 'zod/v4'
import { OPTIONAL_OPERATIONS, REQUIRED_OPERATIONS } from '#contract/operations'
import { startReading } from '#contract/tolerant'
import { createOperationFinder } from '#sandbox/api/describe-operation'
import { type Books, openBooks } from '#sandbox/db/open'
import { createTestSandbox } from '#sandbox/testing/sandbox'
import { type Example } from '#scripts/broker-examples/shorten'

/*
 * The recorded reply of every operation, with one value at a time in another spelling, or unreadable. Another spelling reads as the same
 * value. An unreadable value becomes empty, or its row is left out. It never becomes another figure, and nothing else changes.
 */

let books: Books
const schemas = new Map<string, z.ZodType>()
beforeAll(async () => {
	books = await openBooks()
	const findOperation = createOperationFinder(createTestSandbox(books).app)
	for (const { id, method, path } of OPERATIONS) {
		const schema = findOperation(method, path)?.data
		if (schema) schemas.set(id, schema)
	}
})
afterAll(() => books.close())

const OPERATIONS = [...REQUIRED_OPERATIONS, ...OPTIONAL_OPERATIONS]
const REPLIES = OPERATIONS.flatMap(({ id }) => {
	const examples = JSON.parse(readFileSync(`docs/broker-examples/${id}.json`, 'utf8')) as Example[]
	const datas = examples.flatMap(({ reply }) => (reply.status === 200 && reply.body ? [(reply.body as { data?: unknown }).data] : []))
	return datas.filter((data) => typeof data === 'object' && data !== null).map((data) => ({ id, data }))
})

type Path = readonly (string | number)[]

function* walk(value: unknown, path: Path = []): Generator<{ path: Path; value: unknown }> {
	if (typeof value !== 'object' || value === null) return yield { path, value }
	for (const [key, each] of Object.entries(value)) yield* walk(each, [...path, Array.isArray(value) ? Number(key) : key])
}

function change(data: unknown, path: Path, value: unknown): unknown {
	const changed = structuredClone(data)
	let place = changed as Record<string | number, unknown>
	for (const key of path.slice(0, -1)) place = place[key] as typeof place
	place[path.at(-1) ?? ''] = value
	return changed
}

function read(id: string, data: unknown) {
	const reading = startReading('r')
	const { success, data: value } = reading.safeParse(schemas.get(id) as z.ZodType, data)
	return { success, value, count: reading.finish(value)?.count ?? 0 }
}

/** Figures that no page needs: they are not counted when they cannot be read. */
const SPARE = new Set<string | number | undefined>([
	'DIFFERENCE',
	'LONG_TERM_QTY',
	'MARGIN_PCT',
	'MTF_QTY',
	'STRIKE',
	'exempt_limit',
	'expires_in',
	'max_banks',
	'resend_in',
])

/** Codes that are read in capitals, and without blanks. */
const CAPITALS = /(^|\.)(company_code|bank_acno|ifsc_code_act|category|categories\.\d+(\.code)?)$/

/** The paths at which two values differ. */
function* differ(one: unknown, other: unknown, path: Path = []): Generator<Path> {
	const areObjects = [one, other].every((each) => typeof each === 'object' && each !== null)
	if (!areObjects) return Object.is(one, other) ? undefined : yield path
	const [a, b] = [one, other] as Record<string, unknown>[]
	for (const key of new Set([...Object.keys(a ?? {}), ...Object.keys(b ?? {})])) yield* differ(a?.[key], b?.[key], [...path, key])
}

const grouped = new Intl.NumberFormat('en-IN', { maximumFractionDigits: 4 })
const DAY = /^(\d{4})-(\d\d)-(\d\d)$/
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']

/** The other ways in which brokers write a value. */
function listSpellings(value: unknown): unknown[] {
	if (typeof value === 'number') {
		const plain = grouped.format(Math.abs(value))
		return value < 0 ? [`-${plain}`, `(${plain})`, `−₹ ${plain}`] : [plain, `₹ ${plain}`, String(value)]
	}
	if (typeof value === 'boolean') return [value ? 'Y' : 'N', value ? 1 : 0]
	if (value === null) return ['', '-', 'NA', 'N/A']
	const [, year, month, day] = DAY.exec(String(value)) ?? []
	return day
		? [`${day}/${month}/${year}`, `${day}-${month}-${year}`, `${day}-${MONTHS[Number(month) - 1]}-${year}`, `${value}T00:00:00`]
		: []
}

describe.for(REPLIES.map(({ id, data }, index) => [`${id} (${index})`, id, data] as const))('%s', ([, id, data]) => {
	const leaves = [...walk(data)]

	test('reads each value the same in other spellings', () => {
		const plain = read(id, data)
		expect(plain).toMatchObject({ success: true, count: 0 })
		for (const { path, value } of leaves) {
			for (const spelling of listSpellings(value))
				expect([path, spelling, read(id, change(data, path, spelling))]).toEqual([path, spelling, plain])
		}
	})

	test('leaves out an unreadable figure or day, or its row, and changes nothing else', () => {
		const plain = read(id, data)
		for (const { path, value } of leaves) {
			if (typeof value !== 'number' && !DAY.test(String(value))) continue
			const odd = read(id, change(data, path, 'PRIVATE-VALUE'))
			if (!odd.success) expect(path.join('.'), 'a row made the whole reply unreadable').not.toMatch(/\d/)
			else {
				// Brokers mask dates of birth, so a masked date is a dash without a notice. The portal adds up the rows by itself.
				const isCounted = typeof value === 'number' && path[0] !== 'totals_df' && !SPARE.has(path.at(-1))
				expect([isCounted ? 1 : 0, 1], path.join('.')).toContain(odd.count)
				expect(isEmptied(plain.value, odd.value, path) || hasLost(plain.value, odd.value, path), path.join('.')).toBe(true)
			}
		}
	})

	test('keeps an unknown word, or leaves out its row, and changes nothing else', () => {
		const plain = read(id, data)
		for (const { path, value } of leaves) {
			if (typeof value !== 'string' || /^\d{4}-\d\d-\d\d/.test(value)) continue
			const unknown = CAPITALS.test(path.join('.')) ? 'BRAND_NEW' : 'Brand new'
			const odd = read(id, change(data, path, unknown))
			if (!odd.success) expect(path.join('.'), 'a row made the whole reply unreadable').not.toMatch(/\d/)
			else {
				const changed = [...differ(plain.value, odd.value)].map((place) => place.join('.'))
				const isKept = pick(odd.value, path) === unknown && changed.join() === path.join('.')
				expect(isKept || isEmptied(plain.value, odd.value, path) || hasLost(plain.value, odd.value, path), path.join('.')).toBe(true)
			}
		}
	})
})

const pick = (value: unknown, path: Path) => path.reduce<unknown>((at, key) => (at as Record<string, unknown> | undefined)?.[key], value)

/** True when the only difference is a missing row that contains the value. */
function hasLost(plain: unknown, odd: unknown, path: Path): boolean {
	return path.some((key, at) => {
		if (typeof key !== 'number') return false
		const without = structuredClone(plain)
		;(pick(without, path.slice(0, at)) as unknown[]).splice(key, 1)
		return [...differ(without, odd)].length === 0
	})
}

/** True when the only difference is an empty value, or an empty list around it, when the list is useful only with all its figures. */
function isEmptied(plain: unknown, odd: unknown, path: Path): boolean {
	const [place = [], ...others] = differ(plain, odd)
	return others.length === 0 && path.join('.').startsWith(place.join('.')) && (pick(odd, place) ?? null) === null
}
