import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { divideHalfUp } from './rounding'

/** A lot before or after a corporate action. `acquired_on` is the day that counts for tax. */
export interface ShareLot {
	quantity: number
	cost: Paise | null
	expenses: Paise
	acquired_on: Day
}

/**
 * Bonus shares: held × numerator ÷ denominator. A fraction is paid in cash and gives no share. The cost is nil and the holding period
 * starts on the allotment (s.55(2)(aa)); the old lots and the ISIN do not change. Null when there is no whole share.
 */
export function applyBonus(held: number, numerator: number, denominator: number, allottedOn: Day): ShareLot | null {
	const quantity = Math.floor((held * numerator) / denominator)
	return quantity > 0 ? { quantity, cost: 0, expenses: 0, acquired_on: allottedOn } : null
}

/**
 * A split: quantity × ratio under a new ISIN. The total cost and the acquisition day stay the same. Throws RangeError on a fraction of a
 * share.
 */
export function applySplit(lot: ShareLot, numerator: number, denominator: number): ShareLot {
	const quantity = (lot.quantity * numerator) / denominator
	if (!Number.isInteger(quantity)) throw new RangeError(`${lot.quantity} shares do not split ${numerator}:${denominator}`)
	return { quantity, cost: lot.cost, expenses: lot.expenses, acquired_on: lot.acquired_on }
}

/**
 * A demerger: `movedBps` basis points of the cost move to the new company and the rest stays. Both lots keep the acquisition day
 * (s.49(2C); TMPV/TMCV of 14-Oct-2025 moved 3115). New shares are computed for the whole holding, and the last fraction is dropped:
 * `before` is the number of old shares in the lots already processed.
 */
export function applyDemerger(
	lot: ShareLot,
	numerator: number,
	denominator: number,
	movedBps: number,
	before = 0,
): { kept: ShareLot; moved: ShareLot } {
	const movedCost = lot.cost === null ? null : divideHalfUp(lot.cost * movedBps, 10_000)
	const movedExpenses = divideHalfUp(lot.expenses * movedBps, 10_000)
	const { acquired_on } = lot
	const newFor = (shares: number) => Math.floor((shares * numerator) / denominator)
	return {
		kept: {
			quantity: lot.quantity,
			cost: lot.cost === null || movedCost === null ? null : lot.cost - movedCost,
			expenses: lot.expenses - movedExpenses,
			acquired_on,
		},
		moved: {
			quantity: newFor(before + lot.quantity) - newFor(before),
			cost: movedCost,
			expenses: movedExpenses,
			acquired_on,
		},
	}
}

/** A lot and its security. */
export type NamedLot = ShareLot & { instrument: string }

type Exchange = {
	kind: 'SPLIT' | 'DEMERGER'
	numerator: number
	denominator: number
	into_instrument?: string | null
	cost_moved_bps?: number | null
}

/**
 * The lots that take the place of a lot in a split or demerger of its security. `before` as in applyDemerger. Throws RangeError without
 * the security that they become.
 */
export function listSuccessors({ instrument, ...lot }: NamedLot, action: Exchange, before = 0): NamedLot[] {
	const { kind, numerator, denominator, into_instrument: into, cost_moved_bps } = action
	if (!into) throw new RangeError(`The ${kind} of ${instrument} names no security`)
	if (kind === 'SPLIT') return [{ instrument: into, ...applySplit(lot, numerator, denominator) }]
	const { kept, moved } = applyDemerger(lot, numerator, denominator, cost_moved_bps ?? 0, before)
	return [
		{ instrument, ...kept },
		{ instrument: into, ...moved },
	].filter(({ quantity }) => quantity > 0)
}

/** How the money received in a tender buyback is taxed. */
export type BuybackRegime = 'EXEMPT' | 'DIVIDEND' | 'CAPITAL_GAIN'

/**
 * Until 30-Sep-2024 the company paid the tax and the holder is exempt. From 1-Oct-2024 the whole receipt is a dividend and the cost is a
 * capital loss. From 1-Apr-2026 it is an ordinary capital gain (Finance Act 2026).
 */
export function findBuybackRegime(day: Day): BuybackRegime {
	if (day < '2024-10-01') return 'EXEMPT'
	return day < '2026-04-01' ? 'DIVIDEND' : 'CAPITAL_GAIN'
}
