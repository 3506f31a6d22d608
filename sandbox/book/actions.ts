import { type Day } from '#contract/values/dates'
import { findFinancialYear } from '#contract/values/financial-year'
import { applyBonus, findBuybackRegime, listSuccessors } from '#sandbox/rules/corporate-actions'
import { findDividendTax, findIssuer } from '#sandbox/rules/dividend-tax'
import { sumQuantity, takeFirst } from '#sandbox/rules/fifo'
import { computeValue } from '#sandbox/rules/rounding'
import { type ActionRow, type Book, type Positions, openQueue } from './book'
import { postBankReceipt } from './entries'
import { openLot, writeDisposal } from './lots'

/** Applies a corporate action to one client's demat account, at the start of its ex-day. For buybacks see tenderBuyback. */
export function bookCorporateAction(book: Book, positions: Positions, client: string, action: ActionRow): void {
	const queue = openQueue(positions, action.instrument)
	const held = sumQuantity(queue)
	if (held === 0) return
	const { instrument, ex_day: day, kind, numerator, denominator } = action
	const place = { client, instrument, segment: 'NSE_CASH' }
	if (kind === 'DIVIDEND') payDividend(book, client, action, held)
	if (kind === 'BONUS') {
		const bonus = applyBonus(held, numerator, denominator, day)
		if (bonus) openLot(book, positions, place, { side: 'L', opened_on: day, origin: 'BONUS', ...bonus })
	}
	if (kind !== 'SPLIT' && kind !== 'DEMERGER') return
	// Closing the old lots at cost realises nothing. Their successors open in the same order.
	let before = 0
	for (const lot of queue.splice(0)) {
		const { id, quantity, cost, expenses, acquired_on } = lot
		const successors = listSuccessors({ instrument, quantity, cost, expenses, acquired_on }, { ...action, kind }, before)
		before += quantity
		writeDisposal(book, { lot, quantity, cost, expenses }, { client, day, kind, proceeds: cost ?? 0 })
		for (const { instrument: into, ...successor } of successors)
			openLot(book, positions, { ...place, instrument: into }, { side: 'L', opened_on: day, origin: kind, from_lot: id, ...successor })
	}
}

/**
 * Tenders shares in a buyback at a price in 1/10,000 rupee, oldest first. The company pays the client's bank, not the ledger. In the
 * dividend regime the receipt is a dividend and the shares are sold for nothing (findBuybackRegime). Throws RangeError when fewer shares
 * are held.
 */
export function tenderBuyback(book: Book, positions: Positions, client: string, action: ActionRow, quantity: number): void {
	const { instrument, ex_day: day, amount } = action
	const { parts, unmatched } = takeFirst(openQueue(positions, instrument), quantity)
	if (unmatched > 0) throw new RangeError(`${client} tenders ${unmatched} of ${instrument} too many`)
	const isDividend = findBuybackRegime(day) === 'DIVIDEND'
	for (const part of parts) {
		writeDisposal(book, part, { client, day, kind: 'BUYBACK', proceeds: isDividend ? 0 : computeValue(part.quantity, amount ?? 0) })
	}
	if (isDividend) payDividend(book, client, action, quantity)
	else
		postBankReceipt(
			book,
			{ client, cocd: 'NSE_CASH', day },
			{ what: 'BUYBACK', instrument, gross: computeValue(quantity, amount ?? 0), tds: 0 },
		)
}

/** The company pays the dividend to the client's bank, less the tax it deducts; it is never in the ledger. */
function payDividend(book: Book, client: string, { instrument, ex_day: day, kind, amount }: ActionRow, quantity: number): void {
	const gross = computeValue(quantity, amount ?? 0)
	if (gross === 0) return
	const earlier = book.dividends.filter(
		(paid) =>
			paid.client === client &&
			findIssuer(paid.instrument) === findIssuer(instrument) &&
			findFinancialYear(paid.ex_day) === findFinancialYear(day),
	)
	const tds = findDividendTax(
		gross,
		day,
		earlier.map((paid) => ({ amount: paid.amount, tds: paid.tds ?? 0 })),
	)
	book.dividends.push({ client, instrument, ex_day: day, quantity, amount: gross, tds })
	postBankReceipt(book, { client, cocd: 'NSE_CASH', day }, { what: kind === 'BUYBACK' ? 'BUYBACK' : 'DIVIDEND', instrument, gross, tds })
}

/** Closes every lot of a contract that expires worthless, at nothing and without a voucher. */
export function expireWorthless(book: Book, positions: Positions, client: string, instrument: string, day: Day): void {
	for (const lot of openQueue(positions, instrument).splice(0)) {
		const { quantity, cost, expenses } = lot
		writeDisposal(book, { lot, quantity, cost, expenses }, { client, day, kind: 'EXPIRY', proceeds: 0 })
	}
}
