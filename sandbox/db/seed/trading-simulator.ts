import { type LedgerCocd } from '#contract/common'
import { addDays, type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { type Book, type Positions, openQueue } from '#sandbox/book/book'
import { postDpCharge, postFunding, postPayIn, postPayOut, postPledgeCharge } from '#sandbox/book/entries'
import { bookTrades, type Execution } from '#sandbox/book/trading'
import { readMovement } from '#sandbox/book/voucher'
import { findAccountOn, HOUSE_BANK } from '#sandbox/reference-data/bank-accounts'
import { findSettlementDay } from '#sandbox/rules/calendar'
import { findMtfMargin } from '#sandbox/rules/fees'
import { sumQuantity } from '#sandbox/rules/fifo'
import { numberTrade } from '#sandbox/rules/order-number'
import { type AccountSettlement } from '#sandbox/rules/payout-account'
import { computePercent, computeValue } from '#sandbox/rules/rounding'
import { findLedger, type Segment, type TradeSide } from '#sandbox/rules/segments'
import { findSession, pickTimes } from '#sandbox/rules/sessions'
import { findUpiLimit, formatUpiNumber, formatUtr } from '#sandbox/rules/utr'
import { type Market, priceOn } from './market'
import { createRandom, type Random } from './random'

/** The data of the simulated client. */
export interface Trader {
	code: string
	isWoman: boolean
	/** True when the client lives in the broker's state. */
	isIntraState: boolean
}

/** An order of a persona. Without `price` it is near the day's close. */
export interface Wish {
	segment: Segment
	instrument: string
	side: TradeSide
	quantity: number
	price?: number
	isMtf?: boolean
	/** For a funded purchase: true when the pledge waits for the client's confirmation. */
	waitsForPledge?: boolean
	/** See ExecutedTrade in rules/contract-note.ts. */
	isExercise?: boolean
	/** True when the exchange executes it on a contract's last day, without an order. */
	isExpiry?: boolean
	/** True when the broker closes a contract by an order on its last day, after the client's own orders. */
	isSquaredOff?: boolean
}

/** One client's trading while the seed simulates the days. */
export interface Simulator {
	trader: Trader
	book: Book
	market: Market
	random: Random
	/** Used only for times, so that times change nothing else. */
	clock: Random
	/** Used only for banks' references, so that the number of payments does not change the trades. */
	references: Random
	positions: Positions
	/** Money lent by instrument. */
	lent: Map<string, Paise>
	pledged: Map<string, number>
	/** Orders of today. */
	wishes: Wish[]
	/** Tasks for a later day, such as a DP charge. */
	dues: Map<Day, (() => void)[]>
	orders: number
	paidByUpi: { day: Day; amount: Paise }
}

export function openSimulator(trader: Trader, book: Book, market: Market, seed: string): Simulator {
	const random = createRandom(`${seed}/${trader.code}`)
	const clock = createRandom(`${seed}/${trader.code}/clock`)
	const references = createRandom(`${seed}/${trader.code}/references`)
	const kept = { positions: new Map(), lent: new Map(), pledged: new Map(), wishes: [], dues: new Map() }
	return { trader, book, market, random, clock, references, ...kept, orders: 0, paidByUpi: { day: '', amount: 0 } }
}

/** Quantity held; short is negative. */
export function countHeld(simulator: Simulator, instrument: string): number {
	return sumQuantity(openQueue(simulator.positions, instrument))
}

/** The quantity that the client could sell, without the pledged shares. */
export function countFree(simulator: Simulator, instrument: string): number {
	return countHeld(simulator, instrument) - (simulator.pledged.get(instrument) ?? 0)
}

/** Balance of the client's ledger after margin, in paise, credit positive. */
export function readTraderBalance(simulator: Simulator, cocd: LedgerCocd): Paise {
	return readMovement(simulator.book, 'CLIENT', simulator.trader.code, cocd)
}

export function toPlace(simulator: Simulator, day: Day, cocd: LedgerCocd = 'NSE_CASH') {
	return { client: simulator.trader.code, cocd, day }
}

/** Pays in from the client's first account of that day: by UPI up to the day's limit, else by net banking. Paise > 0. */
export function payIn(simulator: Simulator, day: Day, cocd: LedgerCocd, amount: Paise): void {
	const { book, trader, references, paidByUpi } = simulator
	const before = paidByUpi.day === day ? paidByUpi.amount : 0
	const isUpi = before + amount <= findUpiLimit(day)
	if (isUpi) simulator.paidByUpi = { day, amount: before + amount }
	const running = references.between(0, 999_999)
	// Paid before the market opens, because the money for the day before's purchases was missing.
	const utr = isUpi
		? formatUpiNumber(day, references.between(7, 9), running)
		: formatUtr(findAccountOn(trader.code, day).ifsc_code_act, day, running)
	postPayIn(book, toPlace(simulator, day, cocd), amount, isUpi ? 'UPI' : 'NETBANKING', utr, findSettlementDay(day))
}

/** Pays in the amount that a ledger lacks for `need`, rounded up to 5,000 rupees. */
export function payInFor(simulator: Simulator, day: Day, cocd: LedgerCocd, need: Paise): void {
	const short = need - readTraderBalance(simulator, cocd)
	if (short <= 0) return
	payIn(simulator, day, cocd, Math.ceil(short / 5_000_00) * 5_000_00)
}

/** Pays out an amount; does nothing for 0 or less. */
export function payOut(
	simulator: Simulator,
	day: Day,
	cocd: LedgerCocd,
	amount: Paise,
	reason: 'CLIENT REQUEST' | AccountSettlement,
): void {
	if (amount <= 0) return
	postPayOut(
		simulator.book,
		toPlace(simulator, day, cocd),
		amount,
		reason,
		formatUtr(HOUSE_BANK, day, simulator.references.between(0, 999_999)),
	)
}

/** Runs a task on a later day, before that day's orders. A task after the clock's day never runs. */
export function schedule(simulator: Simulator, day: Day, task: () => void): void {
	const dues = simulator.dues.get(day)
	if (dues) dues.push(task)
	else simulator.dues.set(day, [task])
}

export function runScheduled(simulator: Simulator, day: Day): void {
	for (const task of simulator.dues.get(day) ?? []) task()
	simulator.dues.delete(day)
}

/** Pledges (quantity > 0) or releases holdings; both cost a fee. */
export function pledgeShares(
	simulator: Simulator,
	day: Day,
	instrument: string,
	quantity: number,
	kind: 'MARGIN' | 'MTF' = 'MARGIN',
): void {
	const { book, trader, market, pledged } = simulator
	pledged.set(instrument, (pledged.get(instrument) ?? 0) + quantity)
	book.pledges.push({ client: trader.code, instrument, kind, day, quantity })
	postPledgeCharge(book, toPlace(simulator, day), market.instruments.get(instrument)?.symbol ?? instrument, quantity < 0)
}

function findInstrument(simulator: Simulator, id: string) {
	const instrument = simulator.market.contracts.get(id)?.instrument ?? simulator.market.instruments.get(id)
	if (!instrument) throw new RangeError(`No instrument ${id}`)
	return instrument
}

/** A price near the day's close, on a price step. */
function tradedPrice(simulator: Simulator, day: Day, wish: Wish): number {
	if (wish.price !== undefined) return wish.price
	const close = priceOn(simulator.market, wish.instrument, day)
	const tick = simulator.market.contracts.get(wish.instrument)?.underlying.tick ?? 500
	const moved = close * (1 + (simulator.random.next() - 0.5) * 0.008)
	return Math.max(tick, Math.round(moved / tick) * tick)
}

function executeWish(simulator: Simulator, day: Day, wish: Wish, time: string): Execution {
	const { kind, series, multiplier = 1 } = findInstrument(simulator, wish.instrument)
	const number = wish.isExpiry ? null : ++simulator.orders
	const execution = {
		instrument: wish.instrument,
		series,
		multiplier,
		side: wish.side,
		quantity: wish.quantity,
		price: tradedPrice(simulator, day, wish),
	}
	return {
		...execution,
		kind: readKind(kind),
		time,
		...(number === null ? { order_no: '', trade_no: '' } : numberTrade(day, time, number)),
		is_mtf: wish.isMtf ?? false,
		is_exercise: wish.isExercise ?? false,
	}
}

const kinds = ['EQUITY', 'ETF', 'OTHER_ETF', 'FUND', 'FUTURE', 'OPTION'] as const

/** The kind of instrument in a stored text. Throws RangeError for an unknown one. */
export function readKind(text: string) {
	const kind = kinds.find((each) => each === text)
	if (!kind) throw new RangeError(`No kind ${text}`)
	return kind
}

/** Cash that the orders of a segment may need: purchases plus 1 % for charges. */
function sumNeed(executions: readonly Execution[]): Paise {
	let need = 0
	for (const { side, kind, quantity, price, multiplier, is_mtf } of executions) {
		const value = computeValue(quantity, price, multiplier)
		if (kind === 'FUTURE') need += computePercent(value, '1')
		// For a funded purchase the client pays a quarter.
		else if (side === 'B') need += computePercent(value, is_mtf ? '27' : '101')
	}
	return need
}

function lendFor(simulator: Simulator, day: Day, { instrument, quantity, price }: Execution, waitsForPledge = false): void {
	const value = computeValue(quantity, price)
	const lent = value - computePercent(value, findMtfMargin(true))
	simulator.lent.set(instrument, (simulator.lent.get(instrument) ?? 0) + lent)
	simulator.book.fundings.push({ client: simulator.trader.code, instrument, day, amount: lent })
	postFunding(simulator.book, toPlace(simulator, day), lent, findInstrument(simulator, instrument).symbol)
	if (!waitsForPledge) pledgeShares(simulator, day, instrument, quantity, 'MTF')
}

function takeBack(simulator: Simulator, day: Day, instrument: string): void {
	const lent = simulator.lent.get(instrument) ?? 0
	if (lent === 0) return
	simulator.lent.delete(instrument)
	simulator.book.fundings.push({ client: simulator.trader.code, instrument, day, amount: -lent })
	postFunding(simulator.book, toPlace(simulator, day), -lent, findInstrument(simulator, instrument).symbol)
}

/** One DP charge for each ISIN sold from demat, on the settlement day; none for units bought the same day. */
function chargeDelivery(simulator: Simulator, executions: readonly Execution[], firstTrade: number, settlesOn: Day): void {
	const sold = new Set<string>()
	for (const [at, { side, instrument, quantity }] of executions.entries()) {
		const trade = simulator.book.trades[firstTrade + at]
		if (side === 'S' && quantity > (trade?.intraday_quantity ?? 0)) sold.add(instrument)
	}
	for (const instrument of sold) {
		const { symbol } = findInstrument(simulator, instrument)
		schedule(simulator, settlesOn, () => postDpCharge(simulator.book, toPlace(simulator, settlesOn), symbol, simulator.trader.isWoman))
	}
}

/** Sells a margin-funded position: release, sale and repayment of the loan. */
export function sellFunded(simulator: Simulator, day: Day, instrument: string): void {
	const quantity = countHeld(simulator, instrument)
	if (quantity === 0) return
	pledgeShares(simulator, day, instrument, -quantity, 'MTF')
	simulator.wishes.push({ segment: 'NSE_CASH', instrument, side: 'S', quantity, isMtf: true })
}

const segments: readonly Segment[] = ['NSE_CASH', 'NSE_FNO', 'CD_NSE', 'MCX']

/** Executes the day's orders segment by segment: pays in when needed, books them, lends money and repays loans. */
export function closeDay(simulator: Simulator, day: Day, { isFunded = true }: { isFunded?: boolean } = {}): void {
	for (const segment of segments) {
		// Expiries come after the last order.
		const place = ({ isExpiry, isSquaredOff }: Wish) => (isExpiry ? 2 : isSquaredOff ? 1 : 0)
		const wishes = simulator.wishes.filter((wish) => wish.segment === segment).sort((a, b) => place(a) - place(b))
		if (wishes.length === 0) continue
		const session = findSession(segment, day)
		const times = pickTimes(session, wishes.length, simulator.clock.next)
		const executions = wishes.map((wish, at) =>
			executeWish(simulator, day, wish, (wish.isExpiry ? undefined : times[at]) ?? `${session[1]}:00`),
		)
		if (isFunded) payInFor(simulator, day, findLedger(segment), sumNeed(executions) + 2_000_00)
		const firstTrade = simulator.book.trades.length
		const trading = { client: simulator.trader.code, day, segment, isIntraState: simulator.trader.isIntraState }
		const note = bookTrades(simulator.book, simulator.positions, trading, executions)
		for (const [at, execution] of executions.entries()) {
			if (!execution.is_mtf) continue
			if (execution.side === 'B') lendFor(simulator, day, execution, wishes[at]?.waitsForPledge)
			else takeBack(simulator, day, execution.instrument)
		}
		if (segment === 'NSE_CASH') chargeDelivery(simulator, executions, firstTrade, note.settles_on)
	}
	simulator.wishes = []
}

/** The first trading day on or after a day; undefined after the clock's day. */
export function findTradingDay(market: Market, day: Day): Day | undefined {
	for (let at = 0, next = day; at < 10; at++, next = addDays(next, 1)) if (market.indexByDay.has(next)) return next
	return undefined
}
