import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { splitPayout } from './payout-split'

const paise = fc.integer({ min: -1e10, max: 1e10 })
const sum = (amounts: readonly number[]) => amounts.reduce((total, each) => total + each, 0)

test('pays exactly the requested amount or nothing, and never more from a ledger than it has', () => {
	fc.assert(
		fc.property(fc.integer({ min: 1, max: 1e10 }), fc.array(paise, { minLength: 1, maxLength: 4 }), (amount, free) => {
			const has = free.map((each) => Math.max(0, each))
			const shares = splitPayout(amount, free)
			expect(shares === undefined).toBe(amount > sum(has))
			if (shares === undefined) return
			expect(sum(shares)).toBe(amount)
			shares.forEach((share, at) => {
				expect(share).toBeGreaterThanOrEqual(0)
				expect(share).toBeLessThanOrEqual(has[at] ?? 0)
				// A ledger pays only when the ones before it have paid all they have.
				if (share > 0) expect(shares.slice(0, at)).toEqual(has.slice(0, at))
			})
		}),
	)
})

test('pays the last paisa and refuses one more', () => {
	expect(splitPayout(300, [100, -5, 200])).toEqual([100, 0, 200])
	expect(splitPayout(301, [100, -5, 200])).toBeUndefined()
})
