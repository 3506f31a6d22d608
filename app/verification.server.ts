import { z } from 'zod/v4'
import { type EdisHolding, type StockVerificationRequest, TradeType } from '~/broker/contract/depository'
import { dashedDay, formatDay, parseDay } from '~/lib/days'
import { unitsOf } from '~/lib/margin'
import { MAX_TYPED, OneTyped, UnitsTyped } from '~/typed-units.server'

/** What the broker told of the rules; what it has not told it checks itself. */
type Rules = { max_securities: number; trade_days: readonly string[] } | undefined

/** A verification as the wire wants it: names and quantities are the broker's own, never those of a form. */
export type Asked = Pick<StockVerificationRequest, 'eDis_type' | 'trade_type' | 'post_trade_date' | 'data'>

/** What the form of a stock verification must hold (domain B-23), over what can be verified now. Fields: `isin`, `qty.<ISIN>`. */
export function verificationOf(holdings: readonly EdisHolding[], rules: Rules) {
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
			const data = chosen.map(({ isin, stock_name, poa_qty, free_qty }) => {
				const typed = qty[isin] ?? ''
				const units = unitsOf(typed)
				if (typed.trim() === '' || units === 0) wrong(['qty', isin], `Enter a quantity for ${stock_name}`)
				else if (units === undefined) wrong(['qty', isin], `The quantity for ${stock_name} must be a whole number`)
				else if (units > free_qty) wrong(['qty', isin], `You can verify up to ${free_qty} of ${stock_name}`)
				return { isin, qty: units ?? 0, stock_name, poa_qty, free_qty }
			})
			const day = parseDay(post_trade_date)
			if (trade_type === 'POST' && day === undefined) wrong(['post_trade_date'], 'Select the trade date')
			else if (trade_type === 'POST' && rules && !rules.trade_days.includes(day ?? ''))
				wrong(['post_trade_date'], `The trade date must be ${rules.trade_days.map(formatDay).join(' or ')}`)
			const canBe = holdings.filter(({ free_qty }) => free_qty > 0)
			const isAll = canBe.every(({ isin, free_qty }) => data.some((line) => line.isin === isin && line.qty === free_qty))
			return {
				eDis_type: isAll ? '1' : '2',
				trade_type,
				post_trade_date: trade_type === 'POST' && day !== undefined ? dashedDay(day) : '',
				data,
			}
		})
}

/** What stands in the fields of the form. */
type Filled = { isin: string[]; qty: Record<string, string>; trade_type: string; post_trade_date: string }

/** A quantity nobody has typed over: all that is free. */
export const offered = ({ free_qty }: EdisHolding): string => (free_qty > 0 ? String(free_qty) : '')

/** The form as an address keeps it, so that a search or a sort loses nothing: what is chosen, and what was typed over. */
export function filledAddress(form: FormData, holdings: readonly EdisHolding[]): URLSearchParams {
	const query = new URLSearchParams()
	const chosen = form.getAll('isin')
	for (const holding of holdings) {
		if (chosen.includes(holding.isin)) query.append('isin', holding.isin)
		const typed = form.get(`qty.${holding.isin}`)
		if (typeof typed === 'string' && typed.trim() !== offered(holding)) query.set(`qty.${holding.isin}`, typed.trim().slice(0, MAX_TYPED))
	}
	if (form.get('trade_type') === 'POST') {
		query.set('trade_type', 'POST')
		query.set('post_trade_date', String(form.get('post_trade_date') ?? '').slice(0, MAX_TYPED))
	}
	return query
}

/** What such an address says. `select=all` chooses everything that is free, as much as one code may be for. */
export function filledOf(query: URLSearchParams, holdings: readonly EdisHolding[], maxSecurities: number | undefined): Filled {
	const canBe = holdings.filter(({ free_qty }) => free_qty > 0).map(({ isin }) => isin)
	const isAll = query.get('select') === 'all'
	return {
		isin: isAll ? canBe.slice(0, maxSecurities) : canBe.filter((isin) => query.getAll('isin').includes(isin)),
		qty: Object.fromEntries(holdings.map((holding) => [holding.isin, query.get(`qty.${holding.isin}`) ?? offered(holding)])),
		trade_type: TradeType.catch('PRE').parse(query.get('trade_type')),
		post_trade_date: query.get('post_trade_date') ?? '',
	}
}

/** The broker's wait before another code, in seconds. The answers to these two calls do not have it, as those of other changes do. */
export const RESEND_WAIT_S = 30

/** What waits for its code, fit for a cookie: a hundred securities by name are not. */
export const PendingVerification = z.object({
	lines: z.array(z.object({ name: z.string(), qty: z.number() })),
	/** Securities beyond those. */
	more: z.number(),
	/** Seconds that a code holds. */
	expiresIn: z.number(),
})

const SHOWN = 8

export function pendingOf({ data }: Asked, expiresIn: number): z.infer<typeof PendingVerification> {
	const lines = data.slice(0, SHOWN).map(({ stock_name, qty }) => ({ name: stock_name, qty }))
	return { lines, more: data.length - lines.length, expiresIn }
}
