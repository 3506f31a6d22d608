import { type Day } from '#contract/values/dates'
import { openLot } from '#sandbox/book/lots'
import { listedActions, type ListedAction } from '#sandbox/reference-data/actions'
import { applyBonus, listSuccessors, type NamedLot } from '#sandbox/rules/corporate-actions'
import { type Simulator } from './trading-simulator'

function applyAction(lot: NamedLot, action: ListedAction): NamedLot[] {
	const { kind, instrument, ex_day, numerator, denominator } = action
	if (instrument !== lot.instrument) return [lot]
	if (kind === 'SPLIT' || kind === 'DEMERGER') return listSuccessors(lot, { ...action, kind })
	const bonus = kind === 'BONUS' ? applyBonus(lot.quantity, numerator, denominator, ex_day) : null
	return bonus ? [lot, { instrument, ...bonus }] : [lot]
}

/**
 * The lots that a lot has become after the corporate actions with ex-days after `since`, up to `until`. For lots older than the books:
 * their actions are not in the books. A buyback changes nothing, because a client chooses to tender.
 */
export function applyEarlierActions(lot: NamedLot, since: Day, until: Day): NamedLot[] {
	const due = listedActions.filter(({ ex_day }) => ex_day > since && ex_day <= until)
	return due.reduce<NamedLot[]>((lots, action) => lots.flatMap((each) => applyAction(each, action)), [lot])
}

/**
 * Adds shares transferred from another account, without money. Quantity and cost are those of `acquired_on`; a null cost is unknown.
 */
export function transferIn(simulator: Simulator, day: Day, lot: Omit<NamedLot, 'expenses'>): void {
	for (const { instrument, ...rest } of applyEarlierActions({ ...lot, expenses: 0 }, lot.acquired_on, day)) {
		const place = { client: simulator.trader.code, instrument, segment: 'NSE_CASH' }
		openLot(simulator.book, simulator.positions, place, { side: 'L', opened_on: day, origin: 'TRANSFER', ...rest })
	}
}
