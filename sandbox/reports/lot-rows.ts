import { type z } from 'zod/v4'
import { type Lot } from '#contract/holding'
import { type Day } from '#contract/values/dates'
import { type Paise, toRupees } from '#contract/values/money'
import { countDaysHeld, findLongTermDay, findTaxableCost, findTermOfSale } from '#sandbox/rules/capital-gains'
import { computeNote } from '#sandbox/rules/contract-note'
import { shareOut } from '#sandbox/rules/rounding'
import { findGainHead, findHeadRule } from '#sandbox/rules/tax-heads'
import { type Held } from './holding-rows'

/** `fmv`: the highest price of 31-01-2018, as in the book. `isIntraState`: see NoteTerms. */
type Terms = { day: Day; fmv: number | null; isIntraState: boolean }

/** The charges of today's purchase of a lot when it is sold today too: both are then intraday trades of one contract note. */
function chargeIntraday({ kind, instrument }: Held['scrip'], cost: Paise, proceeds: Paise, { day, isIntraState }: Terms): Paise {
	// One unit at the price of all: paise × 100 are 1/10,000 rupee.
	const trade = { instrument, kind, series: 'EQ', quantity: 1, multiplier: 1 }
	const trades = [
		{ ...trade, side: 'B', price: cost * 100, order_no: '1' },
		{ ...trade, side: 'S', price: proceeds * 100, order_no: '2' },
	] as const
	return computeNote(trades, { day, segment: 'NSE_CASH', isIntraState }).shares[0]?.charges ?? 0
}

/** The value of each lot of a holding. The holding's value is divided over its lots, so that they sum to it. */
export function shareLotValues({ position, lots }: Pick<Held, 'position' | 'lots'>): Paise[] {
	// Lots of known cost divide the holding's known value, lots of unknown cost the rest. Both sums are in the holding report.
	const known = lots.map(({ cost, quantity }) => (cost === null ? 0 : quantity))
	const unknown = lots.map(({ cost, quantity }) => (cost === null ? quantity : 0))
	const knownValues = shareOut(position.knownValue, known)
	const unknownValues = shareOut(position.value - position.knownValue, unknown)
	return lots.map(({ cost }, at) => (cost === null ? unknownValues[at] : knownValues[at]) ?? 0)
}

/** The lots of one holding, oldest first. */
export function listLotRows(held: Held, terms: Terms): z.input<typeof Lot>[] {
	const { scrip, lots } = held
	const { day, fmv } = terms
	const values = shareLotValues(held)
	return lots.map((lot, at) => {
		const value = values[at] ?? 0
		const { acquiredOn: acquired_on, quantity, cost } = lot
		/*
		 * A purchase and a sale of one day are not delivered, so they are speculation (Income-tax Act, 1961, s.43(5); the Act of 2025 keeps the
		 * rule). A fund is not traded. Units of a trade-for-trade series are always delivered, but the sandbox has no such series.
		 */
		const isIntraday = lot.origin === 'TRADE' && lot.openedOn === day && scrip.kind !== 'FUND'
		const head = isIntraday ? 'SPECULATIVE' : findGainHead(scrip.kind, findTermOfSale(scrip.kind, acquired_on, day))
		const { section, rate } = head === 'SPECULATIVE' ? { section: '', rate: 'slab' } : findHeadRule(head, day)
		const charges = isIntraday && cost !== null ? chargeIntraday(scrip, cost, value, terms) : lot.expenses
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
			CHARGES: toRupees(charges),
			DAYS: countDaysHeld(lot.acquiredOn, day),
			LONG_TERM_FROM: findLongTermDay(scrip.kind, lot.acquiredOn),
			VALUE: toRupees(value),
			UNREALISED: cost === null ? null : toRupees(value - cost),
			HEAD: head,
			SECTION: section,
			TAX_RATE: rate,
			TAX_COST: taxCost === null ? null : toRupees(taxCost),
			TAX_GAIN: taxCost === null ? null : toRupees(value - taxCost - charges),
		}
	})
}
