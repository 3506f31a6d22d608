import { addDays, type Day, daysBetween } from '~/lib/days'
import { KOTAK_NEW, KOTAK_OLD, listedActions, TMCV, TMCV_PRICE_SHARE, TMPV, listedLater, highestOf2018 } from '#sandbox/data/actions'
import { type Underlying, underlyings } from '#sandbox/data/contracts'
import { securities } from '#sandbox/data/securities'
import type { ActionRow, InstrumentRow } from '#sandbox/book/book'
import { findMonthlyExpiry, lastTradingDay, listTradingDays } from '#sandbox/rules/calendar'
import type { InstrumentKind } from '#sandbox/rules/segments'
import { priceOption } from './option-price'
import { createRandom } from './random'

/** Reference prices are of this day; the walks go backwards and forwards from it, so that a later clock changes no price before it. */
const REFERENCE_DAY = '2026-06-10'
const RUPEE = 10_000
const SHARE_TICK = 500

export interface Contract {
	instrument: InstrumentRow
	underlying: Underlying
	firstDay: Day
}

/** Prices and instruments of the sandbox's whole span. Prices are closes in 1/10,000 rupee. */
export interface Market {
	/** Trading days, oldest first, to the last one not after today. */
	days: Day[]
	indexOf: Map<Day, number>
	instruments: Map<string, InstrumentRow>
	actions: ActionRow[]
	/** Close of a day by instrument; NaN where it is not listed. */
	series: Map<string, Float64Array>
	contracts: Map<string, Contract>
}

function roundTo(price: number, tick: number): number {
	return Math.max(tick, Math.round(price / tick) * tick)
}

interface Walk {
	reference: number
	growth: number
	volatility: number
	/** How far it follows the market, 0 to 1. */
	share: number
	tick: number
}

/** A path through the reference price on the reference day, partly the market's, partly its own. */
function walkPrices(key: string, walk: Walk, days: readonly Day[], anchor: number, market: Float64Array): Float64Array {
	const { reference, growth, volatility, share, tick } = walk
	const daily = volatility / Math.sqrt(250)
	const drift = growth / 250
	const own = daily * Math.sqrt(1 - share * share)
	const path = new Float64Array(days.length)
	const step = (random: { normal(): number }, at: number) => drift + (market[at] ?? 0) * daily * share + random.normal() * own
	let price = reference
	const backwards = createRandom(`${key}/before`)
	for (let at = anchor; at >= 0; at--) {
		path[at] = roundTo(price, tick)
		price /= Math.exp(step(backwards, at))
	}
	price = reference
	const forwards = createRandom(`${key}/after`)
	for (let at = anchor + 1; at < days.length; at++) {
		price *= Math.exp(step(forwards, at))
		path[at] = roundTo(price, tick)
	}
	return path
}

function kindOf(sector: string): InstrumentKind {
	if (sector === 'ETF - Gold' || sector === 'ETF - Silver' || sector === 'ETF - Liquid') return 'OTHER_ETF'
	if (sector.startsWith('ETF')) return 'ETF'
	return sector.startsWith('Mutual Fund') ? 'FUND' : 'EQUITY'
}

function makeWalk(sector: string, reference: number): Walk {
	const shared = { reference: reference * RUPEE, tick: sector.startsWith('Mutual') ? 1 : SHARE_TICK }
	if (sector === 'ETF - Liquid') return { ...shared, growth: 0, volatility: 0, share: 0 }
	if (sector.includes('Gold')) return { ...shared, growth: 0.2, volatility: 0.14, share: 0 }
	if (sector.includes('Silver')) return { ...shared, growth: 0.22, volatility: 0.22, share: 0 }
	if (sector.includes('Index')) return { ...shared, growth: 0.085, volatility: 0.13, share: 0.98 }
	return { ...shared, growth: 0.08, volatility: 0.24, share: 0.55 }
}

function listSecurity(row: (typeof securities)[number]): InstrumentRow {
	const [symbol, name, id, series, sector, reference] = row
	const fmv = listedLater.includes(symbol) ? null : roundTo((highestOf2018[symbol] ?? reference * 0.45) * RUPEE, SHARE_TICK)
	return { id, symbol, name, kind: kindOf(sector), segment: 'NSE_CASH', sector, series, lot: 1, multiplier: 1, fmv_2018: fmv }
}

