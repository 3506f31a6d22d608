import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { divideHalfUp } from './rounding'

/** The open part of a lot. Cost is null when unknown. Quantity, cost and expenses decrease as parts are taken. */
export interface OpenLot {
	id: number
	/** L or S: only derivatives have shorts. */
	side: 'L' | 'S'
	opened_on: Day
	acquired_on: Day
	quantity: number
	cost: Paise | null
	expenses: Paise
	/**
	 * For a future: its value at the last mark to market, in paise; gains and losses up to it are paid. It decreases like the others.
	 */
	marked?: Paise
}

/** A part taken from a lot, with its share of cost and expenses. */
export interface LotPart {
	lot: OpenLot
	quantity: number
	cost: Paise | null
	expenses: Paise
	marked?: Paise
}

function computeShare(amount: Paise, part: number, whole: number): Paise {
	return part === whole ? amount : divideHalfUp(amount * part, whole)
}

/**
 * Takes a quantity out of one lot, with its proportional share of the remaining cost, expenses and mark. The parts of a lot therefore
 * sum to it exactly. Throws RangeError when the lot has less: a lot is never negative.
 */
function takePart(lot: OpenLot, quantity: number): LotPart {
	if (quantity <= 0 || quantity > lot.quantity) throw new RangeError(`Cannot take ${quantity} of a lot of ${lot.quantity}`)
	const cost = lot.cost === null ? null : computeShare(lot.cost, quantity, lot.quantity)
	const expenses = computeShare(lot.expenses, quantity, lot.quantity)
	if (lot.cost !== null && cost !== null) lot.cost -= cost
	const marked = lot.marked === undefined ? undefined : computeShare(lot.marked, quantity, lot.quantity)
	if (lot.marked !== undefined && marked !== undefined) lot.marked -= marked
	lot.expenses -= expenses
	lot.quantity -= quantity
	return { lot, quantity, cost, expenses, marked }
}

/**
 * First in, first out (CBDT circulars 704/1995 and 768/1998): takes up to `quantity` from the front of the queue and removes used-up
 * lots. The queue must be in order of credit to the account. Returns the parts taken and the quantity for which no lot was left.
 */
export function takeFirst(queue: OpenLot[], quantity: number): { parts: LotPart[]; unmatched: number } {
	const parts: LotPart[] = []
	let left = quantity
	while (left > 0) {
		const lot = queue[0]
		if (!lot) break
		const part = takePart(lot, Math.min(left, lot.quantity))
		left -= part.quantity
		parts.push(part)
		if (lot.quantity === 0) queue.shift()
	}
	return { parts, unmatched: left }
}

/** Quantity in a queue: long positive, short negative. */
export function sumQuantity(queue: readonly OpenLot[]): number {
	let quantity = 0
	for (const lot of queue) quantity += lot.side === 'L' ? lot.quantity : -lot.quantity
	return quantity
}
