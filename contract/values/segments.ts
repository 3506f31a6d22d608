/** What a ledger is called, by the broker's code of it. */
export const SEGMENT_NAMES = { NSE_CASH: 'Equity', MCX: 'Commodity' } as const

/** What an exchange segment is called, by its company code. */
export const SEGMENTS = { NSE_CASH: 'Equity', NSE_FNO: 'Future & Options', CD_NSE: 'Currency', MCX: 'Commodity' } as const

/** The side of a trade. */
export const SIDES = { BUY: 'Buy', SELL: 'Sell' } as const

/** What a pay-in calls the ledger that it goes to. */
export const SEGMENT_BY_LEDGER = { NSE_CASH: 'BSE', MCX: 'MCX' } as const

/** The ledger that a pay-in of a segment goes to. */
export const LEDGER_BY_SEGMENT = { BSE: 'NSE_CASH', MCX: 'MCX' } as const

/** What that ledger is called. */
export const FUND_SEGMENTS = { BSE: SEGMENT_NAMES.NSE_CASH, MCX: SEGMENT_NAMES.MCX } as const
