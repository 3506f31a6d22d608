import { z } from 'zod/v4'
import { type EdisHolding, type StockVerificationRequest, type StockVerifications, TradeType } from '#contract/depository'
import { formatDashedDay, formatDay } from '#contract/values/dates'
import { parseDay } from '#contract/values/typed-day'
import { formatRupees } from '#contract/values/money'
import { MAX_TYPED, OneTyped, UnitsTyped } from '~/forms/quantity-fields.server'
import { computeValue, parseUnits } from '~/lib/margin'
import { formatUnits } from '~/lib/units'

/** The broker's rules. Undefined when they could not be loaded; then only the broker checks them. */
type Rules = { max_securities: number; trade_days: readonly string[] } | undefined

/** A verification request for the broker. Names and free units come from the broker, never from a form. */
export type Asked = Pick<StockVerificationRequest, 'eDis_type' | 'trade_type' | 'post_trade_date' | 'data'>

/** Returns the schema of the form of a stock verification (domain B-23), for what can be verified now. Fields: `isin`, `qty.<ISIN>`. */
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
				// For a day that is not allowed, the error is about the day, not about the quantity.
				const most = Math.floor(trade_type === 'PRE' ? free_qty : isNamed ? soldOn(holding, day) : holding.qty)
				const typed = qty[isin] ?? ''
				const units = parseUnits(typed)
				if (typed.trim() === '' || units === 0) wrong(['qty', isin], `Enter a quantity for ${stock_name}`)
				else if (units === undefined) wrong(['qty', isin], `The quantity for ${stock_name} must be a whole number`)
				else if (units > most) wrong(['qty', isin], tooMany(holding, most, trade_type === 'POST' ? day : undefined))
				return { isin, qty: units ?? 0, stock_name, poa_qty, free_qty }
			})
			if (trade_type === 'POST' && day === undefined)
				wrong(['post_trade_date'], post_trade_date.trim() ? 'Trade date must be a real date, like 31/03/2025' : 'Select the trade date')
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
 * Returns the units of a security sold on a day that can be verified after the sale. When the broker gives no figure, returns all units;
 * the broker then checks them.
 */
const soldOn = ({ sold, qty }: EdisHolding, day: string | undefined): number =>
	sold === undefined ? qty : (sold.find(({ trade_date }) => trade_date === day)?.qty ?? 0)

/**
 * Returns the maximum units to verify: before a sale under `PRE`, after it under each day of a sale. When the broker gives no figure for
 * a sale, only the broker can check it.
 */
export const listLimits = ({ free_qty, sold = [] }: EdisHolding): Record<string, number> => ({
	PRE: Math.floor(free_qty),
	...Object.fromEntries(sold.map(({ trade_date, qty }) => [trade_date, Math.floor(qty)])),
})

/** Returns the units of a security sold on the allowed days and not yet verified. */
export const sumSold = ({ sold = [] }: EdisHolding): number => sold.reduce((sum, { qty }) => sum + qty, 0)

/** True when there are units to verify, before or after a sale. */
export const isVerifiable = (holding: EdisHolding): boolean => holding.free_qty >= 1 || sumSold(holding) >= 1

/**
 * Returns why not all units can be verified: `60 pledged or blocked`, with `All` before it when none can. Undefined when all can, or when
 * the reason is not known. Units verified after their sale are only in the list of verifications.
 */
export function tellNotFree(holding: EdisHolding, verifications: StockVerifications['verifications'] | undefined): string | undefined {
	const { isin, qty, free_qty, verified_qty } = holding
	const rest = qty - free_qty - sumSold(holding)
	if (rest <= 0) return undefined
	const listed = verifications?.filter((each) => each.isin === isin).reduce((sum, each) => sum + (each.qty ?? 0), 0) ?? 0
	const verified = Math.min(rest, Math.max(verified_qty, listed))
	const other = rest - verified
	if (other > 0 && verifications === undefined) return rest === qty ? 'None free' : undefined
	const parts = [
		...(verified > 0 ? [`${formatUnits(verified)} already verified`] : []),
		...(other > 0 ? [`${formatUnits(other)} pledged or blocked`] : []),
	]
	return rest === qty && parts.length === 1 ? `All ${parts[0]}` : parts.join(', ')
}

