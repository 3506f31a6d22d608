import { type Paise } from '#contract/values/money'

/**
 * How much of a payout each ledger pays, in paise: the first what it can, the next the rest. Undefined when all together have less than
 * requested: that is refused, never reduced. A ledger in debit pays nothing and takes nothing from the others.
 */
export function splitPayout(amount: Paise, free: readonly Paise[]): Paise[] | undefined {
	let left = amount
	const shares = free.map((each) => {
		const share = Math.min(left, Math.max(0, each))
		left -= share
		return share
	})
	return left === 0 ? shares : undefined
}