/** Undoes bonus, split and demerger before their days: history is kept in the prices of its time. */
function restoreHistory(market: Market): void {
	const { days, series, instruments } = market
	for (const action of listedActions) {
		const path = series.get(action.into_instrument ?? action.instrument)
		const own = series.get(action.instrument)
		if (action.kind === 'BONUS' && own) {
			const factor = (action.numerator + action.denominator) / action.denominator
			for (const [at, day] of days.entries()) if (day < action.ex_day) own[at] = (own[at] ?? 0) * factor
		}
		if (action.kind === 'SPLIT' && path) {
			series.set(
				KOTAK_OLD,
				path.map((price, at) => ((days[at] ?? '') < action.ex_day ? price * action.numerator : NaN)),
			)
			series.set(
				KOTAK_NEW,
				path.map((price, at) => ((days[at] ?? '') < action.ex_day ? NaN : price)),
			)
		}
		if (action.kind === 'DEMERGER' && own) {
			const share = TMCV_PRICE_SHARE
			series.set(
				TMCV,
				own.map((price, at) => ((days[at] ?? '') < action.ex_day ? NaN : roundTo((price * share) / (1 - share), SHARE_TICK))),
			)
			series.set(
				TMPV,
				own.map((price, at) => ((days[at] ?? '') < action.ex_day ? roundTo(price / (1 - share), SHARE_TICK) : price)),
			)
		}
	}
	const kotak = instruments.get(KOTAK_NEW)
	const tata = instruments.get(TMPV)
	if (kotak) {
		const fmv_2018 = kotak.fmv_2018 ? kotak.fmv_2018 * 5 : null
		instruments.set(KOTAK_OLD, { ...kotak, id: KOTAK_OLD, name: `${kotak.name} (before split)`, fmv_2018 })
	}
	if (tata) instruments.set(TMCV, { ...tata, id: TMCV, symbol: 'TMCV', name: 'Tata Motors Ltd.', fmv_2018: null })
}

/** One dividend a year for each share, between June and August, about 1 % of its price. */
function declareDividends(market: Market, seed: string): void {
	for (const [id, path] of market.series) {
		if (market.instruments.get(id)?.kind !== 'EQUITY') continue
		const random = createRandom(`${seed}/dividend/${id}`)
		for (const year of new Set(market.days.map((day) => day.slice(0, 4)))) {
			const wanted = addDays(`${year}-06-05`, random.between(0, 75))
			const at = market.days.findIndex((day) => day >= wanted)
			const price = path[at]
			const ex_day = market.days[at]
			if (at < 0 || price === undefined || Number.isNaN(price) || ex_day?.slice(0, 4) !== year) continue
			const amount = roundTo(price * (0.005 + random.next() * 0.012), RUPEE / 2)
			market.actions.push({ id: market.actions.length + 1, instrument: id, ex_day, kind: 'DIVIDEND', numerator: 1, denominator: 1, amount })
		}
	}
}

const SETTLED_SESSIONS = 1040

/**
 * What moves all shares of a session together. The four years before the reference day sum to nothing, so that the market rises by its growth
 * whatever the seed, and a client who has held for long is seldom at a loss.
 */
function drawMoods(seed: string, anchor: number, sessions: number): Float64Array {
	const before = createRandom(`${seed}/mood/before`)
	const after = createRandom(`${seed}/mood/after`)
	const back = Array.from({ length: Math.max(SETTLED_SESSIONS, anchor + 1) }, () => before.normal())
	const mean = back.slice(0, SETTLED_SESSIONS).reduce((sum, mood) => sum + mood, 0) / SETTLED_SESSIONS
	const moods = new Float64Array(sessions)
	for (let at = 0; at < sessions; at++) moods[at] = at <= anchor ? (back[anchor - at] ?? 0) - mean : after.normal()
	return moods
}

