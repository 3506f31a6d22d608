import { type Paise } from '#contract/values/money'

/**
 * Divides a payout over the ledgers, in paise: the first ledger pays what it can, the next pays the rest. Undefined when all ledgers
 * together have too little: such a payout is refused, never reduced. A ledger in debit pays nothing and does not reduce the others.
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
