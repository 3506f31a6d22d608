import { type z } from 'zod/v4'
import { type Lot } from '#contract/holding'
import { type Day } from '#contract/values/dates'
import { toRupees } from '#contract/values/money'
import { countDaysHeld, findLongTermDay, findTaxableCost, findTermOfSale } from '#sandbox/rules/capital-gains'
import { shareOut } from '#sandbox/rules/rounding'
import { findGainHead, findHeadRule } from '#sandbox/rules/tax-heads'
import { type Held } from './holding-rows'

/**
 * The lots of one holding, in the order of sale. The holding's value is divided over them, so that they sum to it. `fmv` as in the book.
 */
export function listLotRows({ scrip, position, lots }: Held, day: Day, fmv: number | null): z.input<typeof Lot>[] {
	// Lots of known cost divide the holding's known value, lots of unknown cost the rest. Both sums are in the holding report.
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