/** Everything that has a price, from a month before the first of five financial years to today; the same for the same seed. */
export function makeMarket(seed: string, from: Day, today: Day): Market {
	const start = addDays(from, -31)
	const last = lastTradingDay(today)
	const span = listTradingDays(start < REFERENCE_DAY ? start : REFERENCE_DAY, last > REFERENCE_DAY ? last : REFERENCE_DAY)
	const anchor = span.indexOf(REFERENCE_DAY)
	const shared = drawMoods(seed, anchor, span.length)
	const market: Market = { days: span, indexOf: new Map(), instruments: new Map(), actions: [], series: new Map(), contracts: new Map() }
	for (const row of securities) {
		const [, , id, , sector, reference] = row
		market.instruments.set(id, listSecurity(row))
		market.series.set(id, walkPrices(`${seed}/${id}`, makeWalk(sector, reference), span, anchor, shared))
	}
	restoreHistory(market)
	for (const { root, path, tick, segment } of underlyings) {
		if (!path) continue
		const walk = { ...path, reference: path.reference * RUPEE, tick, share: segment === 'NSE_FNO' ? 1 : 0 }
		market.series.set(root, walkPrices(`${seed}/${root}`, walk, span, anchor, shared))
	}
	for (const action of listedActions) market.actions.push({ id: market.actions.length + 1, ...action })
	const first = span.findIndex((day) => day >= start)
	const count = span.findLastIndex((day) => day <= last) + 1
	market.days = span.slice(first, count)
	for (const [id, path] of market.series) market.series.set(id, path.slice(first, count))
	for (const [at, day] of market.days.entries()) market.indexOf.set(day, at)
	declareDividends(market, seed)
	return market
}

/** Close of a security, contract or underlying, in 1/10,000 rupee. Throws when it has none that day. */
export function priceOn(market: Market, id: string, day: Day): number {
	const contract = market.contracts.get(id)
	if (contract) return priceContract(market, contract, day)
	const price = market.series.get(id)?.[market.indexOf.get(day) ?? -1]
	if (price === undefined || Number.isNaN(price)) throw new RangeError(`${id} has no price on ${day}`)
	return price
}

/** The price of what a contract is written on. */
export function underlyingPrice(market: Market, { underlying }: Contract, day: Day): number {
	return priceOn(market, underlying.isin ?? underlying.root, day)
}

function priceContract(market: Market, contract: Contract, day: Day): number {
	const { instrument, underlying } = contract
	const spot = underlyingPrice(market, contract, day)
	const years = Math.max(0, daysBetween(day, instrument.expiry ?? day)) / 365
	if (instrument.kind === 'FUTURE') return roundTo(spot * (1 + 0.06 * years), underlying.tick)
	return roundTo(priceOption(spot, instrument.strike ?? 0, years, instrument.option_type === 'CE' ? 'CE' : 'PE'), underlying.tick)
}

const monthCodes = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']

function expiryOf({ expiryDay }: Underlying, month: string): Day {
	return expiryDay === undefined ? findMonthlyExpiry(month) : lastTradingDay(`${month}-${String(expiryDay).padStart(2, '0')}`)
}

/** The nearest month whose contract still has at least so many days to live. */
function pickMonth(underlying: Underlying, day: Day, daysToLive: number): string {
	let month = day.slice(0, 7)
	while (daysBetween(day, expiryOf(underlying, month)) < daysToLive) month = addDays(`${month}-28`, 4).slice(0, 7)
	return month
}

/**
 * The contract on an underlying that is traded on a day: a future, or an option so many strikes of 100 rupees out of the money. It is listed
 * on first use. Throws for an underlying that is not in data/contracts.ts.
 */
export function findContract(
	market: Market,
	root: string,
	day: Day,
	daysToLive: number,
	option?: { type: 'CE' | 'PE'; out: number },
): Contract {
	const underlying = underlyings.find((each) => each.root === root)
	if (!underlying) throw new RangeError(`No contracts on ${root}`)
	const month = pickMonth(underlying, day, daysToLive)
	const code = `${month.slice(2, 4)}${monthCodes[Number(month.slice(5)) - 1] ?? ''}`
	const spot = priceOn(market, underlying.isin ?? root, day)
	const strikeStep = 100 * RUPEE
	const strike = option ? Math.round(spot / strikeStep) * strikeStep + (option.type === 'CE' ? 1 : -1) * option.out * strikeStep : null
	const id = strike !== null && option ? `${root}${code}${strike / RUPEE}${option.type}` : `${root}${code}FUT`
	const known = market.contracts.get(id)
	if (known) return known
	const instrument: InstrumentRow = {
		id,
		symbol: id,
		name: `${underlying.name} ${code}${strike !== null && option ? ` ${strike / RUPEE} ${option.type}` : ' FUT'}`,
		kind: option ? 'OPTION' : 'FUTURE',
		segment: underlying.segment,
		sector: underlying.sector,
		series: 'XX',
		lot: underlying.lots.findLast(([from]) => from <= month)?.[1] ?? 1,
		multiplier: underlying.multiplier,
		expiry: expiryOf(underlying, month),
		strike,
		option_type: option?.type ?? null,
	}
	const contract = { instrument, underlying, firstDay: day }
	market.contracts.set(id, contract)
	return contract
}
