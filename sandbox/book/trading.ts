import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { findSettlementDay, formatSettlement } from '#sandbox/rules/calendar'
import { computeNote, type Note, type TradeShare } from '#sandbox/rules/contract-note'
import { type LotPart, type OpenLot, takeFirst } from '#sandbox/rules/fifo'
import { shareOut, computeValue } from '#sandbox/rules/rounding'
import { formatBillNumber, type InstrumentKind, findLedger, formatSegment, type Segment, type TradeSide } from '#sandbox/rules/segments'
import { type Book, type NoteRow, type Positions, openQueue } from './book'
import { openLot, writeDisposal, writeLot } from './lots'
import { type Account, postVoucher, type EntrySide, takeNumber } from './voucher'

/*
 * How derivatives reach the ledger. An option's premium is paid or received in the bill of its trade day. Opening a future moves no
 * money. At the end of each day open lots are marked to market (marks.ts), and the bill of the day that closes a part carries the
 * difference to the last mark. Together these are the contract's whole result. It is realised, and taxed, once: when the contract is
 * closed. So for a client without open positions, realised gain less charges of notes equals the sum of the bills.
 */

/** An executed trade. Price in 1/10,000 rupee. */
export interface Execution {
	instrument: string
	kind: InstrumentKind
	series: string
	multiplier: number
	side: TradeSide
	quantity: number
	price: number
	time: string
	order_no: string
	trade_no: string
	is_mtf?: boolean
	is_forced?: boolean
	/** See ExecutedTrade in rules/contract-note.ts. */
	is_exercise?: boolean
}

export interface TradingDay {
	client: string
	day: Day
	segment: Segment
	isIntraState: boolean
}

/**
 * The cash that each trade of a future settles, counted from the last mark, in paise. It is computed on copies of the queues, because
 * the note needs it before any lot is written.
 */
function settleFutures(positions: Positions, executions: readonly Execution[]): Paise[] {
	const copies: Positions = new Map()
	for (const { instrument } of executions)
		if (!copies.has(instrument)) copies.set(instrument, structuredClone(openQueue(positions, instrument)))
	return executions.map(({ instrument, kind, side, quantity, price, multiplier }) => {
		if (kind !== 'FUTURE') return 0
		const queue = openQueue(copies, instrument)
		const { parts, unmatched } = closeOpposite(queue, side, quantity)
		let settled = 0
		for (const part of parts) {
			const value = computeValue(part.quantity, price, multiplier)
			const stood = part.marked ?? part.cost ?? 0
			settled += part.lot.side === 'L' ? value - stood : stood - value
		}
		const cost = computeValue(unmatched, price, multiplier)
		if (unmatched > 0) queue.push({ id: 0, side: opensAs(side), opened_on: '', acquired_on: '', quantity: unmatched, cost, expenses: 0 })
		return settled
	})
}

function opensAs(side: TradeSide): 'L' | 'S' {
	return side === 'B' ? 'L' : 'S'
}

/** A trade first closes lots of the other side, oldest first; the unmatched rest opens a new lot. */
function closeOpposite(queue: OpenLot[], side: TradeSide, quantity: number): { parts: LotPart[]; unmatched: number } {
	return queue[0] && queue[0].side !== opensAs(side) ? takeFirst(queue, quantity) : { parts: [], unmatched: quantity }
}

/** Divides a trade's value over its parts, by quantity. */
function splitTrade(share: TradeShare, quantities: readonly number[]) {
	return {
		value: shareOut(share.value, quantities),
		expenses: shareOut(share.charges - share.stt, quantities),
		stt: shareOut(share.stt, quantities),
	}
}

interface Bookings {
	book: Book
	positions: Positions
	trading: TradingDay
	executions: readonly Execution[]
	note: Note
	firstTrade: number
}

function findPlace({ trading, executions }: Bookings, trade: number) {
	return { client: trading.client, instrument: executions[trade]?.instrument ?? '', segment: trading.segment }
}

/** Books contracts in trade order: each trade closes the other side and opens the rest. Shorts are lots of side S. */
function bookContracts(bookings: Bookings): void {
	const { book, positions, trading, executions, note, firstTrade } = bookings
	const { client, day } = trading
	for (const [trade, { instrument, side, quantity }] of executions.entries()) {
		const share = note.shares[trade]
		if (!share) continue
		const trade_id = firstTrade + trade
		const { parts, unmatched } = closeOpposite(openQueue(positions, instrument), side, quantity)
		const split = splitTrade(share, [...parts.map((part) => part.quantity), unmatched])
		for (const [at, part] of parts.entries()) {
			const proceeds = split.value[at] ?? 0
			writeDisposal(book, part, { client, day, kind: 'SALE', proceeds, sale_expenses: split.expenses[at], stt: split.stt[at], trade_id })
		}
		if (unmatched === 0) continue
		const cost = split.value[parts.length] ?? 0
		const expenses = split.expenses[parts.length] ?? 0
		const lot = { side: opensAs(side), opened_on: day, quantity: unmatched, cost, expenses, origin: 'TRADE', trade_id } as const
		openLot(book, positions, findPlace(bookings, trade), lot)
	}
}

/**
 * Books shares. The intraday part is matched within the day, before FIFO; the rest opens lots or takes the oldest. Throws RangeError
 * when too few shares are held.
 */
