import { addDays, type Day, daysBetween, MONTHS } from '#contract/values/dates'
import { type ActionRow, type InstrumentRow } from '#sandbox/book/book'
import {
	highestOf2018,
	KOTAK_NEW,
	KOTAK_OLD,
	listedActions,
	listedLater,
	newCompanies,
	type ListedAction,
} from '#sandbox/reference-data/actions'
import { type Underlying, underlyings } from '#sandbox/reference-data/contracts'
import { firstSessions, listLevels } from '#sandbox/reference-data/price-levels'
import { securities } from '#sandbox/reference-data/securities'
import { findMonthlyExpiry, lastTradingDay, listTradingDays } from '#sandbox/rules/calendar'
import { type InstrumentKind } from '#sandbox/rules/segments'
import { isMarketOpen } from '#sandbox/rules/sessions'
import { priceOption } from './option-price'
import { createRandom } from './random'
import { drawMoods, roundTo, type Walk, walkPrices } from './walk'

/** The day of the reference prices. It is the last fixed point of every price path, so a later clock changes no price before it. */
const REFERENCE_DAY = '2026-06-10'
const FIRST_LEVEL = '2022-03-31'
const RUPEE = 10_000
const SHARE_TICK = 500

export interface Contract {
	instrument: InstrumentRow
	underlying: Underlying
	firstDay: Day
}

/** Prices and instruments of the sandbox's whole period. Prices are closes in 1/10,000 rupee. */
export interface Market {
	/** Trading days, oldest first, to the last one not after today. */
	days: Day[]
	indexByDay: Map<Day, number>
	instruments: Map<string, InstrumentRow>
	actions: ActionRow[]
	/** Closes by instrument, one for each of `days`; NaN when it is not listed. */
	series: Map<string, Float64Array>
	contracts: Map<string, Contract>
}

function findKind(sector: string): InstrumentKind {
	if (sector === 'ETF - Gold' || sector === 'ETF - Silver' || sector === 'ETF - Liquid') return 'OTHER_ETF'
	if (sector.startsWith('ETF')) return 'ETF'
	return sector.startsWith('Mutual Fund') ? 'FUND' : 'EQUITY'
}

function listSecurity(row: (typeof securities)[number]): InstrumentRow {
	const [symbol, name, id, series, sector, reference] = row
	const fmv = listedLater.includes(symbol) ? null : roundTo((highestOf2018[symbol] ?? reference * 0.45) * RUPEE, SHARE_TICK)
	return { id, symbol, name, kind: findKind(sector), segment: 'NSE_CASH', sector, series, lot: 1, multiplier: 1, fmv_2018: fmv }
}

function makeWalk(sector: string): Walk {
	const tick = sector.startsWith('Mutual') ? 1 : SHARE_TICK
	if (sector === 'ETF - Liquid') return { tick, growth: 0, volatility: 0, share: 0 }
	if (sector.includes('Gold')) return { tick, growth: 0.2, volatility: 0.14, share: 0 }
	if (sector.includes('Silver')) return { tick, growth: 0.22, volatility: 0.22, share: 0 }
	if (sector.includes('Index')) return { tick, growth: 0.085, volatility: 0.13, share: 0.98 }
	return { tick, growth: 0.08, volatility: 0.24, share: 0.55 }
}

/** The factor by which an action changes earlier prices: 0.5 for a bonus of one for one; 1 when the price does not change. */
function findFactor({ kind, numerator, denominator, into_instrument = '' }: ListedAction): number {
	if (kind === 'BONUS') return denominator / (numerator + denominator)
	if (kind === 'SPLIT') return denominator / numerator
	return kind === 'DEMERGER' ? 1 - (newCompanies[into_instrument]?.priceShare ?? 0) : 1
}

/** Known prices, adjusted to today's shares, and the reference price. A share listed later has no price before its first session. */
function findLevels(symbol: string, id: string, reference: number): (readonly [Day, number])[] {
	const own = listedActions.filter(({ kind, instrument, into_instrument }) => (kind === 'SPLIT' ? into_instrument : instrument) === id)
	const levels = listLevels(symbol).map(([day, rupees]) => {
		const factors = own.filter(({ ex_day }) => ex_day > day).map(findFactor)
		return [day, factors.reduce((price, factor) => price * factor, rupees * RUPEE)] as const
	})
	return [...levels, [REFERENCE_DAY, reference * RUPEE]]
}

