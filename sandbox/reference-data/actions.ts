/*
 * Corporate actions of the sandbox's securities that change a client's holding (NSE circular archive). The seed makes up the dividends.
 * Other securities also had actions in these years; this list has only those that tests and personas need.
 */

/**
 * ISINs of Kotak Mahindra Bank before (OLD) and after (NEW) the split of 14-Jan-2026, of Tata Motors' passenger vehicles (TMPV), and of
 * Tata Motors Limited (commercial vehicles) from its demerger on (TMCV).
 */
export const KOTAK_OLD = 'INE237A01028'
export const KOTAK_NEW = 'INE237A01036'
export const TMPV = 'INE155A01022'
export const TMCV = 'INE1TAE01010'
export const HDFCBANK = 'INE040A01034'
export const NESTLEIND = 'INE239A01024'
export const INFY = 'INE009A01021'
export const GAIL = 'INE129A01019'

const RELIANCE = 'INE002A01018'
export const ITC = 'INE154A01025'
export const ITCHOTELS = 'INE379A01028'

export interface ListedAction {
	instrument: string
	ex_day: string
	kind: 'BONUS' | 'SPLIT' | 'DEMERGER' | 'BUYBACK'
	numerator: number
	denominator: number
	into_instrument?: string
	cost_moved_bps?: number
	/** 1/10,000 rupee. */
	amount?: number
}

/** The new company of a demerger: its name, and its share of the old price. The share of the cost that moves to it is another number. */
export interface NewCompany {
	symbol: string
	name: string
	sector?: string
	priceShare: number
}

export const newCompanies: Readonly<Record<string, NewCompany>> = {
	[ITCHOTELS]: { symbol: 'ITCHOTELS', name: 'ITC Hotels Ltd.', sector: 'Consumer Services', priceShare: 0.054 },
	[TMCV]: { symbol: 'TMCV', name: 'Tata Motors Ltd.', priceShare: 0.395 },
}

export const listedActions: readonly ListedAction[] = [
	{ instrument: RELIANCE, ex_day: '2024-10-28', kind: 'BONUS', numerator: 1, denominator: 1 },
	// One for ten. ITC told its shareholders to move 13.51 % of their cost (its letter of January 2025, from memory).
	{
		instrument: ITC,
		ex_day: '2025-01-06',
		kind: 'DEMERGER',
		numerator: 1,
		denominator: 10,
		into_instrument: ITCHOTELS,
		cost_moved_bps: 1351,
	},
	{ instrument: NESTLEIND, ex_day: '2025-08-08', kind: 'BONUS', numerator: 1, denominator: 1 },
	{ instrument: HDFCBANK, ex_day: '2025-08-26', kind: 'BONUS', numerator: 1, denominator: 1 },
	{ instrument: TMPV, ex_day: '2025-10-14', kind: 'DEMERGER', numerator: 1, denominator: 1, into_instrument: TMCV, cost_moved_bps: 3115 },
	{ instrument: INFY, ex_day: '2025-11-26', kind: 'BUYBACK', numerator: 1, denominator: 4, amount: 18_000_000 },
	{ instrument: KOTAK_OLD, ex_day: '2026-01-14', kind: 'SPLIT', numerator: 5, denominator: 1, into_instrument: KOTAK_NEW },
]

/**
 * Highest price of 31-Jan-2018 in rupees, on today's face value (later splits divided out, bonuses not: bonus shares have none). From
 * memory, accurate enough for a sandbox. A security listed then but not named here gets a share of its reference price.
 */
export const highestOf2018: Readonly<Record<string, number>> = {
	ITC: 273.65,
	HDFCBANK: 1013.1,
	INFY: 586.5,
	RELIANCE: 978.4,
	SBIN: 315.4,
	TITAN: 866.3,
	TCS: 1565.1,
	GAIL: 133.8,
	'M&M': 773.5,
}

/** Symbols listed after 31-Jan-2018: they have no price of that day, so no grandfathering. */
export const listedLater: readonly string[] = ['JIOFIN', 'ETERNAL', 'MAXHEALTH', 'TMCV', 'UTINIFTYDG', 'SILVERBEES']
