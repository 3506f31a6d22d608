import { type InstrumentKind } from './segments'

/** Haircuts in per cent of value. They replace VaR + ELM rates, which change daily and need files that the sandbox does not have. */
const haircuts: Readonly<Record<'EQUITY' | 'NIFTY' | 'ETF' | 'OTHER_ETF' | 'LIQUID' | 'FUND', string>> = {
	NIFTY: '15',
	EQUITY: '25',
	ETF: '10',
	OTHER_ETF: '12',
	LIQUID: '10',
	FUND: '12',
}

/** The haircut of a security, in per cent of its value. A sandbox choice. */
export function findHaircut(security: { kind: InstrumentKind; isNifty: boolean; isLiquid: boolean }): string {
	if (security.isLiquid) return haircuts.LIQUID
	if (security.kind === 'EQUITY') return security.isNifty ? haircuts.NIFTY : haircuts.EQUITY
	return security.kind === 'ETF' || security.kind === 'OTHER_ETF' ? haircuts[security.kind] : haircuts.FUND
}

/** True when a pledged security counts as cash for the half of the margin that must be cash: liquid funds do, shares do not. */
export function isCashEquivalent(security: { isLiquid: boolean }): boolean {
	return security.isLiquid
}
