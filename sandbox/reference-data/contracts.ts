import { type Segment } from '#sandbox/rules/segments'

/*
 * Underlyings of futures and options. Lots and multipliers of commodities: Zerodha's MCX list; index lots: NSE FAOP70616 and its
 * predecessors (NIFTY 50, from May-2024 25, from Jan-2025 75, from Jan-2026 65); stock lots and reference prices are plausible choices.
 */
export interface Underlying {
	root: string
	name: string
	segment: Exclude<Segment, 'NSE_CASH'>
	sector: string
	/**
	 * Price in rupees on 10-Jun-2026, yearly growth and volatility, for underlyings with a separate price path. A stock future follows
	 * its share's price.
	 */
	path?: { reference: number; growth: number; volatility: number }
	/** ISIN of the share whose price it follows. */
	isin?: string
	multiplier: number
	/** Price steps in 1/10,000 rupee. */
	tick: number
	/** Lot by expiry month, oldest first. */
	lots: readonly (readonly [from: string, lot: number])[]
	/** True when the exchange settles its open futures by delivery at expiry, which this broker does not offer (decision 018). */
	isDelivered?: boolean
	/** Day of the month on which it expires on MCX. On NSE a calendar rule gives the day. */
	expiryDay?: number
}

export const underlyings: readonly Underlying[] = [
	{
		root: 'NIFTY',
		name: 'Nifty 50',
		segment: 'NSE_FNO',
		sector: 'Index',
		path: { reference: 24_100, growth: 0.085, volatility: 0.13 },
		multiplier: 1,
		tick: 500,
		lots: [
			['2000-01', 50],
			['2024-05', 25],
			['2025-01', 75],
			['2026-01', 65],
		],
	},
	{
		root: 'SBIN',
		name: 'State Bank of India',
		segment: 'NSE_FNO',
		sector: 'Financial Services',
		isin: 'INE062A01020',
		isDelivered: true,
		multiplier: 1,
		tick: 500,
		lots: [
			['2000-01', 1500],
			['2023-08', 750],
		],
	},
	{
		root: 'USDINR',
		name: 'US Dollar Rupee',
		segment: 'CD_NSE',
		sector: 'Currency',
		path: { reference: 92.4, growth: 0.045, volatility: 0.035 },
		multiplier: 1,
		tick: 25,
		lots: [['2000-01', 1000]],
	},
	{
		root: 'GOLDM',
		name: 'Gold Mini',
		segment: 'MCX',
		sector: 'Commodity',
		path: { reference: 1_20_000, growth: 0.22, volatility: 0.15 },
		multiplier: 10,
		tick: 10_000,
		isDelivered: true,
		lots: [['2000-01', 1]],
		expiryDay: 5,
	},
	{
		root: 'SILVERM',
		name: 'Silver Mini',
		segment: 'MCX',
		sector: 'Commodity',
		path: { reference: 1_68_000, growth: 0.24, volatility: 0.24 },
		multiplier: 5,
		tick: 10_000,
		isDelivered: true,
		lots: [['2000-01', 1]],
		expiryDay: 28,
	},
	{
		root: 'CRUDEOIL',
		name: 'Crude Oil',
		segment: 'MCX',
		sector: 'Commodity',
		path: { reference: 5_840, growth: -0.03, volatility: 0.3 },
		multiplier: 100,
		tick: 10_000,
		lots: [['2000-01', 1]],
		expiryDay: 19,
	},
]

/** The underlying of a contract, by the contract's id (`NIFTY26DEC24100CE`). Throws RangeError for an unknown one. */
export function findUnderlying(contract: string): Underlying {
	const found = underlyings.find(({ root }) => contract.startsWith(root))
	if (!found) throw new RangeError(`No underlying of ${contract}`)
	return found
}

/** The price key of an underlying; for a stock it is the share's ISIN. */
export function findPriceKey({ isin, root }: Underlying): string {
	return isin ?? root
}
