import { type LedgerCocd } from '#contract/common'
import { addDays, type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { type Book, type Positions, openQueue } from '#sandbox/book/book'
import { postDpCharge, postFunding, postPayIn, postPayOut, postPledgeCharge } from '#sandbox/book/entries'
import { bookTrades, type Execution } from '#sandbox/book/trading'
import { readMovement } from '#sandbox/book/voucher'
import { accountOn, HOUSE_BANK } from '#sandbox/reference-data/bank-accounts'
import { findSettlementDay } from '#sandbox/rules/calendar'
import { findMtfMargin } from '#sandbox/rules/fees'
import { sumQuantity } from '#sandbox/rules/fifo'
import { computePercent, computeValue } from '#sandbox/rules/rounding'
import { findLedger, type Segment, type TradeSide } from '#sandbox/rules/segments'
import { findSession, pickTimes } from '#sandbox/rules/sessions'
import { findUpiLimit, formatUpiNumber, formatUtr } from '#sandbox/rules/utr'
import { type Market, priceOn } from './market'
import { createRandom, type Random } from './random'

/** What the desk knows of the client it trades for. */
export interface Trader {
	code: string
	isWoman: boolean
	/** Lives in the broker's state. */
	isIntraState: boolean
}

/** An order as a persona decides it; the price is the day's close, moved a little, when not given. */
export interface Wish {
	segment: Segment
	instrument: string
	side: TradeSide
	quantity: number
	price?: number
	isMtf?: boolean
	/** Of a funded purchase: its pledge is left for the client to confirm. */
	waitsForPledge?: boolean
	/** See NoteTrade. */
	isExercise?: boolean
	/** Done by the exchange on the last day of a contract: nobody orders it. */
	isExpiry?: boolean
}

/** One client's dealings while the seed lives through the days. */
export interface Desk {
	trader: Trader
	book: Book
	market: Market
	random: Random
	/** For times alone, so that they change nothing else. */
	clock: Random
	/** For the banks' references alone: what is traded does not hang on how often money moves. */
	references: Random
	positions: Positions
	/** Money lent by instrument. */
	lent: Map<string, Paise>
	pledged: Map<string, number>
	/** Orders of today. */
	wishes: Wish[]
	/** What falls due on a later day, such as a DP charge. */
	dues: Map<Day, (() => void)[]>
	orders: number
	paidByUpi: { day: Day; amount: Paise }
}

export function openDesk(trader: Trader, book: Book, market: Market, seed: string): Desk {
	const random = createRandom(`${seed}/${trader.code}`)
	const clock = createRandom(`${seed}/${trader.code}/clock`)
	const references = createRandom(`${seed}/${trader.code}/references`)
	const kept = { positions: new Map(), lent: new Map(), pledged: new Map(), wishes: [], dues: new Map() }
	return { trader, book, market, random, clock, references, ...kept, orders: 0, paidByUpi: { day: '', amount: 0 } }
}

/** Quantity held; short is negative. */
export function countHeld(desk: Desk, instrument: string): number {
	return sumQuantity(openQueue(desk.positions, instrument))
}

/** What the client could sell without touching pledged shares. */
export function countFree(desk: Desk, instrument: string): number {
	return countHeld(desk, instrument) - (desk.pledged.get(instrument) ?? 0)
}

/** Balance of the client's ledger after margin; paise, credit positive. */
export function readTraderBalance(desk: Desk, cocd: LedgerCocd): Paise {
	return readMovement(desk.book, 'CLIENT', desk.trader.code, cocd)
}

export function toPlace(desk: Desk, day: Day, cocd: LedgerCocd = 'NSE_CASH') {
	return { client: desk.trader.code, cocd, day }
}

/** From the account that was the client's first one then: by UPI as far as the day's limit goes, else from the bank's own pages. Paise > 0. */
export function payIn(desk: Desk, day: Day, cocd: LedgerCocd, amount: Paise): void {
	const { book, trader, references, paidByUpi } = desk
	const before = paidByUpi.day === day ? paidByUpi.amount : 0
	const isUpi = before + amount <= findUpiLimit(day)
	if (isUpi) desk.paidByUpi = { day, amount: before + amount }
	const running = references.between(0, 999_999)
	// Before the market opens, when there was no money for what was bought on the day before.
	const utr = isUpi
		? formatUpiNumber(day, references.between(7, 9), running)
		: formatUtr(accountOn(trader.code, day).ifsc_code_act, day, running)
	postPayIn(book, toPlace(desk, day, cocd), amount, isUpi ? 'UPI' : 'NETBANKING', utr, findSettlementDay(day))
}

/** Pays in what a ledger lacks for a need, rounded up to 5,000 rupees. */
export function payInFor(desk: Desk, day: Day, cocd: LedgerCocd, need: Paise): void {
	const short = need - readTraderBalance(desk, cocd)
	if (short <= 0) return
	payIn(desk, day, cocd, Math.ceil(short / 5_000_00) * 5_000_00)
}

/** Pays out, when there is anything. */
export function payOut(
	desk: Desk,
	day: Day,
	cocd: LedgerCocd,
	amount: Paise,
	reason: 'CLIENT REQUEST' | 'QUARTERLY SETTLEMENT OF ACCOUNTS',
): void {
	if (amount <= 0) return
	postPayOut(desk.book, toPlace(desk, day, cocd), amount, reason, formatUtr(HOUSE_BANK, day, desk.references.between(0, 999_999)))
}

/** Does something on a later day, before that day's orders. A day beyond the clock never comes. */
export function schedule(desk: Desk, day: Day, due: () => void): void {
	const dues = desk.dues.get(day)
	if (dues) dues.push(due)
	else desk.dues.set(day, [due])
}

export function runDues(desk: Desk, day: Day): void {
	for (const due of desk.dues.get(day) ?? []) due()
	desk.dues.delete(day)
}

/** Pledges (quantity > 0) or releases holdings; both cost a fee. */
export function pledge(desk: Desk, day: Day, instrument: string, quantity: number, kind: 'MARGIN' | 'MTF' = 'MARGIN'): void {
	const { book, trader, market, pledged } = desk
	pledged.set(instrument, (pledged.get(instrument) ?? 0) + quantity)
	book.pledges.push({ client: trader.code, instrument, kind, day, quantity })
	postPledgeCharge(book, toPlace(desk, day), market.instruments.get(instrument)?.symbol ?? instrument, quantity < 0)
}

const ORDERS_A_SECOND = 400
const TRADES_A_SECOND = 150

function findInstrument(desk: Desk, id: string) {
	const instrument = desk.market.contracts.get(id)?.instrument ?? desk.market.instruments.get(id)
	if (!instrument) throw new RangeError(`No instrument ${id}`)
	return instrument
}

/** A price near the day's close, on the tick. */
function tradedPrice(desk: Desk, day: Day, wish: Wish): number {
	if (wish.price !== undefined) return wish.price
	const close = priceOn(desk.market, wish.instrument, day)
	const tick = desk.market.contracts.get(wish.instrument)?.underlying.tick ?? 500
	const moved = close * (1 + (desk.random.next() - 0.5) * 0.008)
	return Math.max(tick, Math.round(moved / tick) * tick)
}

/** The exchange's numbers run with the time of its day: so many orders and trades of all its clients a second, and this one among them. */
function numberTrade(day: Day, time: string, own: number): Pick<Execution, 'order_no' | 'trade_no'> {
	const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
	const second = (hours * 60 + minutes) * 60 + seconds
	const order = String(second * ORDERS_A_SECOND + (own % ORDERS_A_SECOND)).padStart(9, '0')
	const trade = second * TRADES_A_SECOND + (own % TRADES_A_SECOND)
	return { order_no: `1${day.slice(2).replaceAll('-', '')}${order}`, trade_no: String(20_000_000 + trade) }
}

function executeWish(desk: Desk, day: Day, wish: Wish, time: string): Execution {
	const { kind, series, multiplier = 1 } = findInstrument(desk, wish.instrument)
	const number = wish.isExpiry ? null : ++desk.orders
	const execution = {
		instrument: wish.instrument,
		series,
		multiplier,
		side: wish.side,
		quantity: wish.quantity,
		price: tradedPrice(desk, day, wish),
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

/** A kind of instrument as it is stored; throws for another. */
export function readKind(text: string) {
	const kind = kinds.find((each) => each === text)
	if (!kind) throw new RangeError(`No kind ${text}`)
	return kind
}

/** Cash the orders of a segment may need: purchases at 1 % more for charges. */
function sumNeed(executions: readonly Execution[]): Paise {
	let need = 0
	for (const { side, kind, quantity, price, multiplier, is_mtf } of executions) {
		const value = computeValue(quantity, price, multiplier)
		if (kind === 'FUTURE') need += computePercent(value, '1')
		// Of a funded purchase the client brings a quarter.
		else if (side === 'B') need += computePercent(value, is_mtf ? '27' : '101')
	}
	return need
}

function lendFor(desk: Desk, day: Day, { instrument, quantity, price }: Execution, waitsForPledge = false): void {
	const value = computeValue(quantity, price)
	const lent = value - computePercent(value, findMtfMargin(true))
	desk.lent.set(instrument, (desk.lent.get(instrument) ?? 0) + lent)
	desk.book.fundings.push({ client: desk.trader.code, instrument, day, amount: lent })
	postFunding(desk.book, toPlace(desk, day), lent, findInstrument(desk, instrument).symbol)
	if (!waitsForPledge) pledge(desk, day, instrument, quantity, 'MTF')
}

function takeBack(desk: Desk, day: Day, instrument: string): void {
	const lent = desk.lent.get(instrument) ?? 0
	if (lent === 0) return
	desk.lent.delete(instrument)
	desk.book.fundings.push({ client: desk.trader.code, instrument, day, amount: -lent })
	postFunding(desk.book, toPlace(desk, day), -lent, findInstrument(desk, instrument).symbol)
}

/** One DP charge for each ISIN sold from demat, on the settlement day; none for what was bought the same day. */
function chargeDelivery(desk: Desk, executions: readonly Execution[], firstTrade: number, settlesOn: Day): void {
	const sold = new Set<string>()
	for (const [at, { side, instrument, quantity }] of executions.entries()) {
		const trade = desk.book.trades[firstTrade + at]
		if (side === 'S' && quantity > (trade?.intraday_quantity ?? 0)) sold.add(instrument)
	}
	for (const instrument of sold) {
		const { symbol } = findInstrument(desk, instrument)
		schedule(desk, settlesOn, () => postDpCharge(desk.book, toPlace(desk, settlesOn), symbol, desk.trader.isWoman))
	}
}

/** Sells a margin-funded position: release, sale and repayment of what was lent. */
export function sellFunded(desk: Desk, day: Day, instrument: string): void {
	const quantity = countHeld(desk, instrument)
	if (quantity === 0) return
	pledge(desk, day, instrument, -quantity, 'MTF')
	desk.wishes.push({ segment: 'NSE_CASH', instrument, side: 'S', quantity, isMtf: true })
}

const segments: readonly Segment[] = ['NSE_CASH', 'NSE_FNO', 'CD_NSE', 'MCX']

/** Executes the day's orders segment by segment: pays in what they need when asked to, books them, lends and takes back. */
export function closeDay(desk: Desk, day: Day, { isFunded = true }: { isFunded?: boolean } = {}): void {
	for (const segment of segments) {
		// What the exchange does by itself comes after the last order.
		const wishes = desk.wishes
			.filter((wish) => wish.segment === segment)
			.sort((a, b) => Number(a.isExpiry ?? false) - Number(b.isExpiry ?? false))
		if (wishes.length === 0) continue
		const session = findSession(segment, day)
		const times = pickTimes(session, wishes.length, desk.clock.next)
		const executions = wishes.map((wish, at) => executeWish(desk, day, wish, (wish.isExpiry ? undefined : times[at]) ?? `${session[1]}:00`))
		if (isFunded) payInFor(desk, day, findLedger(segment), sumNeed(executions) + 2_000_00)
		const firstTrade = desk.book.trades.length
		const trading = { client: desk.trader.code, day, segment, isIntraState: desk.trader.isIntraState }
		const note = bookTrades(desk.book, desk.positions, trading, executions)
		for (const [at, execution] of executions.entries()) {
			if (!execution.is_mtf) continue
			if (execution.side === 'B') lendFor(desk, day, execution, wishes[at]?.waitsForPledge)
			else takeBack(desk, day, execution.instrument)
		}
		if (segment === 'NSE_CASH') chargeDelivery(desk, executions, firstTrade, note.settles_on)
	}
	desk.wishes = []
}

/** The first trading day on or after a day, or undefined beyond the clock. */
export function tradingDayFrom(market: Market, day: Day): Day | undefined {
	for (let at = 0, next = day; at < 10; at++, next = addDays(next, 1)) if (market.indexByDay.has(next)) return next
	return undefined
}
