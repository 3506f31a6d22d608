import { eq, sql } from 'drizzle-orm'
import { type Day, toIndianDay } from '#contract/values/dates'
import { type Books } from './db/open'
import { clock as stored, origin } from './db/schema'
import { findOpenedDay } from './rules/mtf'
import { type Clock, type MovableClock } from './types'

const IST_OFFSET = '+05:30'
/** How long the books' clock may be cached, in milliseconds, because another process may move it. */
const LOOK_AGAIN_MS = 1000

/**
 * How far ahead of real time a clock is, in milliseconds, when it is set to `2026-11-20` or `2026-11-20T11:00` in India. Without a time
 * of day: the current one.
 */
function computeAhead(startsOn: string, real: Date): number {
	const timeInIndia = new Date(real.getTime() + 19_800_000).toISOString().slice(11, 23)
	const [day, time = timeInIndia] = startsOn.split('T')
	return new Date(`${day}T${time}${IST_OFFSET}`).getTime() - real.getTime()
}

const realTime = () => new Date()

/** A clock that shows the real time, or runs on from another day and time. */
export function createClock(startsOn?: string, realNow: () => Date = realTime): Clock {
	return startsOn === undefined ? { now: realNow } : clockAhead(computeAhead(startsOn, realNow()), realNow)
}

function clockAhead(ms: number, realNow: () => Date): Clock {
	return { now: () => new Date(realNow().getTime() + ms) }
}

/**
 * The clock of a sandbox that starts on stored books, and the day for which its books are made. A clock that was set or moved continues
 * with the books, because their events have happened. A clock that always showed the real time starts a new day with new
 * books when the market opens: before that, the day has no trades.
 */
export async function resumeClock(
	{ db }: Books,
	startsOn: string | undefined,
	realNow: () => Date = realTime,
): Promise<{ clock: Clock; booksDay: Day; keep: () => Promise<void> }> {
	const [kept] = await db.select().from(stored)
	const [made] = await db.select({ day: origin.day }).from(origin)
	const isSame = kept !== undefined && kept.starts_on === (startsOn ?? null)
	if (isSame && made && (startsOn !== undefined || kept.ahead_ms > 0)) {
		return { clock: clockAhead(kept.base_ms, realNow), booksDay: made.day, keep: () => keep(kept, false) }
	}
	const base_ms = startsOn === undefined ? 0 : computeAhead(startsOn, realNow())
	const clock = clockAhead(base_ms, realNow)
	return {
		clock,
		// A set day is kept at any hour: without a time it has the current one, which may be before the market opens.
		booksDay: startsOn === undefined || startsOn.includes('T') ? findOpenedDay(clock.now()) : toIndianDay(clock.now()),
		keep: () => keep({ id: 1, starts_on: startsOn ?? null, base_ms, ahead_ms: 0 }, true),
	}

	/** Stores the clock. Call it after the books are made, because that empties every table. */
	async function keep(row: typeof stored.$inferSelect, isNew: boolean): Promise<void> {
		const insert = db.insert(stored).values(row)
		await (isNew ? insert.onConflictDoUpdate({ target: stored.id, set: row }) : insert.onConflictDoNothing())
	}
}

/**
 * The same clock, but /control can move it ahead. Work that is due by then is done as if the days had passed. The books store how far it
 * was moved.
 */
export function createMovableClock({ db }: Books, clock: Clock): MovableClock {
	let ahead = 0
	let lookedAt = -Infinity
	return {
		now: () => new Date(clock.now().getTime() + ahead),
		async advance(ms) {
			const [row] = await db
				.insert(stored)
				.values({ id: 1, starts_on: null, base_ms: 0, ahead_ms: ms })
				.onConflictDoUpdate({ target: stored.id, set: { ahead_ms: sql`${stored.ahead_ms} + ${ms}` } })
				.returning()
			ahead = row?.ahead_ms ?? ahead
		},
		async look() {
			if (Date.now() - lookedAt < LOOK_AGAIN_MS) return
			lookedAt = Date.now()
			const [row] = await db.select({ ahead_ms: stored.ahead_ms }).from(stored).where(eq(stored.id, 1))
			// A look that began before the clock was moved must not set it back.
			ahead = Math.max(ahead, row?.ahead_ms ?? 0)
		},
	}
}
