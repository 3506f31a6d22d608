import { type z } from 'zod/v4'
import { type PnlTie, type TieTerm } from '#contract/pnl'
import { Segment } from '#contract/units'
import { addDays } from '#contract/values/dates'
import { toRupees } from '#contract/values/money'
import { type Period } from '#sandbox/api/period-query'
import { readBillSums, readLedgerMovement } from '#sandbox/book/read-bills'
import { readStockMoves } from '#sandbox/book/read-moves'
import { readScripPeriods, type ScripPeriod, computeUnrealised } from '#sandbox/book/read-scrips'
import { type SandboxParts } from '#sandbox/types'
import { sumBy } from './grouped'

type Term = { TERM: z.infer<typeof TieTerm>; amount: number }

/**
 * Shows how a period's profit and loss becomes the sum of its bills. For fully paid trades (shares, options): sales less purchases =
 * realised + cost of the opening position - cost of the closing position, corrected for units that came, went or were sold without a
 * trade or a cost. Futures pay their gain or loss daily: their bills contain the realised result and the change of the open contracts'
 * gain since the period began.
 */
export async function makeTie({ books }: SandboxParts, client: string, { from, to }: Period): Promise<z.input<typeof PnlTie>> {
	const before = addDays(from, -1)
	const [scrips, started, moves, bills, ledgers] = await Promise.all([
		readScripPeriods(books, client, from, to),
		readScripPeriods(books, client, before, before),
		readStockMoves(books, client, from, to),
		readBillSums(books, client, from, to),
		readLedgerMovement(books, client, from, to),
	])
	const segments = Segment.options.flatMap((SEGMENT) => {
		const own = scrips.filter(({ segment }) => segment === SEGMENT)
		const billed = bills.get(SEGMENT) ?? 0
		if (own.length === 0 && billed === 0) return []
		const futuresAt = (of: readonly ScripPeriod[]) => of.filter(({ segment, kind }) => segment === SEGMENT && kind === 'FUTURE')
		const marked = sumBy(futuresAt(scrips), computeUnrealised) - sumBy(futuresAt(started), computeUnrealised)
		const paid = own.filter(({ kind }) => kind !== 'FUTURE')
		const moved = moves.filter(({ segment, kind }) => segment === SEGMENT && kind !== 'FUTURE')
		const inwards = moved.filter(({ isIn }) => isIn)
		const outwards = moved.filter(({ isIn }) => !isIn)
		const terms: Term[] = [
			{ TERM: 'REALISED', amount: sumBy(own, (scrip) => scrip.realised) },
			{ TERM: 'CHARGES', amount: -sumBy(own, (scrip) => scrip.charges) },
			{ TERM: 'MARK_TO_MARKET', amount: marked },
			{ TERM: 'OPENING_COST', amount: sumBy(paid, (scrip) => scrip.openCost) },
			{ TERM: 'CLOSING_COST', amount: -sumBy(paid, (scrip) => scrip.closeCost) },
			{ TERM: 'SHARES_IN', amount: sumBy(inwards, ({ amount }) => amount) },
			{
				TERM: 'SHARES_OUT',
				amount: -sumBy(
					outwards.filter(({ move }) => move !== 'BUYBACK'),
					({ amount }) => amount,
				),
			},
			{
				TERM: 'BUYBACK',
				amount: -sumBy(
					outwards.filter(({ move }) => move === 'BUYBACK'),
					({ amount }) => amount,
				),
			},
			{ TERM: 'UNKNOWN_COST', amount: sumBy(own, (scrip) => scrip.unknownProceeds) },
		]
		return [
			{
				SEGMENT,
				terms: terms.filter(({ amount }) => amount !== 0).map(({ TERM, amount }) => ({ TERM, AMOUNT: toRupees(amount) })),
				BILLS: toRupees(billed),
				DIFFERENCE: toRupees(sumBy(terms, ({ amount }) => amount) - billed),
			},
		]
	})
	return {
		segments,
		ledgers: ledgers.map(({ cocd, opening, billed, other }) => ({
			COCD: cocd,
			FROM: from,
			TO: to,
			OPENING: toRupees(opening),
			BILLS: toRupees(billed),
			OTHER: toRupees(other),
			CLOSING: toRupees(opening + billed + other),
		})),
	}
}
