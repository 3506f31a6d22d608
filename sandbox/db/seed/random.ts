/** A source of random numbers: the same key always gives the same numbers. */
export interface Random {
	/** At least 0, below 1. */
	next(): number
	/** A whole number, both ends included. */
	between(low: number, high: number): number
	/** True with a probability. */
	chance(probability: number): boolean
	/** One of a list; throws when it is empty. */
	pick<Item>(items: readonly Item[]): Item
	/** Normally distributed, mean 0, deviation 1. */
	normal(): number
}

/** FNV-1a, 32 bits. */
function hashText(text: string): number {
	let hash = 0x811c9dc5
	for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193)
	return hash >>> 0
}

/** Random numbers from a key such as `khata/BULK01` (mulberry32). Not for secrets. */
export function createRandom(key: string): Random {
	let state = hashText(key)
	const next = () => {
		state = (state + 0x6d2b79f5) | 0
		let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
		mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
		return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
	}
	return {
		next,
		between: (low, high) => low + Math.floor(next() * (high - low + 1)),
		chance: (probability) => next() < probability,
		pick(items) {
			const item = items[Math.floor(next() * items.length)]
			if (item === undefined) throw new RangeError('Nothing to pick from')
			return item
		},
		normal: () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next()),
	}
}
