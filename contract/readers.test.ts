import { describe, expect, test } from 'vitest'
import { z } from 'zod/v4'
import { isBlank, readBalance, readDay, readFigure, readFlag, readMoment, readPercent } from './readers'
import { rows, startReading, unreadIn } from './tolerant'

describe('a figure', () => {
	test.each([
		['1,23,456.78', 123456.78],
		['1,234,567', 1234567],
		['123456.78', 123456.78],
		[' ₹ 1,000 ', 1000],
		['Rs. 1,000.50', 1000.5],
		['INR 7', 7],
		['₹\u00A01,000/-', 1000],
		['-500', -500],
		['−500.00', -500],
		['-₹ 500', -500],
		['₹ -500', -500],
		['500.00-', -500],
		['(500.00)', -500],
		['(₹ 1,500.00)', -1500],
		['+12.5', 12.5],
		['.5', 0.5],
		['12.', 12],
		['1.2345E7', 12345000],
		['-0.00', 0],
	])('%s is %d', (text, value) => expect(readFigure(text)).toBe(value))

	test.each([
		'',
		'-',
		'abc',
		'1,23',
		'12,34',
		'1.234,56',
		'1,2345',
		'1 000x',
		'(500',
		'500)',
		'-(500)',
		'--5',
		'5 Cr',
		'1.2.3',
		'E5',
		'.',
		'₹',
		'0x10',
		'Infinity',
	])('%j is not read as a figure', (text) => expect(readFigure(text)).toBeUndefined())
})

test('a balance may have a side or a sign, but not both', () => {
	expect(['500.00 Cr', '500.00Dr', '1,000 DR.', '₹ 5 cr', '-5', '0.00 Dr', '5'].map(readBalance)).toEqual([500, -500, -1000, 5, -5, 0, 5])
	for (const unclear of ['-500 Dr', '(500) Cr', '500 C', 'Cr']) expect(readBalance(unclear)).toBeUndefined()
})

test('a share may have its sign', () => {
	expect(['12.5 %', '12.5%', '-3'].map(readPercent)).toEqual([12.5, 12.5, -3])
})

describe('a day', () => {
	test.each([
		'2025-03-31',
		'31/03/2025',
		'31-03-2025',
		'31.03.2025',
		'31-Mar-2025',
		'31 March 2025',
		'31-MAR-2025 00:00:00',
		'20250331',
		'2025/03/31',
		'2025-03-31T00:00:00',
		'2025-03-31T00:00:00.000Z',
		'2025-03-31 23:59:59',
		// Midnight in India, written in UTC.
		'2025-03-30T18:30:00Z',
		'2025-03-31T00:00:00+0530',
		'31/03/2025 05:30 PM',
	])('%s is 31 March 2025', (text) => expect(readDay(text)).toBe('2025-03-31'))

	test.each([
		'',
		'-',
		'30/02/2025',
		'03/31/2025',
		'31/03/25',
		'31-Xyz-2025',
		'2025-13-01',
		'2025-3-1',
		'2025',
		'1743379200',
		'2025-03-31T25:00',
		'2025-03-31 soon',
		'31/03-2025',
	])('%j is not a day', (text) => expect(readDay(text)).toBeUndefined())

	test('may be written with one digit', () => expect(readDay('1/4/2025')).toBe('2025-04-01'))
})

test('a moment without a zone is Indian time, and a day alone is not a moment', () => {
	expect(readMoment('23/11/2026 17:30:00')).toBe('2026-11-23T12:00:00.000Z')
	expect(readMoment('23-Nov-2026 05:30 PM')).toBe('2026-11-23T12:00:00.000Z')
	expect(readMoment('2026-11-23T12:00:00+00:00')).toBe('2026-11-23T12:00:00.000Z')
	expect(readMoment('23/11/2026 12:15 AM')).toBe('2026-11-22T18:45:00.000Z')
	for (const none of ['2026-11-23', '23/11/2026 13:00 PM', '23/11/2026 24:00', '']) expect(readMoment(none)).toBeUndefined()
})

test('null, blank, a dash and NA mean no value', () => {
	for (const blank of [null, undefined, '', ' ', '-', 'NA', 'n/a', 'N.A.', 'NULL']) expect(isBlank(blank)).toBe(true)
	for (const blank of ['.', '0000-00-00']) expect(isBlank(blank)).toBe(true)
	for (const value of [0, false, '0', 'NAVA', 'x', '1900-01-01']) expect(isBlank(value)).toBe(false)
})

test('a flag may be a letter, a word or a number', () => {
	expect(['Y', 'n', 'TRUE', 'false', 1, 0, '1'].map(readFlag)).toEqual([true, false, true, false, true, false, true])
	for (const none of ['maybe', 2, null, '']) expect(readFlag(none)).toBeUndefined()
})

test('ten times the rows that the contract allows are read, and the others are counted', () => {
	const reading = startReading('R-1')
	const { data } = reading.safeParse(
		rows(z.number(), 3),
		Array.from({ length: 35 }, (_, n) => n),
	)
	expect(data).toEqual(Array.from({ length: 30 }, (_, n) => n))
	expect(reading.finish(data)).toEqual({ count: 5, fields: { 'too many': 5 } })
	expect(unreadIn(data as object)).toEqual({ rows: 5, cells: 0, reference: 'R-1' })
})
