import { type Day } from '#contract/values/dates'
import { createRandom, type Random } from './random'

const SESSIONS_OF_YEAR = 250

/** How a price moves. */
export interface Walk {
	/** Yearly growth, as a fraction, without levels. */
	growth: number
	volatility: number
	/** How much it follows the market, 0 to 1. */
	share: number
	/** Smallest step, in 1/10,000 rupee. */
	tick: number
}

/** Rounds a price in 1/10,000 rupee to the tick; at least one tick. */
export function roundTo(price: number, tick: number): number {
	return Math.max(tick, Math.round(price / tick) * tick)
}

/**
 * The common movement of all shares in each session. It is drawn from the reference day outwards, so that a longer period changes no
 * earlier number.
 */
export function drawMoods(seed: string, reference: number, sessions: number): Float64Array {
	const before = createRandom(`${seed}/mood/before`)
	const after = createRandom(`${seed}/mood/after`)
	const moods = new Float64Array(sessions)
	for (let at = reference; at >= 0; at--) moods[at] = before.normal()
	for (let at = reference + 1; at < sessions; at++) moods[at] = after.normal()
	return moods
}

/**
 * A price path through every level (at least one). It partly follows the market and is partly independent. Between two levels the error
 * at the second level is spread equally over the steps. Levels are days of `days` with prices in 1/10,000 rupee, oldest first.
 */
export function walkPrices(
	key: string,
	walk: Walk,
	days: readonly Day[],
	levels: readonly (readonly [Day, number])[],
	moods: Float64Array,
): Float64Array {
	const { growth, volatility, share, tick } = walk
	const daily = volatility / Math.sqrt(SESSIONS_OF_YEAR)
	const own = daily * Math.sqrt(1 - share * share)
	const drift = growth / SESSIONS_OF_YEAR
	const step = (random: Random, at: number) => (moods[at] ?? 0) * daily * share + random.normal() * own
	const path = new Float64Array(days.length)
	const placed = levels.map(([day, price]) => {
		const at = days.indexOf(day)
		if (at < 0) throw new RangeError(`${key} has a level on ${day}, which is no session`)
		return { at, day, price }
	})
	const [first] = placed
	const last = placed.at(-1)
	if (!first || !last) throw new RangeError(`${key} has no level`)
	const backwards = createRandom(`${key}/before`)
	for (let at = first.at, price = first.price; at >= 0; at--) {
		path[at] = roundTo(price, tick)
		price /= Math.exp(drift + step(backwards, at))
	}
	for (const [n, { at: to, price: goal }] of placed.entries()) {
		const from = placed[n - 1]
		if (!from) continue
		const random = createRandom(`${key}/${from.day}`)
		const steps = Array.from({ length: to - from.at }, (_, at) => step(random, from.at + 1 + at))
		const missed = (Math.log(goal / from.price) - steps.reduce((sum, each) => sum + each, 0)) / steps.length
		let price = from.price
		for (const [at, each] of steps.entries()) {
			price *= Math.exp(each + missed)
			path[from.at + 1 + at] = roundTo(price, tick)
		}
	}
	const forwards = createRandom(`${key}/after`)
	for (let at = last.at + 1, { price } = last; at < days.length; at++) {
		price *= Math.exp(drift + step(forwards, at))
		path[at] = roundTo(price, tick)
	}
	return path
}
