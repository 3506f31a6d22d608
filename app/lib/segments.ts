/** What a ledger is called, by the broker's code of it. */
export const SEGMENT_NAMES = { NSE_CASH: 'Equity', MCX: 'Commodity' } as const

/** What a pay-in calls the ledger that it goes to. */
export const SEGMENT_OF = { NSE_CASH: 'BSE', MCX: 'MCX' } as const

/** The ledger of a payment, by the segment it names. */
export const FUND_SEGMENTS = { BSE: SEGMENT_NAMES.NSE_CASH, MCX: SEGMENT_NAMES.MCX } as const