/** Undoes bonus, split and demerger before their days, so that old prices are as they were at the time. */
function restoreHistory({ days, series, instruments }: Market): void {
	// Latest first, because each is undone on prices from which the later ones are already removed.
	for (const action of listedActions.toReversed()) {
		const { kind, instrument, ex_day, numerator, denominator, into_instrument } = action
		const isBefore = (at: number) => (days[at] ?? '') < ex_day
		const path = series.get(kind === 'SPLIT' ? (into_instrument ?? '') : instrument)
		const factor = findFactor(action)
		if (!path || factor === 1) continue
		const before = path.map((price, at) => (isBefore(at) ? roundTo(price / factor, SHARE_TICK) : price))
		series.set(instrument, kind === 'SPLIT' ? before.map((price, at) => (isBefore(at) ? price : NaN)) : before)
		if (kind === 'SPLIT' && into_instrument)
			series.set(
				into_instrument,
				path.map((price, at) => (isBefore(at) ? NaN : price)),
			)
		const born = newCompanies[into_instrument ?? '']
		const parent = instruments.get(instrument)
		if (kind !== 'DEMERGER' || !born || !parent || into_instrument === undefined) continue
		const { priceShare, ...names } = born
		const ratio = ((priceShare / (1 - priceShare)) * denominator) / numerator
		series.set(
			into_instrument,
			path.map((price, at) => (isBefore(at) ? NaN : roundTo(price * ratio, SHARE_TICK))),
		)
		instruments.set(into_instrument, { ...parent, ...names, id: into_instrument, fmv_2018: null })
	}
	const kotak = instruments.get(KOTAK_NEW)
	if (!kotak) return
	const fmv_2018 = kotak.fmv_2018 ? kotak.fmv_2018 * 5 : null
	instruments.set(KOTAK_OLD, { ...kotak, id: KOTAK_OLD, name: `${kotak.name} (before split)`, fmv_2018 })
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

/** Makes the prices of everything, from a month before `from` to today. The same seed gives the same prices. */
export function makeMarket(seed: string, from: Day, today: Day): Market {
	const start = addDays(from, -31)
	const last = lastTradingDay(today)
	// Starts at the first level or earlier, so that a shorter period changes no price.
	const span = listTradingDays(start < FIRST_LEVEL ? start : FIRST_LEVEL, last > REFERENCE_DAY ? last : REFERENCE_DAY)
	const shared = drawMoods(seed, span.indexOf(REFERENCE_DAY), span.length)
	const market: Market = { days: span, indexByDay: new Map(), instruments: new Map(), actions: [], series: new Map(), contracts: new Map() }
	for (const row of securities) {
		const [symbol, , id, , sector, reference] = row
		market.instruments.set(id, listSecurity(row))
		const path = walkPrices(`${seed}/${id}`, makeWalk(sector), span, findLevels(symbol, id, reference), shared)
		const listed = firstSessions[symbol]
		market.series.set(id, listed === undefined ? path : path.map((price, at) => ((span[at] ?? '') < listed ? NaN : price)))
	}
	restoreHistory(market)
	for (const { root, path, tick, segment } of underlyings) {
		if (!path) continue
		const walk = { ...path, tick, share: segment === 'NSE_FNO' ? 1 : 0 }
		market.series.set(root, walkPrices(`${seed}/${root}`, walk, span, findLevels(root, root, path.reference), shared))
	}
	for (const action of listedActions) market.actions.push({ id: market.actions.length + 1, ...action })
	const first = span.findIndex((day) => day >= start)
	const count = span.findLastIndex((day) => day <= last) + 1
	market.days = span.slice(first, count)
	for (const [id, path] of market.series) market.series.set(id, path.slice(first, count))
	for (const [at, day] of market.days.entries()) market.indexByDay.set(day, at)
	declareDividends(market, seed)
	return market
}

/** Close of a security, contract or underlying, in 1/10,000 rupee. Throws RangeError when it has none that day. */
export function priceOn(market: Market, id: string, day: Day): number {
	const contract = market.contracts.get(id)
	if (contract) return priceContract(market, contract, day)
	const price = market.series.get(id)?.[market.indexByDay.get(day) ?? -1]
	if (price === undefined || Number.isNaN(price)) throw new RangeError(`${id} has no price on ${day}`)
	return price
}

/** The close of a contract's underlying, in 1/10,000 rupee. */
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

function findExpiry({ expiryDay, segment }: Underlying, month: string): Day {
	if (expiryDay === undefined) return findMonthlyExpiry(month)
	let day = lastTradingDay(`${month}-${String(expiryDay).padStart(2, '0')}`)
	while (!isMarketOpen(segment, day)) day = lastTradingDay(addDays(day, -1))
	return day
}

/** The nearest month whose contract has at least this many days left. */
function pickMonth(underlying: Underlying, day: Day, daysToLive: number): string {
	let month = day.slice(0, 7)
	while (daysBetween(day, findExpiry(underlying, month)) < daysToLive) month = addDays(`${month}-28`, 4).slice(0, 7)
	return month
}

/**
 * The contract on an underlying that is traded on a day: a future, or an option this many strikes of 100 rupees out of the money. It is
 * created on first use. Throws RangeError for an underlying that is not in reference-data/contracts.ts.
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
	const code = `${month.slice(2, 4)}${MONTHS[Number(month.slice(5)) - 1] ?? ''}`
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
		expiry: findExpiry(underlying, month),
		strike,
		option_type: option?.type ?? null,
	}
	const contract = { instrument, underlying, firstDay: day }
	market.contracts.set(id, contract)
	return contract
}
