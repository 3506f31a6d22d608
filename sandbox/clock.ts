import { type Day } from '~/lib/days'
import { type Clock } from './env'

const IST_OFFSET = '+05:30'

/** A clock that shows the real time, or the same time of day on another day, from where it goes on as clocks do. */
export function createClock(startsOn?: Day, realNow: () => Date = () => new Date()): Clock {
	if (startsOn === undefined) return { now: realNow }
	const started = realNow()
	const timeInIndia = new Date(started.getTime() + 19_800_000).toISOString().slice(11, 23)
	const offset = new Date(`${startsOn}T${timeInIndia}${IST_OFFSET}`).getTime() - started.getTime()
	return { now: () => new Date(realNow().getTime() + offset) }
}

/** The same clock, which /control can move ahead: what has come due by then happens, as if the days had passed. */
export function movable(clock: Clock): Clock & { advance(ms: number): void } {
	let ahead = 0
	return { now: () => new Date(clock.now().getTime() + ahead), advance: (ms) => void (ahead += ms) }
}
