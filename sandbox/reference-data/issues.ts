import { type CategoryCode } from '#sandbox/rules/ipo'

/*
 * Public issues of the sandbox: made-up companies with made-up ISINs (with correct check digits). Days are counted in sessions from the
 * day on which the books are made, so that some issue is always open for bids.
 */
interface IssueData {
	symbol: string
	name: string
	isin: string
	exchange: 'NSE' | 'BSE'
	kind: 'Mainboard' | 'SME'
	sector: string
	registrar: string
	/** Sessions from today to the first and the last day. */
	opens: number
	closes: number
	/** Rupees. */
	band: readonly [number, number]
	faceValue: number
	lot: number
	/** At least two lots for SME. */
	minLots: number
	sizeCrore: number
	/** Final subscription of qualified institutional buyers, as a multiple. They bid through their own desks, never here. */
	qib: number
	/** Final subscription of each category, as a multiple, and the discount in rupees per share. */
	categories: readonly { code: CategoryCode; times: number; discount?: number }[]
}

const [IND, HNI, EMP, SHA] = ['IND', 'HNI', 'EMP', 'SHA'] as const

export const issues: readonly IssueData[] = [
	{
		symbol: 'SAHYAGRO',
		name: 'Sahyadri Agro Foods Ltd.',
		isin: 'INE0ZA101016',
		exchange: 'NSE',
		kind: 'Mainboard',
		sector: 'Fast Moving Consumer Goods',
		registrar: 'Registrar of Issues Pvt. Ltd.',
		opens: -1,
		closes: 3,
		band: [310, 327],
		faceValue: 10,
		lot: 45,
		minLots: 1,
		sizeCrore: 742,
		qib: 9.84,
		categories: [
			{ code: IND, times: 4.18 },
			{ code: HNI, times: 7.62 },
			{ code: EMP, times: 1.09, discount: 15 },
		],
	},
	{
		symbol: 'KONKANLOG',
		name: 'Konkan Marine Logistics Ltd.',
		isin: 'INE0ZB201013',
		exchange: 'BSE',
		kind: 'Mainboard',
		sector: 'Services',
		registrar: 'Western Share Registry Ltd.',
		opens: -2,
		closes: 2,
		band: [142, 150],
		faceValue: 10,
		lot: 100,
		minLots: 1,
		sizeCrore: 318,
		qib: 0.87,
		categories: [
			{ code: IND, times: 0.64 },
			{ code: HNI, times: 0.31 },
			{ code: SHA, times: 0.4 },
		],
	},
	{
		symbol: 'NOVATEC',
		name: 'Novatec Robotics Ltd.',
		isin: 'INE0ZD401017',
		exchange: 'NSE',
		kind: 'Mainboard',
		sector: 'Capital Goods',
		registrar: 'Registrar of Issues Pvt. Ltd.',
		// At least three sessions, also when today has none: on a Saturday they are Thursday, Friday and Monday.
		opens: -2,
		closes: 1,
		// Forty lots at 500 are exactly five lakh, the largest amount that can be bid online.
		band: [475, 500],
		faceValue: 2,
		lot: 25,
		minLots: 1,
		sizeCrore: 1890,
		qib: 58.3,
		categories: [
			{ code: IND, times: 12.5 },
			{ code: HNI, times: 31.4 },
		],
	},
	{
		symbol: 'DECSOLAR',
		name: 'Deccan Solar Glass Ltd.',
		isin: 'INE0ZC301010',
		exchange: 'NSE',
		kind: 'Mainboard',
		sector: 'Capital Goods',
		registrar: 'Western Share Registry Ltd.',
		opens: 6,
		closes: 9,
		band: [88, 92],
		faceValue: 2,
		lot: 160,
		minLots: 1,
		sizeCrore: 1125,
		qib: 14.2,
		categories: [
			{ code: IND, times: 2.4 },
			{ code: HNI, times: 5.1 },
		],
	},
	{
		symbol: 'GODAVARI',
		name: 'Godavari Speciality Papers Ltd.',
		isin: 'INE0ZE501013',
		exchange: 'BSE',
		kind: 'SME',
		sector: 'Forest Materials',
		registrar: 'Registrar of Issues Pvt. Ltd.',
		opens: 9,
		closes: 12,
		band: [104, 110],
		faceValue: 10,
		lot: 1200,
		minLots: 2,
		sizeCrore: 46,
		qib: 2.1,
		categories: [{ code: HNI, times: 1.7 }],
	},
	{
		symbol: 'ARAVLIFIN',
		name: 'Aravalli Home Finance Ltd.',
		isin: 'INE0ZF601010',
		exchange: 'BSE',
		kind: 'Mainboard',
		sector: 'Financial Services',
		registrar: 'Western Share Registry Ltd.',
		opens: -4,
		closes: -1,
		band: [228, 240],
		faceValue: 10,
		lot: 60,
		minLots: 1,
		sizeCrore: 905,
		qib: 1.24,
		categories: [
			{ code: IND, times: 0.92 },
			{ code: HNI, times: 1.6 },
		],
	},
	{
		symbol: 'MALTOOLS',
		name: 'Malabar Tools Ltd.',
		isin: 'INE0ZG701017',
		exchange: 'NSE',
		kind: 'Mainboard',
		sector: 'Capital Goods',
		registrar: 'Registrar of Issues Pvt. Ltd.',
		opens: -30,
		closes: -28,
		band: [168, 178],
		faceValue: 10,
		lot: 84,
		minLots: 1,
		sizeCrore: 512,
		qib: 62.7,
		categories: [
			{ code: IND, times: 18.2 },
			{ code: HNI, times: 40.3 },
		],
	},
	{
		symbol: 'VIDENERGY',
		name: 'Vidarbha Energy Systems Ltd.',
		isin: 'INE0ZH801014',
		exchange: 'BSE',
		kind: 'Mainboard',
		sector: 'Power',
		registrar: 'Western Share Registry Ltd.',
		opens: -45,
		closes: -43,
		band: [118, 124],
		faceValue: 10,
		lot: 120,
		minLots: 1,
		sizeCrore: 288,
		qib: 4.9,
		categories: [
			{ code: IND, times: 3.4 },
			{ code: HNI, times: 2.2 },
		],
	},
]

interface PastBid {
	client: string
	symbol: string
	category: CategoryCode
	lots: number
	/** Sessions from today. */
	bidOn: number
	/** The state of the mandate: accepted, expired because nobody accepted it in time, or still waiting. */
	mandate: 'ACCEPTED' | 'EXPIRED' | 'SENT'
	allotted: number | null
}

/** Earlier bids of DEMO01: one in each lasting state. */
export const pastBids: readonly PastBid[] = [
	{ client: 'DEMO01', symbol: 'VIDENERGY', category: IND, lots: 1, bidOn: -44, mandate: 'EXPIRED', allotted: null },
	{ client: 'DEMO01', symbol: 'MALTOOLS', category: IND, lots: 1, bidOn: -29, mandate: 'ACCEPTED', allotted: 0 },
	{ client: 'DEMO01', symbol: 'ARAVLIFIN', category: IND, lots: 2, bidOn: -2, mandate: 'ACCEPTED', allotted: null },
	{ client: 'DEMO01', symbol: 'SAHYAGRO', category: IND, lots: 1, bidOn: -1, mandate: 'SENT', allotted: null },
]

/** Final subscription of an issue by institutions; undefined for an unknown issue. */
export function findQibTimes(symbol: string): number | undefined {
	return issues.find((issue) => issue.symbol === symbol)?.qib
}
