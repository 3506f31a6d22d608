import { addDays, type Day, toIndianDay } from '#contract/values/dates'
import { isNormalSession } from '#sandbox/rules/calendar'

/** The broker's day in tests is the last normal session, because bids and batches depend on days and hours. */
export const BROKERS_DAY = lastSession(toIndianDay())

/** The time at which its clock starts: 11:00, when everything is open. */
export const BROKERS_CLOCK = `${BROKERS_DAY}T11:00`

function lastSession(day: Day): Day {
	return isNormalSession(day) ? day : lastSession(addDays(day, -1))
}
