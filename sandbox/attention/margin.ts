import { toIndianDay } from '#contract/values/dates'
import { formatRupees } from '#contract/values/money'
import { readMarginShortfall } from '#sandbox/book/read-margin'
import { listLedgers } from '#sandbox/clients/clients'
import { type ItemFinder } from './item'

const PLACES = { NSE_CASH: 'Add funds or pledge shares', MCX: 'Add funds to Commodity' } as const

/** Missing margin of open contracts, ledger by ledger. */
export const listMarginShortfalls: ItemFinder = async ({ books }, { code, profile }, now) => {
	const day = toIndianDay(now)
	const found = await Promise.all(
		listLedgers(profile).map(async (cocd) => ({ cocd, shortfall: await readMarginShortfall(books, code, cocd, day) })),
	)
	return found.flatMap(({ cocd, shortfall }) => {
		if (shortfall === undefined) return []
		const words = `Your open positions are ${formatRupees(shortfall.amount)} short of margin. ${PLACES[cocd]}, or the broker closes positions.`
		const deadline = new Date(`${shortfall.by ?? day}T23:59:00+05:30`)
		return [{ kind: 'MARGIN_SHORTFALL', reference: cocd, words, amount: -shortfall.amount, deadline }]
	})
}
