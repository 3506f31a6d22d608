/** Names of the ledgers, by the broker's code. */
export const SEGMENT_NAMES = { NSE_CASH: 'Equity', MCX: 'Commodity' } as const

/** Whether the contract has this ledger, so that the portal can request it alone. */
export const isContractLedger = (cocd: string | undefined): cocd is keyof typeof SEGMENT_NAMES =>
	cocd !== undefined && Object.hasOwn(SEGMENT_NAMES, cocd)

/** Names of the exchange segments, by company code. */
export const SEGMENTS = { NSE_CASH: 'Equity', NSE_FNO: 'Future & Options', CD_NSE: 'Currency', MCX: 'Commodity' } as const

/** The side of a trade. */
export const SIDES = { BUY: 'Buy', SELL: 'Sell' } as const

/** The segment code of a pay-in, by ledger. */
export const SEGMENT_BY_LEDGER = { NSE_CASH: 'BSE', MCX: 'MCX' } as const

/** The ledger that a pay-in of a segment goes to. */
export const LEDGER_BY_SEGMENT = { BSE: 'NSE_CASH', MCX: 'MCX' } as const

/** The name of that ledger, by the segment code of the pay-in. */
export const FUND_SEGMENTS = { BSE: SEGMENT_NAMES.NSE_CASH, MCX: SEGMENT_NAMES.MCX } as const
