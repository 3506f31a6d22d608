import { type InstrumentKind } from './segments'

/**
 * Per cent of value that a pledge does not count; a substitute for VaR + ELM, which change daily and need files the sandbox does not have.
 */
const haircuts: Readonly<Record<'EQUITY' | 'NIFTY' | 'ETF' | 'OTHER_ETF' | 'LIQUID' | 'FUND', string>> = {
	NIFTY: '15',
	EQUITY: '25',
	ETF: '10',
	OTHER_ETF: '12',
	LIQUID: '5',
	FUND: '12',
}

/** The collateral value of a security: `haircut` in per cent of its value. A sandbox choice. */
export function findHaircut(security: { kind: InstrumentKind; isNifty: boolean; isLiquid: boolean }): string {
	if (security.isLiquid) return haircuts.LIQUID
	if (security.kind === 'EQUITY') return security.isNifty ? haircuts.NIFTY : haircuts.EQUITY
	return security.kind === 'ETF' || security.kind === 'OTHER_ETF' ? haircuts[security.kind] : haircuts.FUND
}

/** Counts as cash for the half of margin that must be cash: liquid funds do, shares do not. */
export function isCashEquivalent(security: { isLiquid: boolean }): boolean {
	return security.isLiquid
}
