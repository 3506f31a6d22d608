import { today } from '~/lib/days'
import { formatRupees } from '~/lib/money'
import { pledgeDeadline, readMarginCall } from '#sandbox/mtf/account'
import { SQUARE_OFF_DAYS } from '#sandbox/rules/mtf'
import { type Item, type Source } from './item'

const grouped = new Intl.NumberFormat('en-IN')

/** Margin that is missing, and funded shares whose pledge the client has not confirmed. */
export const mtfItems: Source = async ({ books }, { code }, now) => {
	const { positions, shortfall, shortfallBy } = await readMarginCall(books, code, today(now))
	const pledges = positions.flatMap((position): Item[] => {
		const deadline = pledgeDeadline(position)
		if (deadline === undefined) return []
		const { symbol, instrument, quantity, pledged } = position
		const words = `Confirm the pledge of ${grouped.format(quantity - pledged)} ${symbol} bought with margin funding, or they are sold ${SQUARE_OFF_DAYS} trading days after the purchase.`
		return [{ kind: 'MTF_PLEDGE', reference: instrument, words, amount: null, deadline }]
	})
	if (shortfall === 0) return pledges
	const words = `Your margin funding is ${formatRupees(shortfall)} short of margin. Add funds, or the broker sells shares.`
	const deadline = new Date(`${shortfallBy ?? today(now)}T23:59:00+05:30`)
	return [{ kind: 'MTF_SHORTFALL', reference: null, words, amount: -shortfall, deadline }, ...pledges]
}
