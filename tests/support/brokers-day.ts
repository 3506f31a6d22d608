import { addDays, type Day, toIndianDay } from '#contract/values/dates'
import { isNormalSession } from '#sandbox/rules/calendar'

/** The broker's day in tests: the last normal session. Bids and batches have hours and days, and tests run on any. */
export const BROKERS_DAY = lastSession(toIndianDay())

/** What its clock is started with: eleven in the morning, when everything is open. */
export const BROKERS_CLOCK = `${BROKERS_DAY}T11:00`

function lastSession(day: Day): Day {
	return isNormalSession(day) ? day : lastSession(addDays(day, -1))
}
