import { z } from 'zod/v4'
import { type EdisHolding, type StockVerificationRequest, TradeType } from '#contract/depository'
import { formatDashedDay, formatDay, parseDay } from '#contract/values/dates'
import { formatRupees } from '#contract/values/money'
import { MAX_TYPED, OneTyped, UnitsTyped } from '~/forms/quantity-fields.server'
import { computeMargin, parseUnits } from '~/lib/margin'
import { formatUnits } from '~/lib/units'

/** The broker's rules; a rule that it did not state is checked by the broker. */
type Rules = { max_securities: number; trade_days: readonly string[] } | undefined

/** A verification request for the broker: names and quantities come from the broker, never from a form. */
export type Asked = Pick<StockVerificationRequest, 'eDis_type' | 'trade_type' | 'post_trade_date' | 'data'>

/** Validates the form of a stock verification (domain B-23) against what can be verified now. Fields: `isin`, `qty.<ISIN>`. */
export function createEdisForm(holdings: readonly EdisHolding[], rules: Rules) {
	return z
		.object({
			isin: z.array(z.string()).catch([]),
			qty: UnitsTyped,
			trade_type: TradeType.catch('PRE'),
			post_trade_date: OneTyped,
		})
		.transform(({ isin, qty, trade_type, post_trade_date }, { addIssue }): Asked => {
			const wrong = (path: (string | number)[], message: string) => addIssue({ code: 'custom', path, message })
			const chosen = holdings.filter((holding) => isin.includes(holding.isin))
			if (chosen.length === 0) wrong(['isin'], 'Select at least one security')
			if (rules && chosen.length > rules.max_securities)
				wrong(['isin'], `You can verify up to ${rules.max_securities} securities at a time`)
			const day = parseDay(post_trade_date)
			const isNamed = day !== undefined && (rules === undefined || rules.trade_days.includes(day))
			const data = chosen.map((holding) => {
				const { isin, stock_name, poa_qty, free_qty } = holding
				// Of a day that cannot be named the day is said to be wrong, not the quantity.
				const most = Math.floor(trade_type === 'PRE' ? free_qty : isNamed ? soldOn(holding, day) : holding.qty)
				const typed = qty[isin] ?? ''
				const units = parseUnits(typed)
				if (typed.trim() === '' || units === 0) wrong(['qty', isin], `Enter a quantity for ${stock_name}`)
				else if (units === undefined) wrong(['qty', isin], `The quantity for ${stock_name} must be a whole number`)
				else if (units > most) wrong(['qty', isin], tooMany(holding, most, trade_type === 'POST' ? day : undefined))
				return { isin, qty: units ?? 0, stock_name, poa_qty, free_qty }
			})
			if (trade_type === 'POST' && day === undefined) wrong(['post_trade_date'], 'Select the trade date')
			else if (trade_type === 'POST' && rules && !rules.trade_days.includes(day ?? ''))
				wrong(['post_trade_date'], `The trade date must be ${rules.trade_days.map(formatDay).join(' or ')}`)
			const canBe = holdings.filter(({ free_qty }) => free_qty >= 1)
			const isAll =
				trade_type === 'PRE' &&
				canBe.every(({ isin, free_qty }) => data.some((line) => line.isin === isin && line.qty === Math.floor(free_qty)))
			return {
				eDis_type: isAll ? '1' : '2',
				trade_type,
				post_trade_date: trade_type === 'POST' && day !== undefined ? formatDashedDay(day) : '',
				data,
			}
		})
}

function tooMany({ stock_name }: EdisHolding, most: number, day: string | undefined): string {
	if (day === undefined) return `You can verify up to ${most} of ${stock_name}`
	if (most === 0) return `You sold no ${stock_name} on ${formatDay(day)} that is not verified yet`
	return `You sold ${most} of ${stock_name} on ${formatDay(day)} that are not verified yet`
}

/**
 * Units of a security sold on a day that can be verified after the sale. Without the broker's figure: all units there; the broker checks
 * them.
 */
const soldOn = ({ sold, qty }: EdisHolding, day: string | undefined): number =>
	sold === undefined ? qty : (sold.find(({ trade_date }) => trade_date === day)?.qty ?? 0)

/**
 * The most units that may be verified: before a sale under `PRE`, after it under each day of a sale. After a sale the broker may not have
 * said how many, and then only it can check them.
 */
export const listLimits = ({ free_qty, sold = [] }: EdisHolding): Record<string, number> => ({
	PRE: Math.floor(free_qty),
	...Object.fromEntries(sold.map(({ trade_date, qty }) => [trade_date, Math.floor(qty)])),
})

