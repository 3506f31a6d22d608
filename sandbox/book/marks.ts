import { type Day } from '#contract/values/dates'
import { findSettlementDay, formatSettlement } from '#sandbox/rules/calendar'
import { findMark, type Mark } from '#sandbox/rules/mark-to-market'
import { computeValue } from '#sandbox/rules/rounding'
import { formatBillNumber, findLedger, type Segment } from '#sandbox/rules/segments'
import { type Book, type MarkRow, type NoteRow, type Positions, openQueue } from './book'
import { type Journal, postVoucher, takeNumber } from './voucher'

/** The client and contract of a mark, its day, and its price in 1/10,000 rupee. */
export interface MarkPlace {
	client: string
	day: Day
	segment: Segment
	instrument: string
	price: number
}

/**
 * Posts a mark as a separate bill without trades and charges, settled like trades of that day: `MTM SBIN26DECFUT F20261120`. Returns the
 * rows to store; undefined when the amount is 0, because then nothing is due. The bill number continues after `journal.running`.
 */
function postMark(journal: Journal, place: MarkPlace, { quantity, stood, amount }: Mark): { note: NoteRow; mark: MarkRow } | undefined {
	if (amount === 0) return undefined
	const { client, day, segment, instrument, price } = place
	const cocd = findLedger(segment)
	const settlement_no = formatSettlement(segment, day)
	const bill_no = formatBillNumber(segment, day, takeNumber(journal, `${segment} ${day}`))
	const settles_on = findSettlementDay(day)
	postVoucher(journal, {
		day,
		type: 'BILL',
		narration: `MTM ${instrument} ${settlement_no}`,
		sides: [
			{ account: 'CLIENT', client, cocd, amount },
			{ account: 'CLEARING', amount: -amount },
		],
		settlement_no,
		bill_no,
		settles_on,
	})
	return {
		note: { bill_no, client, day, segment, cocd, settlement_no, settles_on, obligation: amount, net: amount },
		mark: { bill_no, client, day, instrument, quantity, price, stood, amount },
	}
}

/** Marks all open lots of a future at the end of a day. The next mark or closing trade counts from this price. */
export function bookMark(book: Book, positions: Positions, place: MarkPlace, multiplier: number): void {
	const lots = openQueue(positions, place.instrument)
	const mark = findMark(
		lots.map((lot) => ({ ...lot, stood: lot.marked ?? lot.cost ?? 0 })),
		place.price,
		multiplier,
	)
	for (const lot of lots) lot.marked = computeValue(lot.quantity, place.price, multiplier)
	const posted = postMark(book, place, mark)
	if (posted === undefined) return
	book.notes.push(posted.note)
	book.marks.push(posted.mark)
}
