import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import {
	type ChargeKind,
	FLAT_BROKERAGE_PAISE,
	findBrokerageRate,
	findExchangeRate,
	findSebiRate,
	findStampRate,
	findTransactionTaxRate,
	GST_PERCENT,
	HALF_GST_PERCENT,
	type Product,
	findContractProduct,
	type Rate,
} from './charges'
import { divideHalfUp, PERCENT_DIVISOR, computePercent, scaleRate, shareOut, computeValue } from './rounding'
import { type InstrumentKind, type Segment, type TradeSide } from './segments'

/** An executed trade for the note. Price in 1/10,000 rupee. */
export interface ExecutedTrade {
	instrument: string
	kind: InstrumentKind
	series: string
	side: TradeSide
	quantity: number
	price: number
	multiplier: number
	order_no: string
	/**
	 * True for an option in the money on its last day, at its intrinsic value: its holder exercises it; its writer is assigned (side B).
	 */
	is_exercise?: boolean
	/**
	 * Only for futures: the cash that this trade settles, in paise. It is the difference to the last mark for the quantity that the
	 * trade closes.
	 */
	settled?: Paise
}

export interface NoteTerms {
	day: Day
	segment: Segment
	/** True when client and broker are in one state: the note has CGST and SGST. Else it has IGST. */
	isIntraState: boolean
}

interface ComputedCharge {
	kind: ChargeKind
	base: Paise
	rate: string
	amount: Paise
	rule: string
}

/** One trade's part of the note. */
export interface TradeShare {
	value: Paise
	intraday_quantity: number
	brokerage: Paise
	/** Its share of every charge, brokerage included. */
	charges: Paise
	/** The transaction tax in `charges` (STT or CTT). Capital gains may not deduct it. */
	stt: Paise
	/** The other charges: brokerage, stt and these four sum to `charges`. */
	exchange: Paise
	sebi: Paise
	gst: Paise
	stamp: Paise
}

export interface Note {
	/** Sales less purchases, before charges, in paise; for futures the differences to the last mark to market. */
	obligation: Paise
	charges: ComputedCharge[]
	/** The amount that the client receives (+) or pays (-), in paise. */
	net: Paise
	/** One for each trade, in the same order. */
	shares: TradeShare[]
}

interface Leg {
	trade: number
	product: Product
	value: Paise
}

const tradeForTradeSeries = new Set(['BE', 'BZ'])

/**
 * The intraday quantity of each trade, in the same order. Per instrument it is the smaller of the quantities bought and sold that day,
 * taken from the earliest trades of each side. Trade-for-trade series have none.
 */
export function splitIntraday(trades: readonly Pick<ExecutedTrade, 'instrument' | 'series' | 'side' | 'quantity'>[]): number[] {
	const sums = new Map<string, { B: number; S: number }>()
	for (const trade of trades) {
		const sum = sums.get(trade.instrument) ?? { B: 0, S: 0 }
		sum[trade.side] += trade.quantity
		sums.set(trade.instrument, sum)
	}
	const left = new Map<string, { B: number; S: number }>()
	for (const [instrument, sum] of sums) left.set(instrument, { B: Math.min(sum.B, sum.S), S: Math.min(sum.B, sum.S) })
	return trades.map((trade) => {
		const rest = left.get(trade.instrument)
		if (!rest || tradeForTradeSeries.has(trade.series)) return 0
		const taken = Math.min(rest[trade.side], trade.quantity)
		rest[trade.side] -= taken
		return taken
	})
}

/** Splits trades into parts of one product each, so that each part has one set of rates. */
function makeLegs(trades: readonly ExecutedTrade[], values: readonly Paise[], intraday: readonly number[], segment: Segment): Leg[] {
	const legs: Leg[] = []
	for (const [trade, { quantity, price, multiplier, kind, is_exercise }] of trades.entries()) {
		const value = values[trade] ?? 0
		if (segment !== 'NSE_CASH') {
			legs.push({ trade, product: findContractProduct(segment, kind, is_exercise), value })
			continue
		}
		const matched = intraday[trade] ?? 0
		const matchedValue = computeValue(matched, price, multiplier)
		if (matched > 0) legs.push({ trade, product: 'INTRADAY', value: matchedValue })
		if (matched < quantity) legs.push({ trade, product: 'DELIVERY', value: value - matchedValue })
	}
	return legs
}