/** Units of a security sold on the days that may be named, and not verified. */
export const sumSold = ({ sold = [] }: EdisHolding): number => sold.reduce((sum, { qty }) => sum + qty, 0)

/** True where there is something to verify, before a sale or after it. */
export const isVerifiable = (holding: EdisHolding): boolean => holding.free_qty >= 1 || sumSold(holding) >= 1

/** The values of the form's fields. */
type Filled = { isin: string[]; qty: Record<string, string>; trade_type: string; post_trade_date: string }

/** A quantity nobody has typed over: all that is free, or, when nothing is, all that was sold. */
export const showOffer = (holding: EdisHolding): string =>
	isVerifiable(holding) ? String(Math.floor(holding.free_qty) || Math.floor(sumSold(holding))) : ''

/** The form's values as a query, so that a search or a sort keeps them: selected rows and changed quantities. */
export function formatFilledQuery(form: FormData, holdings: readonly EdisHolding[]): URLSearchParams {
	const query = new URLSearchParams()
	const chosen = form.getAll('isin')
	for (const holding of holdings) {
		if (chosen.includes(holding.isin)) query.append('isin', holding.isin)
		const typed = form.get(`qty.${holding.isin}`)
		if (typeof typed === 'string' && typed.trim() !== showOffer(holding)) query.set(`qty.${holding.isin}`, typed.trim().slice(0, MAX_TYPED))
	}
	if (form.get('trade_type') === 'POST') {
		query.set('trade_type', 'POST')
		query.set('post_trade_date', String(form.get('post_trade_date') ?? '').slice(0, MAX_TYPED))
	}
	return query
}

/** Reads such a query. `select=all` selects all free units, up to the limit of one code; `select=sold` those sold on their day. */
export function readFilled(query: URLSearchParams, holdings: readonly EdisHolding[], maxSecurities: number | undefined): Filled {
	const canBe = holdings.filter(isVerifiable).map(({ isin }) => isin)
	const select = query.get('select')
	const day = parseDay(query.get('post_trade_date') ?? '')
	const sold = new Map(
		select === 'sold' ? holdings.map((holding) => [holding.isin, soldOn({ ...holding, sold: holding.sold ?? [] }, day)]) : [],
	)
	const chosen = canBe.filter((isin) =>
		select === 'all' ? holdings.some((holding) => holding.isin === isin && holding.free_qty >= 1) : (sold.get(isin) ?? 0) > 0,
	)
	const filled = (holding: EdisHolding) => (sold.get(holding.isin) ? String(sold.get(holding.isin)) : showOffer(holding))
	return {
		isin: select === null ? canBe.filter((isin) => query.getAll('isin').includes(isin)) : chosen.slice(0, maxSecurities),
		qty: Object.fromEntries(holdings.map((holding) => [holding.isin, query.get(`qty.${holding.isin}`) ?? filled(holding)])),
		trade_type: TradeType.catch('PRE').parse(query.get('trade_type')),
		post_trade_date: query.get('post_trade_date') ?? '',
	}
}

/** The broker's wait before another code, in seconds. Unlike other replies, these two calls do not state it. */
export const RESEND_S = 30

/** What waits for its code, small enough for a cookie: a hundred securities by name are not. */
export const PendingEdis = z.object({
	lines: z.array(z.object({ name: z.string(), qty: z.number(), close: z.number().optional() })),
	type: TradeType.optional(),
	/** Number of further securities. */
	more: z.number(),
	/** Seconds that a code is valid. */
	expiresIn: z.number(),
})

const SHOWN = 8

export function createPending({ data, trade_type }: Asked, holdings: readonly EdisHolding[], expiresIn: number) {
	const closes = new Map(holdings.map(({ isin, close_price }) => [isin, close_price]))
	const lines = data.slice(0, SHOWN).map(({ isin, stock_name, qty }) => ({ name: stock_name, qty, close: closes.get(isin) }))
	return { lines, type: trade_type, more: data.length - lines.length, expiresIn } satisfies z.infer<typeof PendingEdis>
}

/** One line of it in words: `329 shares · Pre · ₹ 1,10,609.80`, at the last close. */
export function describePending({ qty, close }: PendingLine, type: TradeType | undefined): string {
	const words = [`${formatUnits(qty)} ${qty === 1 ? 'share' : 'shares'}`]
	if (type) words.push(type === 'PRE' ? 'Pre' : 'Post')
	if (close) words.push(formatRupees(computeMargin(qty, close, 0)))
	return words.join(' · ')
}

type PendingLine = z.infer<typeof PendingEdis>['lines'][number]
