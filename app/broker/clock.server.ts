import { BUSINESS_DAY } from '#contract/common'
import { type Day, toIndianDay } from '#contract/values/dates'
import { forgetAllReports } from './replies.server'

/*
 * The broker's time. Reports are of the broker's day, so the portal uses that day for requests and for words such as today and late.
 * Sessions, rate limits and timeouts use the portal's own clock.
 */

const DAY_MS = 86_400_000

/**
 * How far the broker's clock is ahead of ours, in milliseconds, by its last reply; 0 before the first reply and while its date is not
 * credible.
 */
let aheadMs = 0

/**
 * How far a broker is ahead, in milliseconds, by the headers of a reply. Its `Date` counts only within a day of the portal's time: a clock
 * that is years off must not break every page. A broker that really lives on another day (a sandbox) names that day in a header.
 */
export function computeClockLead(headers: Headers, own: Date): number {
	const said = new Date(headers.get('date') ?? '')
	const ahead = said.getTime() - own.getTime()
	if (Number.isNaN(ahead)) return 0
	return Math.abs(ahead) <= DAY_MS || headers.get(BUSINESS_DAY) === toIndianDay(said) ? ahead : 0
}

/** Takes the time from a reply of the broker; a reply without `Date` changes nothing. A new day clears all cached replies. */
export function recordBrokerTime(headers: Headers): void {
	if (!headers.has('date')) return
	const before = today()
	aheadMs = computeClockLead(headers, new Date())
	if (today() !== before) forgetAllReports()
}

/** A moment of our own clock, in milliseconds since 1970, as the broker's clock shows it. */
export function toBrokersTime(ownMs: number): Date {
	return new Date(ownMs + aheadMs)
}

/** The current time at the broker. */
export function now(): Date {
	return toBrokersTime(Date.now())
}

/** The current day in India at the broker. */
export function today(): Day {
	return toIndianDay(now())
}
