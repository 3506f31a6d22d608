import { type Paise } from '#contract/values/money'
import { isNifty } from '#sandbox/reference-data/securities'
import { findHaircut, isCashEquivalent } from './approved'
import { divideHalfUp, computePercent, computeValue } from './rounding'
import { type InstrumentKind, type Segment } from './segments'

/** An open derivative position. Prices of the contract and its underlying are in 1/10,000 rupee. */
export interface OpenPosition {
	segment: Segment
	kind: 'FUTURE' | 'OPTION'
	/** Long positive. */
	quantity: number
	multiplier: number
	price: number
	underlying: number
}

/** Per cent of contract value. It replaces SPAN + exposure, which needs files that the sandbox does not have. */
const marginPercent: Record<Segment, string> = { NSE_CASH: '20', NSE_FNO: '14', CD_NSE: '4', MCX: '10' }

/**
 * Margin of open positions, in paise: a percentage of the value of futures, and of the underlying's value of written options. Bought
 * options are fully paid and need no margin. A sandbox choice, not the exchange's SPAN.
 */
export function findMarginRequired(positions: readonly OpenPosition[]): Paise {
	let required = 0
	for (const { segment, kind, quantity, multiplier, price, underlying } of positions) {
		if (kind === 'OPTION' && quantity > 0) continue
		required += computePercent(computeValue(Math.abs(quantity), kind === 'OPTION' ? underlying : price, multiplier), marginPercent[segment])
	}
	return required
}

/** Units of a security pledged for margin, with its last close in 1/10,000 rupee. */
export type PledgedUnits = {
	isin: string
	kind: InstrumentKind
	sector: string
	quantity: number
	close: number
}

/** The margin value of pledged securities, in paise: value less haircut. Securities that count as cash are summed separately. */
export interface Collateral {
	securities: Paise
	cashEquivalents: Paise
}

/** Sums pledged securities, each at its close less its haircut, rounded once. */
export function valueCollateral(pledged: readonly PledgedUnits[]): Collateral {
	const collateral: Collateral = { securities: 0, cashEquivalents: 0 }
	for (const { isin, kind, sector, quantity, close } of pledged) {
		const marks = { kind, isNifty: isNifty(isin), isLiquid: sector === 'ETF - Liquid' }
		const counts = computePercent(computeValue(quantity, close), String(100 - Number(findHaircut(marks))))
		collateral[isCashEquivalent(marks) ? 'cashEquivalents' : 'securities'] += counts
	}
	return collateral
}

/**
 * The cash that a margin blocks, in paise. At least half of a margin must be cash or count as cash, so securities cover at most the other
 * half (the 50:50 rule of the clearing corporations): max(margin / 2, margin - securities), less what counts as cash.
 */
export function findCashMargin(margin: Paise, { securities, cashEquivalents }: Collateral): Paise {
	return Math.max(0, Math.max(divideHalfUp(margin, 2), margin - securities) - cashEquivalents)
}