function bookShares(bookings: Bookings): void {
	const { book, positions, trading, executions, note, firstTrade } = bookings
	const { client, day } = trading
	const intradayLots = new Map<string, OpenLot[]>()
	const splits = note.shares.map((share, trade) => {
		const quantity = executions[trade]?.quantity ?? 0
		return splitTrade(share, [share.intraday_quantity, quantity - share.intraday_quantity])
	})
	for (const [trade, execution] of executions.entries()) {
		const intraday = note.shares[trade]?.intraday_quantity ?? 0
		if (execution.side === 'S') continue
		const base = { side: 'L', opened_on: day, origin: 'TRADE', trade_id: firstTrade + trade } as const
		for (const [at, quantity] of [intraday, execution.quantity - intraday].entries()) {
			if (quantity === 0) continue
			const cost = splits[trade]?.value[at] ?? 0
			const expenses = splits[trade]?.expenses[at] ?? 0
			const lot = writeLot(book, findPlace(bookings, trade), { ...base, quantity, cost, expenses })
			openQueue(at === 0 ? intradayLots : positions, execution.instrument).push(lot)
		}
	}
	for (const [trade, execution] of executions.entries()) {
		const intraday = note.shares[trade]?.intraday_quantity ?? 0
		if (execution.side === 'B') continue
		for (const [at, quantity] of [intraday, execution.quantity - intraday].entries()) {
			if (quantity === 0) continue
			const { parts, unmatched } = takeFirst(openQueue(at === 0 ? intradayLots : positions, execution.instrument), quantity)
			if (unmatched > 0) throw new RangeError(`${client} sells ${unmatched} of ${execution.instrument} too many on ${day}`)
			const quantities = parts.map((part) => part.quantity)
			const proceeds = shareOut(splits[trade]?.value[at] ?? 0, quantities)
			const expenses = shareOut(splits[trade]?.expenses[at] ?? 0, quantities)
			const stt = shareOut(splits[trade]?.stt[at] ?? 0, quantities)
			for (const [n, part] of parts.entries()) {
				const exit = { client, day, kind: 'SALE', trade_id: firstTrade + trade, is_intraday: at === 0 } as const
				writeDisposal(book, part, { ...exit, proceeds: proceeds[n] ?? 0, sale_expenses: expenses[n], stt: stt[n] })
			}
		}
	}
}

const accountOfCharge: Record<string, Account> = { CGST: 'GST', SGST: 'GST', IGST: 'GST' }
const chargeAccounts = new Map<string, Account>(
	(['BROKERAGE', 'EXCHANGE', 'SEBI', 'STT', 'CTT', 'STAMP'] as const).map((account) => [account, account]),
)

/** Posts a note as one bill: `BILL NSE CASH M2026105`. The clearing corporation is the other party of the obligation. */
function postBill(book: Book, row: NoteRow, note: Note, segment: Segment): void {
	const client: EntrySide = { account: 'CLIENT', client: row.client, cocd: findLedger(segment), amount: note.net }
	const sums = new Map<Account, Paise>()
	for (const { kind, amount } of note.charges) {
		const account = accountOfCharge[kind] ?? chargeAccounts.get(kind)
		if (!account) throw new RangeError(`No account for ${kind}`)
		sums.set(account, (sums.get(account) ?? 0) + amount)
	}
	const sides: EntrySide[] = [client, { account: 'CLEARING', amount: -note.obligation }]
	for (const [account, amount] of sums) sides.push({ account, amount })
	if (sides.every((side) => side.amount === 0)) return
	const narration = `BILL ${formatSegment(segment)} ${row.settlement_no}`
	postVoucher(book, {
		day: row.day,
		type: 'BILL',
		narration,
		sides,
		settlement_no: row.settlement_no,
		bill_no: row.bill_no,
		settles_on: row.settles_on,
	})
}

/**
 * Books one client's trades of one day and segment: contract note with its charges, lots and disposals, and the bill. Executions are in
 * order of time. Returns the note. Throws RangeError when more shares are sold than are held. Lots may already have changed then, so a
 * book that has thrown must be discarded.
 */
export function bookTrades(book: Book, positions: Positions, trading: TradingDay, executions: readonly Execution[]): NoteRow {
	const { client, day, segment } = trading
	const firstTrade = book.nextTrade
	book.nextTrade += executions.length
	const isShares = segment === 'NSE_CASH'
	const settled = isShares ? [] : settleFutures(positions, executions)
	const note = computeNote(
		executions.map((execution, at) => ({ ...execution, settled: settled[at] })),
		trading,
	)
	const settlement_no = formatSettlement(segment, day)
	const bill_no = formatBillNumber(segment, day, takeNumber(book, `${segment} ${day}`))
	const { obligation, net } = note
	const row: NoteRow = {
		bill_no,
		client,
		day,
		segment,
		cocd: findLedger(segment),
		settlement_no,
		settles_on: findSettlementDay(day, segment),
		obligation,
		net,
	}
	book.notes.push(row)
	for (const charge of note.charges) book.noteCharges.push({ bill_no, ...charge })
	for (const [at, execution] of executions.entries()) {
		const share = note.shares[at]
		if (!share) continue
		const { instrument, side, quantity, price, time, order_no, trade_no, is_mtf = false, is_forced = false } = execution
		const { value: _, ...shares } = share
		book.trades.push({
			id: firstTrade + at,
			client,
			day,
			time,
			segment,
			instrument,
			side,
			quantity,
			price,
			order_no,
			trade_no,
			bill_no,
			is_mtf,
			is_forced,
			...shares,
		})
	}
	const bookings: Bookings = { book, positions, trading, executions, note, firstTrade }
	if (isShares) bookShares(bookings)
	else bookContracts(bookings)
	postBill(book, row, note, segment)
	return row
}
