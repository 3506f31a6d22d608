import { BUSINESS_DAY } from '#contract/common'
import { type Day, toIndianDay } from '#contract/values/dates'
import { formatDeadline } from '#contract/values/moments'
import { forgetAllReports } from './replies.server'
import { type Reply } from './wire.server'

/*
 * The broker's time. Reports use the broker's day, so the portal also uses that day for requests and for words such as "today" and
 * "late". Sessions, rate limits and timeouts use the portal's own clock.
 */

const DAY_MS = 86_400_000

/**
 * How far the broker's clock is ahead of ours, in milliseconds, by its last reply; 0 before the first reply and while its date is not
 * credible.
 */
let aheadMs = 0

/**
 * How far the broker's clock is ahead of `own`, in milliseconds, from the headers of a reply; negative when it is behind. Returns 0 when
 * the reply has no `Date`, or when it differs from `own` by more than a day: a clock that is years wrong must not break every page. A
 * sandbox that runs on another day names that day in a header (BUSINESS_DAY); then a `Date` on that day counts too.
 */
export function computeClockLead(headers: Reply['headers'], own: Date): number {
	const said = new Date(String(headers.date))
	const ahead = said.getTime() - own.getTime()
	if (Number.isNaN(ahead)) return 0
	return Math.abs(ahead) <= DAY_MS || headers[BUSINESS_DAY] === toIndianDay(said) ? ahead : 0
}

/** Takes the time from a reply of the broker; a reply without `Date` changes nothing. A new day clears all cached replies. */
export function recordBrokerTime(headers: Reply['headers']): void {
	if (headers.date === undefined) return
	const before = today()
	aheadMs = computeClockLead(headers, new Date())
	if (today() !== before) forgetAllReports()
}

/** Converts a time of the portal's clock (milliseconds since 1970) to the broker's clock. */
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

/** `by 17:00 today`, or `was due by 17:00 today` after it. */
export function tellDue(deadline: Date | string, at = now()): string {
	const due = new Date(deadline)
	return `${due < at ? 'was due by' : 'by'} ${formatDeadline(due, at)}`
}

/** A deadline in words, by the broker's clock: `17:00 today`. See `formatDeadline`. */
export function tellDeadline(deadline: Date | string): string {
	return formatDeadline(new Date(deadline), now())
}