interface Levied {
	charges: ComputedCharge[]
	/** The share of each trade in the whole charge; sums to the charge. */
	shares: Paise[]
}

function sumAmounts(amounts: readonly Paise[]): Paise {
	let sum = 0
	for (const amount of amounts) sum += amount
	return sum
}

/**
 * Brokerage. A percentage is rounded per trade and side, as contract notes print it. A flat amount is charged once per order, on its
 * first trade.
 */
function levyBrokerage(trades: readonly ExecutedTrade[], legs: readonly Leg[], day: Day): Levied {
	const shares = trades.map(() => 0)
	const lines = new Map<string, ComputedCharge>()
	const charged = new Set<string>()
	for (const leg of legs) {
		if (leg.product === 'EXERCISE') continue
		const rate = findBrokerageRate(leg.product, day)
		const order = trades[leg.trade]?.order_no ?? ''
		const isLaterPartOfOrder = rate === null && charged.has(order)
		const amount = rate ? computePercent(leg.value, rate.percent) : isLaterPartOfOrder ? 0 : FLAT_BROKERAGE_PAISE
		charged.add(order)
		shares[leg.trade] = (shares[leg.trade] ?? 0) + amount
		const key = rate?.percent ?? 'flat'
		const line = lines.get(key) ?? {
			kind: 'BROKERAGE',
			base: 0,
			rate: rate?.percent ?? '₹ 20 per order',
			amount: 0,
			rule: rate?.rule ?? 'Only executed orders count',
		}
		line.base += leg.value
		line.amount += amount
		lines.set(key, line)
	}
	return { charges: [...lines.values()], shares }
}

/** Sums values and exact charges (paise × PERCENT_DIVISOR) by rate. */
function collectByRate(legs: readonly Leg[], trades: number, find: (leg: Leg) => Rate | null) {
	const lines = new Map<string, { rate: Rate; base: Paise; exact: number }>()
	const weights = Array.from({ length: trades }, () => 0)
	for (const leg of legs) {
		const rate = find(leg)
		if (!rate) continue
		const exact = leg.value * scaleRate(rate.percent)
		const line = lines.get(rate.rule) ?? { rate, base: 0, exact: 0 }
		line.base += leg.value
		line.exact += exact
		lines.set(rate.rule, line)
		weights[leg.trade] = (weights[leg.trade] ?? 0) + exact
	}
	return { lines: [...lines.values()], weights }
}

/** Exchange charge or SEBI fee: rounded to the paisa, once per rate. */
function levyToPaisa(kind: ChargeKind, legs: readonly Leg[], trades: number, find: (leg: Leg) => Rate | null): Levied {
	const { lines, weights } = collectByRate(legs, trades, find)
	const charges = lines.map(({ rate, base, exact }) => ({
		kind,
		base,
		rate: rate.percent,
		amount: divideHalfUp(exact, PERCENT_DIVISOR),
		rule: rate.rule,
	}))
	return { charges, shares: shareOut(sumAmounts(charges.map((charge) => charge.amount)), weights) }
}

/** STT, CTT or stamp duty: the exact sum of the note is rounded once to the rupee, 50 paise up. The rounding is a separate line. */
function levyToRupee(kind: ChargeKind, legs: readonly Leg[], trades: number, find: (leg: Leg) => Rate | null): Levied {
	const { lines, weights } = collectByRate(legs, trades, find)
	if (lines.length === 0) return { charges: [], shares: weights }
	const total = divideHalfUp(sumAmounts(lines.map((line) => line.exact)), PERCENT_DIVISOR * 100) * 100
	const charges: ComputedCharge[] = lines.map(({ rate, base, exact }) => ({
		kind,
		base,
		rate: rate.percent,
		amount: divideHalfUp(exact, PERCENT_DIVISOR),
		rule: rate.rule,
	}))
	const rounding = total - sumAmounts(charges.map((charge) => charge.amount))
	if (rounding !== 0) charges.push({ kind, base: 0, rate: 'rounding', amount: rounding, rule: 'Rounded to the whole rupee once per note' })
	return { charges, shares: shareOut(total, weights) }
}

