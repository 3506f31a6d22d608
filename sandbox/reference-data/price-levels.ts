/*
 * Approximate prices at the ends of financial years, so that an old note or chart looks plausible. From memory of public closes (NSE,
 * AMFI, MCX): for illustration only. In rupees, as quoted on that day. Splits and bonuses that are not in reference-data/actions.ts are
 * divided out, because the sandbox's shares never had them. The last level of each is its reference price of 10-Jun-2026
 * (reference-data/securities.ts, reference-data/contracts.ts); no level is known between 28-Mar-2025 and that day.
 */

/** The last sessions of financial years, in the order of the columns below. */
const YEAR_ENDS = ['2022-03-31', '2023-03-31', '2024-03-28', '2025-03-28'] as const

type YearEnds = readonly [number, number, number, number]

const atYearEnds: Readonly<Record<string, YearEnds>> = {
	ADANIENT: [2017, 1750, 3197, 2316],
	ADANIPORTS: [774, 632, 1342, 1183],
	APOLLOHOSP: [4516, 4310, 6357, 6616],
	ASIANPAINT: [3080, 2762, 2847, 2341],
	AXISBANK: [761, 859, 1047, 1102],
	'BAJAJ-AUTO': [3653, 3885, 9149, 7879],
	BAJFINANCE: [726, 562, 724.5, 894.5],
	BAJAJFINSV: [1706, 1267, 1644, 2007],
	BEL: [70.3, 97.5, 201.5, 301],
	BHARTIARTL: [755, 749, 1229, 1733],
	CIPLA: [1018, 901, 1497, 1442],
	COALINDIA: [183, 214, 434, 398],
	DRREDDY: [859, 924, 1232, 1144],
	EICHERMOT: [2457, 2949, 4019, 5348],
	ETERNAL: [82.3, 51, 182, 202],
	GRASIM: [1664, 1633, 2287, 2611],
	HCLTECH: [1164, 1085, 1544, 1592],
	HDFCBANK: [1470, 1610, 1448, 1828],
	HDFCLIFE: [538, 499, 633, 686],
	HINDALCO: [570, 406, 560, 682],
	HINDUNILVR: [2049, 2560, 2264, 2259],
	ICICIBANK: [730, 877, 1093, 1348],
	ITC: [251, 383.5, 428, 410],
	INFY: [1907, 1428, 1498, 1571],
	INDIGO: [2012, 1911, 3549, 5115],
	JSWSTEEL: [733, 688, 830, 1063],
	KOTAKBANK: [1754, 1733, 1785, 2171],
	LT: [1768, 2164, 3764, 3492],
	'M&M': [806, 1159, 1921, 2666],
	MARUTI: [7561, 8292, 12_600, 11_522],
	MAXHEALTH: [348, 441, 820, 1097],
	NTPC: [135, 175, 336, 358],
	NESTLEIND: [1738, 1970, 2622, 2251],
	ONGC: [164, 151, 268, 246],
	POWERGRID: [163, 169, 277, 290],
	RELIANCE: [2635, 2331, 2972, 1275],
	SBILIFE: [1121, 1101, 1500, 1548],
	SHRIRAMFIN: [227, 252, 472, 656],
	SBIN: [493.5, 523.8, 752.4, 771.5],
	SUNPHARMA: [915, 983, 1620, 1735],
	TCS: [3740, 3206, 3876, 3606],
	TATACONSUM: [777, 709, 1096, 1002],
	TMPV: [434, 421, 993, 674],
	TATASTEEL: [130.7, 104.5, 155.9, 154.2],
	TECHM: [1499, 1102, 1248, 1418],
	TITAN: [2536, 2515, 3802, 3063],
	TRENT: [1275, 1375, 3948, 5326],
	ULTRACEMCO: [6602, 7622, 9749, 11_510],
	WIPRO: [296, 182.5, 240, 262],
	BPCL: [180, 172, 301, 278],
	BRITANNIA: [3206, 4322, 4911, 4938],
	DABUR: [536, 545, 523, 507],
	DLF: [380, 357, 897, 680],
	GAIL: [104, 105, 181, 183],
	HEROMOTOCO: [2294, 2347, 4722, 3723],
	PNB: [35, 46.6, 124.4, 96.1],
	BANKBARODA: [111.6, 168.9, 264, 228.5],
	TATAPOWER: [238.7, 190, 394, 375.5],
	LUPIN: [747, 648, 1617, 2028],
	NIFTYBEES: [190.5, 189.5, 247, 264],
	GOLDBEES: [44, 50.5, 56, 74],
	BANKBEES: [367, 409, 477, 528],
	JUNIORBEES: [445, 400, 637, 665],
	LIQUIDBEES: [1000, 1000, 1000, 1000],
	ITBEES: [37, 29.4, 36, 38],
	SILVERBEES: [66, 70, 72, 97.5],
	SETFNIF50: [181, 181, 237, 250],
	UTINIFTYDG: [119, 118, 155, 165],
	SBIGOLDFDG: [15.9, 18.1, 20.2, 27],
	// Underlyings without a share: gold for 10 g, silver for 1 kg, crude oil for a barrel.
	NIFTY: [17_465, 17_360, 22_327, 23_519],
	USDINR: [75.8, 82.2, 83.4, 85.5],
	GOLDM: [51_600, 59_600, 67_700, 89_000],
	SILVERM: [67_200, 72_200, 75_000, 1_00_000],
	CRUDEOIL: [7_650, 6_200, 6_900, 5_950],
}

/** Levels between year ends: the price of a listing, the high oil price of June 2022. */
const between: Readonly<Record<string, readonly (readonly [day: string, rupees: number])[]>> = {
	JIOFIN: [
		['2023-08-21', 251.75],
		['2024-03-28', 354],
		['2025-03-28', 227.5],
	],
	CRUDEOIL: [['2022-06-10', 9_300]],
}

/** First session of securities listed within the sandbox's years; they have no price before. */
export const firstSessions: Readonly<Record<string, string>> = { JIOFIN: '2023-08-21' }

/** Days and prices, oldest first, by symbol. Rupees, as quoted on the day. Throws for an unknown symbol. */
export function listLevels(symbol: string): (readonly [day: string, rupees: number])[] {
	const levels = [...YEAR_ENDS.flatMap((day, at) => [[day, atYearEnds[symbol]?.[at]] as const]), ...(between[symbol] ?? [])]
	const known = levels.flatMap(([day, rupees]) => (rupees === undefined ? [] : [[day, rupees] as const]))
	if (known.length === 0) throw new RangeError(`No price of ${symbol} is known`)
	return known.sort(([a], [b]) => (a < b ? -1 : 1))
}
