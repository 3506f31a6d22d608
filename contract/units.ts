import { z } from 'zod/v4'
import { NameInAddress } from './common'
import { isBlank, readFigure, readPercent } from './readers'
import { id, idOrNone, text } from './texts'
import { bent, maybe } from './tolerant'

/** Company codes of the exchange segments, which are finer than the two ledgers: NSE_FNO and CD_NSE are posted to the NSE_CASH ledger. */
export const Segment = z.enum(['NSE_CASH', 'NSE_FNO', 'CD_NSE', 'MCX'])
export type Segment = z.infer<typeof Segment>

/** A number in this range (which may be unbounded), written as a number or as text. */
export function figure(exact: z.ZodNumber, least: number, most: number, read = readFigure): z.ZodType<number, number> {
	const above = Number.isFinite(least) ? exact.min(least) : exact
	return bent(Number.isFinite(most) ? above.max(most) : above, (value) => {
		const number = typeof value === 'string' ? read(value) : value
		// Some languages write −0, which would be shown with its sign.
		return typeof number === 'number' && number >= least && number <= most ? number + 0 : undefined
	})
}

/** Rupees a unit, at most four decimals. Never added up, so it stays a number of rupees. */
export const Price = figure(z.number(), 0, 9_999_999.9999)

/**
 * Units: shares, or units of the contract (MCX: lots × multiplier), so that quantity × price is the amount. Never lots. The contract has
 * whole units; a broker of mutual funds has fractions, which are accepted too.
 */
export const Quantity = figure(z.number().int(), 0, 100_000_000)

/** Units; long positive, short negative. */
export const SignedQuantity = figure(z.number().int(), -100_000_000, 100_000_000)

/** Per cent, at most two decimals: 1.04 is 1.04 %. */
export const Percent = figure(z.number(), -100_000, 100_000, readPercent)

/** Per cent of a whole. */
export const Share = figure(z.number(), 0, 100, readPercent)

/** The rate of a tax, per cent as text: `12.5`; `slab`: the client's own rate. Brokers also write 12.5, `12.5 %` and `Slab`; blank is empty. */
export const TaxRate = bent(z.string().max(10), (value) => {
	const rate = typeof value === 'number' || typeof value === 'string' ? String(value).replace('%', '').trim() : ''
	if (isBlank(rate)) return ''
	return rate.toLowerCase() === 'slab' ? 'slab' : rate
})

export const ScripName = text(80, 1)

const ExactIsin = z.string().regex(/^IN[A-Z0-9]{10}$/)

export const Isin = id(ExactIsin)

/** An ISIN; other forms are accepted as the broker writes them. */
export const IsinInAddress = NameInAddress

/** An ISIN that may be empty: the row stays, because its units and value count. */
export const IsinOfRow = idOrNone(ExactIsin)

/** Null for a contract (a future or an option). */
export const IsinOrNull = maybe(Isin)

export const Side = z.enum(['BUY', 'SELL'])