type Filled = { isin: string[]; qty: Record<string, string>; trade_type: string; post_trade_date: string }

/** Returns the suggested quantity: all free units or, when there are none, all sold units. */
export const showOffer = (holding: EdisHolding): string =>
	isVerifiable(holding) ? formatUnits(Math.floor(holding.free_qty) || Math.floor(sumSold(holding))) : ''

/** Returns the values of the form as a query, so that a search or a sort keeps them: selected rows and changed quantities. */
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

/**
 * Reads such a query. `select=all` selects all free units, up to the maximum of one code; `select=sold` selects the units sold on their
 * day.
 */
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
	const filled = (holding: EdisHolding) => {
		const units = sold.get(holding.isin)
		return units ? formatUnits(units) : showOffer(holding)
	}
	return {
		isin: select === null ? canBe.filter((isin) => query.getAll('isin').includes(isin)) : chosen.slice(0, maxSecurities),
		qty: Object.fromEntries(holdings.map((holding) => [holding.isin, query.get(`qty.${holding.isin}`) ?? filled(holding)])),
		trade_type: TradeType.catch('PRE').parse(query.get('trade_type')),
		post_trade_date: query.get('post_trade_date') ?? '',
	}
}

/** Seconds to wait before the broker sends another code. Unlike other replies, these two calls do not state it. */
export const RESEND_S = 30

/** The request that waits for its code. It must fit in a cookie, so it does not have the names of a hundred securities. */
export const PendingEdis = z.object({
	lines: z.array(z.object({ name: z.string(), qty: z.number(), close: z.number().optional(), note: z.string().optional() })),
	type: TradeType.optional(),
	/** The trade date of a sale, as the page shows it. */
	day: z.string().optional(),
	/** Number of further securities. */
	more: z.number(),
	/** Seconds that a code is valid, when the broker states them. */
	expiresIn: z.number().optional(),
})

/** The field for the code must be on a phone's first screen. */
const SHOWN = 4

export function createPending(
	{ data, trade_type, post_trade_date }: Asked,
	holdings: readonly EdisHolding[],
	expiresIn: number | undefined,
) {
	const held = new Map(holdings.map((holding) => [holding.isin, holding]))
	const lines = data.slice(0, SHOWN).map(({ isin, stock_name, qty }) => {
		const holding = held.get(isin)
		return { name: stock_name, qty, close: holding?.close_price, note: trade_type === 'PRE' ? tellLeft(holding) : undefined }
	})
	const day = post_trade_date?.replaceAll('-', '/') || undefined
	return { lines, type: trade_type, day, more: data.length - lines.length, expiresIn } satisfies z.infer<typeof PendingEdis>
}

/** Says which sold units a verification before a sale leaves out; undefined when none are sold. */
function tellLeft({ sold = [] }: Pick<EdisHolding, 'sold'> = {}): string | undefined {
	const parts = sold.filter(({ qty }) => qty >= 1).map(({ qty, trade_date }) => `${formatUnits(qty)} sold on ${formatDay(trade_date)}`)
	return parts.length > 0 ? `Not in this: ${parts.join(', ')}. Verify those too, as Post: after a sale.` : undefined
}

/** Returns one line of the request in words: `329 shares, ₹ 1,10,609.80`, at the last close. */
export function describePending({ qty, close }: PendingLine): string {
	const units = `${formatUnits(qty)} ${qty === 1 ? 'share' : 'shares'}`
	return close ? `${units}, ${formatRupees(computeValue(qty, close))}` : units
}

type PendingLine = z.infer<typeof PendingEdis>['lines'][number]
