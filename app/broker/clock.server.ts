import { BUSINESS_DAY } from '#contract/common'
import { type Day, toIndianDay } from '#contract/values/dates'
import { forgetAllReports } from './replies.server'

/*
 * The broker's time. Its answers are of its day, so what the portal asks for and calls today, late or current goes by that day too. Sessions,
 * limits and waits are the portal's own and go by its own clock.
 */

const DAY_MS = 86_400_000

/** How far the broker's clock is ahead of ours, as its last answer said; 0 until there was one, and while it says nothing to believe. */
let aheadMs = 0

/**
 * How far a broker is ahead by an answer's headers, in milliseconds. Its `Date` counts within a day of the portal's own time: clocks are not
 * exact, and one that is years off must not take every page with it. A broker whose day is really another (a sandbox) names that day beside it.
 */
export function aheadBy(headers: Headers, own: Date): number {
	const said = new Date(headers.get('date') ?? '')
	const ahead = said.getTime() - own.getTime()
	if (Number.isNaN(ahead)) return 0
	return Math.abs(ahead) <= DAY_MS || headers.get(BUSINESS_DAY) === toIndianDay(said) ? ahead : 0
}

/** Takes the time from an answer of the broker; one without `Date` tells nothing. What it told on another day is kept for nobody. */
export function hearTime(headers: Headers): void {
	if (!headers.has('date')) return
	const before = today()
	aheadMs = aheadBy(headers, new Date())
	if (today() !== before) forgetAllReports()
}

/** The time at the broker. */
export function now(): Date {
	return new Date(Date.now() + aheadMs)
}

/** The day it is in India, at the broker. */
export function today(): Day {
	return toIndianDay(now())
}
