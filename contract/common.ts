import { z } from 'zod/v4'
import { isDay } from './values/dates'
import { toPaise } from './values/money'

/*
 * What crosses the wire, in the broker's own field names. `z.input` is what a broker writes (rupees as JSON numbers),
 * `z.output` is what the portal sees (integer paise). Schemas of replies say what the portal needs and no more, and are read with
 * tolerance: see tolerant.ts. Schemas of requests are exact.
 */

/** Rupees on the wire, paise in the portal. Credit is positive, debit negative. */
export const Money = z.number().min(-9_999_999_999.99).max(9_999_999_999.99).transform(toPaise)

/** Rupees, never negative. */
export const MoneyNonNegative = z.number().min(0).max(9_999_999_999.99).transform(toPaise)

export const Day = z.string().refine(isDay, 'Not a real date')

/** Header of an answer, ours: the broker's own day (YYYY-MM-DD). A broker that has none is taken at its `Date`, within a day of the portal's own. */
export const BUSINESS_DAY = 'x-business-day'

/** Start year of a financial year, `2024` for 2024-2025. */
export const YearStart = z.string().regex(/^20\d{2}$/)

export const ClientCode = z.string().regex(/^[A-Z0-9]{3,12}$/)
export const Token = z
	.string()
	.min(16)
	.max(2048)
	.regex(/^[A-Za-z0-9._~+/=-]+$/)

/** The two ledgers: NSE_CASH carries equity, F&O and currency; MCX carries commodity. */
export const LedgerCocd = z.enum(['NSE_CASH', 'MCX'])
export type LedgerCocd = z.infer<typeof LedgerCocd>

/** Every JSON answer is wrapped: what was asked for is in `data`. */
export const envelope = <Data extends z.ZodType>(data: Data) => z.object({ status: z.literal('success'), message: z.string(), data })

/** Every error, also of calls whose success is a file. */
export const ErrorEnvelope = z.object({
	status: z.literal('error'),
	message: z.string().min(1).max(300),
	data: z
		.object({
			attempts_left: z.number().int().optional(),
			retry_after: z.number().int().optional(),
			fields: z.array(z.object({ name: z.string(), message: z.string() })).optional(),
		})
		.nullish()
		.catch(null),
})
export type ErrorEnvelope = z.infer<typeof ErrorEnvelope>
