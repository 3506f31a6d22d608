import { type z } from 'zod/v4'
import { type Lot } from '#contract/holding'
import { type Day } from '#contract/values/dates'
import { toRupees } from '#contract/values/money'
import { countDaysHeld, findLongTermDay, findTaxableCost, findTermOfSale } from '#sandbox/rules/capital-gains'
import { shareOut } from '#sandbox/rules/rounding'
import { findGainHead, findHeadRule } from '#sandbox/rules/tax-heads'
import { type Held } from './holding-rows'

/** The lots of one holding, first to be sold first; values are shares of the holding's, so that they sum to it. `fmv` as in the book. */
export function listLotRows({ scrip, position, lots }: Held, day: Day, fmv: number | null): z.input<typeof Lot>[] {
	// Lots of unknown cost divide what the known ones leave: both sums are the holding report's.
	const known = lots.map(({ cost, quantity }) => (cost === null ? 0 : quantity))
	const unknown = lots.map(({ cost, quantity }) => (cost === null ? quantity : 0))
	const knownValues = shareOut(position.knownValue, known)
	const unknownValues = shareOut(position.value - position.knownValue, unknown)
	return lots.map((lot, at) => {
		const value = (lot.cost === null ? unknownValues[at] : knownValues[at]) ?? 0
		const term = findTermOfSale(scrip.kind, lot.acquiredOn, day)
		const head = findGainHead(scrip.kind, term)
		const { section, rate } = findHeadRule(head, day)
		const { acquiredOn: acquired_on, quantity, cost } = lot
		const taxCost =
			cost === null ? null : findTaxableCost({ acquired_on, quantity, cost, proceeds: value }, head === 'LONG_EQUITY' ? fmv : null)
		return {
			LOT_ID: String(lot.id),
			OPENED_ON: lot.openedOn,
			ACQUIRED_ON: lot.acquiredOn,
			ORIGIN: lot.origin,
			BILL_NO: lot.billNo,
			QTY: quantity,
			COST: cost === null ? null : toRupees(cost),
			CHARGES: toRupees(lot.expenses),
			DAYS: countDaysHeld(lot.acquiredOn, day),
			LONG_TERM_FROM: findLongTermDay(scrip.kind, lot.acquiredOn),
			VALUE: toRupees(value),
			UNREALISED: cost === null ? null : toRupees(value - cost),
			HEAD: head,
			SECTION: section,
			TAX_RATE: rate,
			TAX_COST: taxCost === null ? null : toRupees(taxCost),
			TAX_GAIN: taxCost === null ? null : toRupees(value - taxCost - lot.expenses),
		}
	})
}
