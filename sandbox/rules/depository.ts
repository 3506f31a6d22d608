import { addDays, type Day, timeOfDay, toIndianDay } from '#contract/values/dates'
import { isTradingDay, lastTradingDay, nextTradingDay } from './calendar'
import { findSession } from './sessions'

/** Maximum securities for one code (e-DIS) or one pledge request. */
export const MAX_SECURITIES = 100

/** A verification is valid until this time of the trading day; one made later is valid for the next trading day (domain B-23). */
const EDIS_ENDS = '17:30'
/** Pledges go to the depository at 14:00 and 17:00. A pledge confirmed by 19:00 counts from the next trading day (domain B-23). */
const LAST_BATCH = '17:00'
const CONFIRM_BY = '19:00'

const inIndia = (day: Day, time: string) => new Date(`${day}T${time}:00+05:30`)

/** Today when it is a trading day and earlier than `time`, else the next trading day. */
function dayBefore(time: string, now: Date): Day {
	const day = toIndianDay(now)
	return isTradingDay(day) && timeOfDay(now).slice(0, 5) < time ? day : nextTradingDay(day)
}

/** On a Muhurat evening the market closes later than a verification ends on other days. */
function findEdisEnd(day: Day): string {
	const [, closes] = findSession('NSE_CASH', day)
	return closes > EDIS_ENDS ? closes : EDIS_ENDS
}

/** The moment until which a verification made now is valid. */
export function findVerificationEnd(now: Date): Date {
	const day = dayBefore(findEdisEnd(toIndianDay(now)), now)
	return inIndia(day, findEdisEnd(day))
}

/**
 * The deadlines of a pledge requested now: `askBy` ends the time for requests with the same deadlines, `confirmBy` is the deadline of
 * the confirmation, and from `marginFrom` on the pledge counts as margin.
 */
export function findPledgeDeadline(now: Date): { askBy: Date; confirmBy: Date; marginFrom: Day } {
	const day = dayBefore(LAST_BATCH, now)
	return { askBy: inIndia(day, LAST_BATCH), confirmBy: inIndia(day, CONFIRM_BY), marginFrom: nextTradingDay(day) }
}

/** Trade days whose sales may still be verified after the trade: today and the trading day before it, latest first. */
export function listPostTradeDays(day: Day): Day[] {
	return [...(isTradingDay(day) ? [day] : []), lastTradingDay(addDays(day, -1))]
}
