import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { type LotPart, type OpenLot } from '#sandbox/rules/fifo'
import { type Book, type Positions, openQueue } from './book'

export interface LotPlace {
	client: string
	instrument: string
	segment: string
}

/** A new lot. Amounts in paise; a null cost is unknown. */
export interface NewLot {
	side: 'L' | 'S'
	opened_on: Day
	/** The day that counts for tax; by default opened_on. */
	acquired_on?: Day
	quantity: number
	cost: Paise | null
	expenses: Paise
	origin: 'TRADE' | 'BONUS' | 'SPLIT' | 'DEMERGER' | 'IPO' | 'TRANSFER'
	trade_id?: number
	from_lot?: number
}

/** Writes a lot and returns its open part. It does not enter the client's queue: an intraday lot is closed the same day. */
export function writeLot(book: Book, place: LotPlace, lot: NewLot): OpenLot {
	const { side, opened_on, acquired_on = opened_on, quantity, cost, expenses, origin, trade_id, from_lot } = lot
	const id = book.nextLot++
	book.lots.push({ id, ...place, side, opened_on, acquired_on, quantity, cost, expenses, origin, trade_id, from_lot })
	return { id, side, opened_on, acquired_on, quantity, cost, expenses }
}

/** Writes a lot and puts it at the end of the client's queue. */
export function openLot(book: Book, positions: Positions, place: LotPlace, lot: NewLot): OpenLot {
	const open = writeLot(book, place, lot)
	openQueue(positions, place.instrument).push(open)
	return open
}

/** How a part of a lot was closed. `sale_expenses` and `stt` are this part's share of the closing trade's charges, in paise. */
export interface Exit {
	client: string
	day: Day
	kind: 'SALE' | 'EXPIRY' | 'SPLIT' | 'DEMERGER' | 'BUYBACK'
	proceeds: Paise
	sale_expenses?: Paise
	stt?: Paise
	trade_id?: number
	is_intraday?: boolean
}

/** Writes the disposal of a part taken from its lot. */
export function writeDisposal(book: Book, part: LotPart, exit: Exit): void {
	const { sale_expenses = 0, stt = 0, is_intraday = false, ...rest } = exit
	const { quantity, cost, expenses } = part
	book.disposals.push({ id: book.nextDisposal++, lot_id: part.lot.id, quantity, cost, expenses, sale_expenses, stt, is_intraday, ...rest })
}
