/** Names of the charges on a contract note, by kind. */
export const CHARGE_NAMES = {
	BROKERAGE: 'Brokerage',
	EXCHANGE: 'Exchange transaction charge',
	SEBI: 'SEBI turnover fee',
	CGST: 'CGST',
	SGST: 'SGST',
	IGST: 'IGST',
	STT: 'Securities transaction tax',
	CTT: 'Commodities transaction tax',
	STAMP: 'Stamp duty',
} as const

/** Names of the ways in which a lot was acquired. */
export const LOT_ORIGINS = {
	TRADE: 'Bought',
	BONUS: 'Bonus',
	SPLIT: 'Split',
	DEMERGER: 'Demerger',
	IPO: 'IPO allotment',
	TRANSFER: 'Transferred in',
} as const

/** Names of the kinds of dividend. A receipt of a buyback was taxed as one from October 2024 to March 2026. */
export const DIVIDEND_KINDS = { DIVIDEND: 'Dividend', BUYBACK: 'Buyback, taxed as a dividend' } as const

/** Names of the states of a change request. SIGNED: signed, and takes effect later. */
export const CHANGE_STATUS = {
	WAITING: 'Awaiting your e-sign',
	SIGNED: 'Signed, under way',
	DONE: 'Done',
	WITHDRAWN: 'Withdrawn',
	LAPSED: 'Not signed in time',
} as const

/** `NOT_SIGNED` as `Not signed`, for codes without a name in a list. */
export function sayCode(code: string): string {
	const words = code.replace(/_/g, ' ').toLowerCase()
	return words.charAt(0).toUpperCase() + words.slice(1)
}
