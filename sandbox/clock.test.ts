import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { timeOfDay, toIndianDay } from '#contract/values/dates'
import { createSandbox } from './app'
import { createClock, resumeClock } from './clock'
import { type Books, openBooks } from './db/open'
import { seedBooks } from './db/seed/seed'
import { readSettings } from './settings'
import { type Clock } from './types'

const HOUR_MS = 3_600_000

let books: Books
beforeAll(async () => {
	books = await openBooks()
})
afterAll(() => books.close())

/** Starts on the books as main.ts does, at the given real time. Only with NEW001, whose books are made quickly. */
async function start(real: string, startsOn?: string) {
	let now = new Date(real).getTime()
	const { clock, booksDay, keep } = await resumeClock(books, startsOn, () => new Date(now))
	const isMade = await seedBooks(books, { seed: 'clock', today: booksDay, personas: ['NEW001'] })
	await keep()
	const app = createSandbox({ books, clock, settings: readSettings({ LOG_LEVEL: 'silent' }) })
	return {
		app,
		isMade,
		wait: (ms: number) => void (now += ms),
		tell: async () => {
			const { headers } = await app.request('/control/clock')
			return [headers.get('date'), headers.get('x-business-day')]
		},
		advance: (days: number) =>
			app.request('http://localhost/control/clock', {
				method: 'POST',
				headers: { 'content-type': 'application/json' },
				body: JSON.stringify({ days }),
			}),
	}
}

describe('the clock', () => {
	test('shows the given time of day, or the real one', () => {
		const at = ({ now }: Clock) => `${toIndianDay(now())} ${timeOfDay(now())}`
		const real = () => new Date('2030-01-01T18:29:00Z')
		expect(at(createClock('2026-11-20T11:00', real))).toBe('2026-11-20 11:00:00')
		expect(at(createClock('2026-11-20', real))).toBe('2026-11-20 23:59:00')
	})

	test('is in every response, moved or not, and continues after a restart, with the same books', async () => {
		const first = await start('2026-11-22T06:00:00Z')
		expect(first.isMade).toBe(true)
		// 11:30 in India. At 23:30 it is still the 22nd there, an hour later it is not.
		expect(await first.tell()).toEqual(['Sun, 22 Nov 2026 06:00:00 GMT', '2026-11-22'])
		first.wait(12 * HOUR_MS)
		expect(await first.tell()).toEqual(['Sun, 22 Nov 2026 18:00:00 GMT', '2026-11-22'])
		first.wait(HOUR_MS)
		expect(await first.tell()).toEqual(['Sun, 22 Nov 2026 19:00:00 GMT', '2026-11-23'])
		await first.advance(40)
		expect(await first.tell()).toEqual(['Fri, 01 Jan 2027 19:00:00 GMT', '2027-01-02'])
		const again = await start('2026-11-22T20:00:00Z')
		expect([again.isMade, await again.tell()]).toEqual([false, ['Fri, 01 Jan 2027 20:00:00 GMT', '2027-01-02']])
		// A clock that was moved continues after a real midnight too, because the events in the books have happened.
		const nextDay = await start('2026-11-23T20:00:00Z')
		expect([nextDay.isMade, await nextDay.tell()]).toEqual([false, ['Sat, 02 Jan 2027 20:00:00 GMT', '2027-01-03']])
	})

	test('continues after a restart from a day that was set, and does not begin that day again', async () => {
		const first = await start('2026-11-24T05:30:00Z', '2026-11-20T11:00')
		expect([first.isMade, await first.tell()]).toEqual([true, ['Fri, 20 Nov 2026 05:30:00 GMT', '2026-11-20']])
		const later = await start('2026-11-26T06:30:00Z', '2026-11-20T11:00')
		expect([later.isMade, await later.tell()]).toEqual([false, ['Sun, 22 Nov 2026 06:30:00 GMT', '2026-11-22']])
		// When it is set to another day, it starts on that day.
		const other = await start('2026-11-26T06:30:00Z', '2026-11-23')
		expect([other.isMade, await other.tell()]).toEqual([true, ['Mon, 23 Nov 2026 06:30:00 GMT', '2026-11-23']])
	})

	test('begins a new day with new books when it was never moved', async () => {
		expect((await start('2026-11-26T06:30:00Z')).isMade).toBe(true)
		expect((await start('2026-11-26T16:30:00Z')).isMade).toBe(false)
		const next = await start('2026-11-27T06:30:00Z')
		expect([next.isMade, await next.tell()]).toEqual([true, ['Fri, 27 Nov 2026 06:30:00 GMT', '2026-11-27']])
	})

	test('makes new books when the market opens, so that no trade of a fresh book is of a day that has not begun', async () => {
		const open = async (real: string, startsOn?: string) => {
			const { booksDay } = await resumeClock(books, startsOn, () => new Date(real))
			return booksDay
		}
		// 03:48, 09:14 and 09:15 in India, on Friday 4 December 2026.
		expect(await open('2026-12-03T22:18:00Z')).toBe('2026-12-03')
		expect(await open('2026-12-04T03:44:00Z')).toBe('2026-12-03')
		expect(await open('2026-12-04T03:45:00Z')).toBe('2026-12-04')
		// A day that was set is that day at every hour; a time that was set counts.
		expect(await open('2026-12-03T22:18:00Z', '2026-11-20')).toBe('2026-11-20')
		expect(await open('2026-12-03T22:18:00Z', '2026-11-20T09:14')).toBe('2026-11-19')
	})

	test('is the same for all processes on the same books', async () => {
		const [one, two] = [await start('2026-11-27T06:30:00Z'), await start('2026-11-27T06:30:00Z')]
		await one.advance(3)
		expect(await two.tell()).toEqual(['Mon, 30 Nov 2026 06:30:00 GMT', '2026-11-30'])
	})
})
