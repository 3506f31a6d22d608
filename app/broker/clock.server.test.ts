import { afterEach, describe, expect, test } from 'vitest'
import { addDays, toIndianDay } from '#contract/values/dates'
import { computeClockLead, recordBrokerTime, now, today } from './clock.server'

const OWN = new Date('2026-11-22T18:25:00Z')
const MINUTE_MS = 60_000

const saying = (date: string | undefined, day?: string) => ({ date, 'x-business-day': day })

afterEach(() => recordBrokerTime({}))

describe('the time at the broker', () => {
	test.each([
		['a clock ten minutes fast, over midnight in India', 'Sun, 22 Nov 2026 18:35:00 GMT', undefined, 10],
		['a clock ten minutes slow', 'Sun, 22 Nov 2026 18:15:00 GMT', undefined, -10],
		['a clock a day fast', 'Mon, 23 Nov 2026 18:25:00 GMT', undefined, 24 * 60],
		['a clock more than a day fast, which is ignored', 'Mon, 23 Nov 2026 18:26:00 GMT', undefined, 0],
		['a clock that begins in 1970', 'Thu, 01 Jan 1970 00:00:00 GMT', undefined, 0],
		['a broker that names its day: 40 days later', 'Fri, 01 Jan 2027 18:25:00 GMT', '2027-01-01', 40 * 24 * 60],
		['a broker that names another day than its clock', 'Fri, 01 Jan 2027 18:25:00 GMT', '2026-12-31', 0],
		['no time', undefined, undefined, 0],
		['an invalid time', 'yesterday', '2026-11-21', 0],
	])('with %s', (_, date, day, minutes) => {
		expect(computeClockLead(saying(date, day), OWN)).toBe(minutes * MINUTE_MS)
	})

	test('follows the last reply that had a date', () => {
		const later = new Date(Date.now() + 60 * 86_400_000)
		recordBrokerTime(saying(later.toUTCString(), toIndianDay(later)))
		expect(Math.abs(now().getTime() - later.getTime())).toBeLessThan(2000)
		recordBrokerTime({})
		expect(Math.abs(now().getTime() - later.getTime())).toBeLessThan(2000)
		recordBrokerTime({ date: new Date().toUTCString() })
		expect(Math.abs(now().getTime() - Date.now())).toBeLessThan(2000)
		expect([toIndianDay(), addDays(toIndianDay(), -1)]).toContain(today())
	})
})
