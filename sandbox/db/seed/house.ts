import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { addOwed, COLLECTED, findGstDay, type Owed, postClearing, postGstPayment } from '#sandbox/book/house'
import { type Account } from '#sandbox/book/voucher'
import { type Simulator } from './trading-simulator'

const collected: ReadonlySet<string> = new Set(COLLECTED)
const isCollected = (kind: string): kind is Account => collected.has(kind)

/** Returns a function that settles one client's day with the house's bank; call it on each trading day. See book/house.ts. */
export function openHouse({ book }: Simulator): (day: Day) => void {
	const bills = new Map<Day, Owed>()
	const taxes = new Map<string, Paise>()
	let notes = 0
	let charges = 0
	let postings = 0

	function look(): void {
		const settles = new Map<string, Day>()
		for (; notes < book.notes.length; notes++) {
			const { bill_no = '', settles_on = '', obligation = 0 } = book.notes[notes] ?? {}
			settles.set(bill_no, settles_on)
			const owed: Owed = bills.get(settles_on) ?? new Map()
			bills.set(settles_on, owed)
			addOwed(owed, 'CLEARING', -obligation)
		}
		for (; charges < book.noteCharges.length; charges++) {
			const { bill_no = '', kind = '', amount = 0 } = book.noteCharges[charges] ?? {}
			const owed = bills.get(settles.get(bill_no) ?? '')
			if (owed && isCollected(kind)) addOwed(owed, kind, amount)
		}
		for (; postings < book.postings.length; postings++) {
			const { account, day = '', amount = 0 } = book.postings[postings] ?? {}
			if (account === 'GST') taxes.set(day.slice(0, 7), (taxes.get(day.slice(0, 7)) ?? 0) + amount)
		}
	}

	return (day) => {
		look()
		const owed = bills.get(day)
		if (owed) postClearing(book, day, owed)
		bills.delete(day)
		for (const [month, amount] of taxes) {
			if (findGstDay(month) > day) continue
			postGstPayment(book, day, month, amount)
			taxes.delete(month)
		}
		// Skips the tax payment just posted, which is not tax of this month.
		postings = book.postings.length
	}
}
