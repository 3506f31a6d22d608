import type { Paise } from '~/lib/money'
import { percentOf, valueOf } from './rounding'
import type { Segment } from './segments'

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
 * Cash margin that open positions block, in paise: a percentage of the value of futures and of the underlying of options written.
 * Options bought have been paid in full and block nothing. A sandbox choice, not the exchange's SPAN.
 */
export function findMarginRequired(positions: readonly OpenPosition[]): Paise {
	let required = 0
	for (const { segment, kind, quantity, multiplier, price, underlying } of positions) {
		if (kind === 'OPTION' && quantity > 0) continue
		required += percentOf(valueOf(Math.abs(quantity), kind === 'OPTION' ? underlying : price, multiplier), marginPercent[segment])
	}
	return required
}
