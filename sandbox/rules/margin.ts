import { type Paise } from '#contract/values/money'
import { isNifty } from '#sandbox/reference-data/securities'
import { findHaircut, isCashEquivalent } from './approved'
import { divideHalfUp, computePercent, computeValue } from './rounding'
import { type InstrumentKind, type Segment } from './segments'

/** An open derivative position at a price in 1/10,000 rupee: of the contract, and of what underlies it. */
export interface OpenPosition {
	segment: Segment
	kind: 'FUTURE' | 'OPTION'
	/** Long positive. */
	quantity: number
	multiplier: number
	price: number
	underlying: number
}

/** Per cent of contract value; a flat stand-in for SPAN + exposure, which needs files the sandbox does not have. */
const marginPercent: Record<Segment, string> = { NSE_CASH: '20', NSE_FNO: '14', CD_NSE: '4', MCX: '10' }

/**
 * Margin that open positions ask for, in paise: a percentage of the value of futures and of the underlying of options written.
 * Options bought have been paid in full and block nothing. A sandbox choice, not the exchange's SPAN.
 */
export function findMarginRequired(positions: readonly OpenPosition[]): Paise {
	let required = 0
	for (const { segment, kind, quantity, multiplier, price, underlying } of positions) {
		if (kind === 'OPTION' && quantity > 0) continue
		required += computePercent(computeValue(Math.abs(quantity), kind === 'OPTION' ? underlying : price, multiplier), marginPercent[segment])
	}
	return required
}

/** Units of a security that are pledged for margin, with its last close in 1/10,000 rupee. */
export type PledgedUnits = {
	isin: string
	kind: InstrumentKind
	sector: string
	quantity: number
	close: number
}

/** What pledged securities count as margin, in paise: value less haircut, those that count as cash apart. */
export interface Collateral {
	securities: Paise
	cashEquivalents: Paise
}

/** Each security at its close less its haircut (market.md 7.2), rounded once. */
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
 * The cash that a margin blocks, in paise: at least half of a margin is cash or counts as cash, so securities stand for the other half at most
 * (the 50:50 rule, market.md 5.5): max(margin / 2, margin - securities), less what counts as cash.
 */
export function findCashMargin(margin: Paise, { securities, cashEquivalents }: Collateral): Paise {
	return Math.max(0, Math.max(divideHalfUp(margin, 2), margin - securities) - cashEquivalents)
}
