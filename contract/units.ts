import { z } from 'zod/v4'
import { text } from './tolerant'

/** Company codes of the exchange segments, finer than the two ledgers: NSE_FNO and CD_NSE are posted to the NSE_CASH ledger. */
export const Segment = z.enum(['NSE_CASH', 'NSE_FNO', 'CD_NSE', 'MCX'])
export type Segment = z.infer<typeof Segment>

/** Rupees a unit, at most four decimals. Shown and never summed, so it stays a number of rupees. */
export const Price = z.number().min(0).max(9_999_999.9999)

/** Units: shares, or units of the contract (MCX: lots × multiplier), so that quantity × price is the amount. Never lots. */
export const Quantity = z.number().int().min(0).max(100_000_000)

/** Units; long positive, short negative. */
export const SignedQuantity = z.number().int().min(-100_000_000).max(100_000_000)

/** Per cent, at most two decimals: 1.04 is 1.04 %. */
export const Percent = z.number().min(-100_000).max(100_000)

export const ScripName = text(80, 1)

export const Isin = z.string().regex(/^IN[A-Z0-9]{10}$/)

/** Null for a contract. */
export const IsinOrNull = Isin.nullable()

/** Bought or sold. */
export const Side = z.enum(['BUY', 'SELL'])