/** GST of 18 % on brokerage, exchange charge and SEBI fee together, never on taxes. CGST and SGST are rounded separately. */
function levyGst(taxable: readonly Paise[], isIntraState: boolean): Levied {
	const base = sumAmounts(taxable)
	if (base === 0) return { charges: [], shares: taxable.map(() => 0) }
	const kinds: ChargeKind[] = isIntraState ? ['CGST', 'SGST'] : ['IGST']
	const rate = isIntraState ? HALF_GST_PERCENT : GST_PERCENT
	const rule = 'GST 18 % on brokerage, exchange charge and SEBI fee'
	const charges = kinds.map((kind) => ({ kind, base, rate, amount: computePercent(base, rate), rule }))
	return { charges, shares: shareOut(sumAmounts(charges.map((charge) => charge.amount)), taxable) }
}

/** The cash that a trade settles, before charges, in paise; a purchase is negative. */
function settleTrade(trade: ExecutedTrade, value: Paise): Paise {
	if (trade.kind === 'FUTURE') return trade.settled ?? 0
	return trade.side === 'S' ? value : -value
}

/**
 * The contract note of one client, day and segment: obligation, charges by the rates of the trade day, net, and each trade's share of
 * the charges. The shares are divided by largest remainder, so that they sum to the note to the paisa. DP charges are not on a note.
 */
export function computeNote(trades: readonly ExecutedTrade[], { day, segment, isIntraState }: NoteTerms): Note {
	const intraday = segment === 'NSE_CASH' ? splitIntraday(trades) : trades.map(() => 0)
	const values = trades.map((trade) => computeValue(trade.quantity, trade.price, trade.multiplier))
	const legs = makeLegs(trades, values, intraday, segment)
	const findTrade = (leg: Leg) => trades[leg.trade]
	const brokerage = levyBrokerage(trades, legs, day)
	const exchange = levyToPaisa('EXCHANGE', legs, trades.length, (leg) => findExchangeRate(leg.product, day))
	const sebi = levyToPaisa('SEBI', legs, trades.length, (leg) => findSebiRate(leg.product, day))
	const taxable = trades.map((_, at) => (brokerage.shares[at] ?? 0) + (exchange.shares[at] ?? 0) + (sebi.shares[at] ?? 0))
	const gst = levyGst(taxable, isIntraState)
	const tax = levyToRupee(segment === 'MCX' ? 'CTT' : 'STT', legs, trades.length, (leg) => {
		const trade = findTrade(leg)
		return trade ? findTransactionTaxRate(leg.product, trade.kind, trade.side, day) : null
	})
	const stamp = levyToRupee('STAMP', legs, trades.length, (leg) => findStampRate(leg.product, findTrade(leg)?.side ?? 'S', day))
	const charges = [brokerage, exchange, sebi, gst, tax, stamp].flatMap((levied) => levied.charges)
	const obligation = sumAmounts(trades.map((trade, at) => settleTrade(trade, values[at] ?? 0)))
	const shares = trades.map((_, at) => ({
		value: values[at] ?? 0,
		intraday_quantity: intraday[at] ?? 0,
		brokerage: brokerage.shares[at] ?? 0,
		charges: (taxable[at] ?? 0) + (gst.shares[at] ?? 0) + (tax.shares[at] ?? 0) + (stamp.shares[at] ?? 0),
		stt: tax.shares[at] ?? 0,
		exchange: exchange.shares[at] ?? 0,
		sebi: sebi.shares[at] ?? 0,
		gst: gst.shares[at] ?? 0,
		stamp: stamp.shares[at] ?? 0,
	}))
	return { obligation, charges, net: obligation - sumAmounts(charges.map((charge) => charge.amount)), shares }
}
