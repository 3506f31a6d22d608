import { z } from 'zod/v4'
import { isBlank, readBalance, readDay, readFigure, readFlag, readMoment, readOfSide } from './readers'
import { words } from './texts'
import { bent, noteFiner, spare } from './tolerant'
import { type Day as DayText } from './values/dates'
import { isDay } from './values/typed-day'
import { toPaise, toRupees, type Paise } from './values/money'

/*
 * Values in the broker's API, under the broker's own field names. `z.input` is what a broker writes (rupees as JSON numbers), `z.output`
 * is what the portal uses (integer paise). Schemas of responses name only what the portal needs, and are read with tolerance
 * (tolerant.ts). Schemas of requests are exact.
 */

const MOST_RUPEES = 9_999_999_999.99

/** A difference in rupees that only the binary form of numbers makes, as in 0.1 + 0.2. */
const NOISE = 0.0001

/** Rupees in this range, from a number or from text that `read` understands. The portal gets paise. */
function rupees(least: number, read: (text: string) => number | undefined): z.ZodType<Paise, number> {
	const exact = z.number().min(least).max(MOST_RUPEES).transform(toPaise)
	return bent(exact, (value) => {
		const figure = typeof value === 'string' ? read(value) : value
		if (typeof figure !== 'number' || !(figure >= least && figure <= MOST_RUPEES)) return undefined
		const paise = toPaise(figure)
		if (Math.abs(toRupees(paise) - figure) > NOISE) noteFiner()
		return paise
	})
}

/** Rupees in the API, paise in the portal. A gain or a receipt is positive, a loss or a payment negative. */
export const Money = rupees(-MOST_RUPEES, readFigure)

/** Rupees, never negative. */
export const MoneyNonNegative = rupees(0, readFigure)

/** Rupees in the column of debits or of credits of a ledger, never negative. A broker may write the side: `500.00 Dr`. */
export const DebitAmount = rupees(0, readOfSide('DR'))
export const CreditAmount = rupees(0, readOfSide('CR'))

/** The amount that the broker owes the client: credit positive, debit negative. A broker may write the side: `500.00 Dr`. */
export const Balance = rupees(-MOST_RUPEES, readBalance)

/** A credit balance; never negative. Of a client who owes, brokers also write the debit: then there is no credit. */
export const BalanceNonNegative = bent(rupees(0, readBalance), (value) => {
	const { data } = Balance.safeParse(value)
	return data === undefined ? undefined : Math.max(0, data)
})

const ExactDay = z.string().refine(isDay, 'Not a real date')
export const Day: z.ZodType<DayText, string> = bent(ExactDay, (value) =>
	typeof value !== 'string' ? undefined : isDay(value) ? value : readDay(value),
)

const bendMoment = (value: unknown) => (typeof value === 'string' ? readMoment(value) : undefined)
/** A moment in UTC. */
export const Moment = bent(z.iso.datetime(), bendMoment)
/** A moment with any offset; the portal gets UTC. */
export const MomentWithZone = bent(z.iso.datetime({ offset: true }), bendMoment)

export const Flag = bent(z.boolean(), (value) => (typeof value === 'boolean' ? value : readFlag(value)))

/** A flag that a broker leaves out when it is false. */
export const FlagOrNo = bent(z.boolean(), (value) => (typeof value === 'boolean' ? value : isBlank(value) ? false : readFlag(value)))

/** A whole number in this range: days, pieces, seconds. */
export function whole(least: number, most: number): z.ZodType<number, number> {
	return bent(z.number().int().min(least).max(most), (value) => {
		const figure = typeof value === 'string' ? readFigure(value) : value
		return Number.isInteger(figure) && (figure as number) >= least && (figure as number) <= most ? (figure as number) + 0 : undefined
	})
}

const DAY_SECONDS = 86_400
const readSeconds = whole(1, DAY_SECONDS)

/**
 * Seconds for which an OTP is valid, or until another may be sent: at most an hour. The portal reads up to a day. Undefined when there is
 * no such time: the OTP was sent all the same.
 */
export const otpSeconds = (least: number) =>
	spare(
		bent(whole(least, 3600), (value) => readSeconds.safeParse(value).data),
		() => undefined,
	)

/**
 * A response header that is not in the specification: the broker's current day (YYYY-MM-DD). Without it the portal uses the broker's
 * `Date` header, if it is within a day of the portal's own clock.
 */
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

/** True for a path, also when it is written in full-width letters that some systems read as plain ones. */
const isTraversal = (value: string) => /\.\.|[\\%]|^\/|\/$|\/\//.test(value.normalize('NFKC'))

/** A broker's name for something, used in an address of the portal: one line of text that is not a path. */
export const NameInAddress = z
	.string()
	.min(1)
	.max(200)
	.regex(/^[^\p{Cc}\p{Cf}\p{Cs}]+$/u)
	.refine((value) => !isTraversal(value), 'is a path')

/** The content of a reply that has none. Brokers also write `{}` or an empty text there, or leave it out. */
export const NoContent = spare(z.null(), () => null)

const Success = bent(z.literal('success'), (value) => (/^(success|ok)$/i.test(String(value)) ? 'success' : undefined))

/** Every JSON response is wrapped; its content is in `data`. */
export const envelope = <Data extends z.ZodType>(data: Data) =>
	z.object({ status: Success, message: spare(words(z.string()), () => ''), data })

/** Every error response, also of calls that return a file. */
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
