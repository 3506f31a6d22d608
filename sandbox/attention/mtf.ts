import { formatDay, toIndianDay } from '#contract/values/dates'
import { formatRupees } from '#contract/values/money'
import { nameUnits } from '#contract/values/unit-names'
import { listWaitingPledges, readMarginCall } from '#sandbox/mtf/account'
import { type Item, type ItemFinder } from './item'

const grouped = new Intl.NumberFormat('en-IN')

/** Missing margin, and funded shares whose pledge the client has not confirmed. */
export const mtfItems: ItemFinder = async ({ books }, { code }, now) => {
	const { positions, shortfall, shortfallBy, soldOn } = await readMarginCall(books, code, now)
	const waiting = await listWaitingPledges(books, code, positions, now)
	const pledges = waiting.map(({ position, quantity, confirmBy, soldFrom, reference }): Item => {
		const units = `${grouped.format(quantity)} ${nameUnits(position.instrument, quantity)}`
		const words = `Confirm the pledge of ${units} of ${position.symbol} bought with margin funding, or they are sold on ${formatDay(toIndianDay(soldFrom))}.`
		return { kind: 'MTF_PLEDGE', reference, words, amount: null, deadline: confirmBy }
	})
	if (shortfall === 0) return pledges
	const words = `Your margin funding is ${formatRupees(shortfall)} short of margin. Add funds, or the broker sells shares on ${formatDay(soldOn ?? toIndianDay(now))}.`
	const deadline = new Date(`${shortfallBy ?? toIndianDay(now)}T23:59:00+05:30`)
	return [{ kind: 'MTF_SHORTFALL', reference: null, words, amount: -shortfall, deadline }, ...pledges]
}
