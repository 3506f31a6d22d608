import { type Day } from '#contract/values/dates'
import { tenderBuyback } from '#sandbox/book/actions'
import { postTransfer } from '#sandbox/book/entries'
import { HDFCBANK, INFY, KOTAK_OLD, NESTLEIND, TMPV } from '#sandbox/reference-data/actions'
import { underlyings } from '#sandbox/reference-data/contracts'
import { securities } from '#sandbox/reference-data/securities'
import { type TradeSide } from '#sandbox/rules/segments'
import { isMarketOpen } from '#sandbox/rules/sessions'
import { type ClientHistory, findSessionFromEnd } from './client-history'
import { applyEarlierActions, transferIn } from './earlier-actions'
import { createContractOrder } from './open-contracts'
import {
	readTraderBalance,
	type Simulator,
	countFree,
	countHeld,
	payInFor,
	payOut,
	toPlace,
	pledgeShares,
	sellFunded,
	findTradingDay,
	type Wish,
} from './trading-simulator'

/** The ISIN of a symbol. Throws RangeError when the symbol is not in reference-data/securities.ts. */
export function requireIsin(symbol: string): string {
	const isin = securities.find(([each]) => each === symbol)?.[2]
	if (!isin) throw new RangeError(`No security ${symbol}`)
	return isin
}

const traded = [
	'RELIANCE',
	'TCS',
	'ICICIBANK',
	'SBIN',
	'BHARTIARTL',
	'LT',
	'SUNPHARMA',
	'AXISBANK',
	'MARUTI',
	'CIPLA',
	'TATAPOWER',
	'COALINDIA',
]
	.concat(['NIFTYBEES', 'BANKBEES', 'GOLDBEES', 'HINDALCO', 'DLF', 'TECHM', 'PNB', 'ITBEES'])
	.map(requireIsin)

type Script = Map<Day, (() => void)[]>

function buy(simulator: Simulator, instrument: string, quantity: number, more: Pick<Wish, 'isMtf' | 'waitsForPledge'> = {}): void {
	simulator.wishes.push({ segment: 'NSE_CASH', instrument, side: 'B', quantity, ...more })
}

/** Pledges at most the shares held: with an early clock they may not be there yet. */
function pledgeUpTo(simulator: Simulator, day: Day, instrument: string, wanted: number): void {
	const quantity = Math.min(wanted, countFree(simulator, instrument))
	if (quantity > 0) pledgeShares(simulator, day, instrument, quantity)
}

/** Does something on `day`, the first session on or after `planned`. */
type Event = (day: Day, planned: Day) => void

/**
 * Puts each event on the first session on or after its day. Events after the clock's day are left out. Events before the books begin are
 * on the first session, in the order of the list, so that the client shows the same on any day.
 */
function writeScript(simulator: Simulator, from: Day, events: readonly (readonly [Day, Event])[]): Script {
	const script: Script = new Map()
	for (const [planned, act] of events) {
		const day = findTradingDay(simulator.market, planned < from ? from : planned)
		if (day) script.set(day, [...(script.get(day) ?? []), () => act(day, planned)])
	}
	return script
}

/** An order for shares of the planned day. On a later day it has the quantities after the corporate actions in between. */
function orderShares(simulator: Simulator, side: TradeSide, instrument: string, quantity: number): Event {
	return (day, planned) => {
		const lots = applyEarlierActions({ instrument, quantity, cost: 0, expenses: 0, acquired_on: planned }, planned, day)
		const quantities = new Map<string, number>()
		for (const lot of lots) quantities.set(lot.instrument, (quantities.get(lot.instrument) ?? 0) + lot.quantity)
		for (const [each, count] of quantities) simulator.wishes.push({ segment: 'NSE_CASH', instrument: each, side, quantity: count })
	}
}

/** Tenders at most the shares held, on the day of the buyback: there is no tender in books that begin later. */
function tenderUpTo(simulator: Simulator, day: Day, wanted: number): void {
	const buyback = simulator.market.actions.find(
		({ kind, instrument, ex_day }) => kind === 'BUYBACK' && instrument === INFY && ex_day === day,
	)
	const quantity = Math.min(wanted, countFree(simulator, INFY))
	if (buyback && quantity > 0) tenderBuyback(simulator.book, simulator.positions, simulator.trader.code, buyback, quantity)
}

/** The demonstration client's events, on the days on which the corporate actions really happened. */
function scriptHistory(simulator: Simulator, from: Day): Script {
	const itc = { instrument: requireIsin('ITC'), quantity: 400, cost: 1_04_940_00, acquired_on: '2017-06-12' }
	const gail = { instrument: requireIsin('GAIL'), quantity: 150, cost: null, acquired_on: '2020-03-16' }
	const order = (side: TradeSide, instrument: string, quantity: number) => orderShares(simulator, side, instrument, quantity)
	return writeScript(simulator, from, [
		[from, (day) => transferIn(simulator, day, itc)],
		[from, (day) => payInFor(simulator, day, 'NSE_CASH', 3_00_000_00)],
		[from, (day) => payInFor(simulator, day, 'MCX', 1_75_000_00)],
		['2022-06-15', order('B', INFY, 80)],
		['2022-09-15', (day) => transferIn(simulator, day, gail)],
		['2023-01-18', order('B', TMPV, 200)],
		['2023-02-15', order('B', HDFCBANK, 30)],
		['2023-06-14', order('B', KOTAK_OLD, 30)],
		['2024-02-12', order('B', NESTLEIND, 25)],
		['2024-05-21', order('B', HDFCBANK, 20)],
		['2024-08-19', order('S', itc.instrument, 150)],
		['2025-11-26', (day) => tenderUpTo(simulator, day, 20)],
	])
}

/** Events that give today's account the same state on any day: funded and pledged holdings, open contracts, an unsettled sale. */
function scriptRecent(simulator: Simulator, from: Day): Script {
	const day = (back: number) => findSessionFromEnd(simulator.market, back)
	const [titan, tatasteel, bel, powergrid, ntpc] = ['TITAN', 'TATASTEEL', 'BEL', 'POWERGRID', 'NTPC'].map(requireIsin)
	if (!titan || !tatasteel || !bel || !powergrid || !ntpc) throw new RangeError('A security of the script is missing')
	const openContract = (back: number, root: string, side: 'B' | 'S', option?: { type: 'CE' | 'PE'; out: number }) => {
		const { lot, ...contract } = createContractOrder(simulator, root, day(back), 20, option)
		simulator.wishes.push({ ...contract, side, quantity: lot })
	}
	return writeScript(simulator, from, [
		[day(200), () => buy(simulator, titan, 40)],
		[day(190), () => buy(simulator, tatasteel, 1200, { isMtf: true })],
		[day(120), () => sellFunded(simulator, day(120), tatasteel)],
		[day(60), () => pledgeUpTo(simulator, day(60), HDFCBANK, 60)],
		[day(58), () => pledgeUpTo(simulator, day(58), requireIsin('ITC'), 200)],
		[day(45), () => buy(simulator, bel, 400, { isMtf: true })],
		[day(28), () => buy(simulator, powergrid, 500, { isMtf: true })],
		[day(20), () => pledgeShares(simulator, day(20), requireIsin('ITC'), -50)],
		[day(7), () => openContract(7, 'SBIN', 'B')],
		[day(6), () => openContract(6, 'GOLDM', 'B')],
		[day(4), () => openContract(4, 'NIFTY', 'S', { type: 'CE', out: 6 })],
		[day(3), () => openContract(3, 'NIFTY', 'B', { type: 'PE', out: 3 })],
		[day(2), () => payInFor(simulator, day(2), 'NSE_CASH', 60_000_00)],
		[day(2), () => payInFor(simulator, day(2), 'MCX', 40_000_00)],
		[day(0), () => simulator.wishes.push({ segment: 'NSE_CASH', instrument: titan, side: 'S', quantity: 15 })],
		[day(0), () => buy(simulator, ntpc, 120, { isMtf: true, waitsForPledge: true })],
	])
}

function investSometimes(simulator: Simulator, day: Day): void {
	const { random, market } = simulator
	if (!random.chance(0.14)) return
	const held = traded.filter((isin) => countFree(simulator, isin) > 0)
	if (held.length > 5 && random.chance(0.48)) {
		const instrument = random.pick(held)
		const free = countFree(simulator, instrument)
		const quantity = random.chance(0.6) ? free : Math.max(1, Math.floor(free / 2))
		simulator.wishes.push({ segment: 'NSE_CASH', instrument, side: 'S', quantity })
		return
	}
	const instrument = random.pick(traded)
	const close = market.series.get(instrument)?.[market.indexByDay.get(day) ?? -1] ?? 0
	if (close > 0) buy(simulator, instrument, Math.max(1, Math.round((random.between(15, 60) * 1000 * 10_000) / close)))
}

function dayTradeSometimes(simulator: Simulator, day: Day): void {
	const { random, market } = simulator
	if (!random.chance(0.05)) return
	const instrument = random.pick(['SBIN', 'TATASTEEL', 'AXISBANK', 'ICICIBANK', 'TATAPOWER'].map(requireIsin))
	const close = market.series.get(instrument)?.[market.indexByDay.get(day) ?? -1] ?? 0
	if (close === 0 || countHeld(simulator, instrument) > 0) return
	const quantity = Math.max(10, Math.round((1_00_000 * 10_000) / close / 10) * 10)
	const sides = random.chance(0.7) ? (['B', 'S'] as const) : (['S', 'B'] as const)
	for (const side of sides) simulator.wishes.push({ segment: 'NSE_CASH', instrument, side, quantity })
}

interface Habit {
	root: string
	chance: number
	/** Sessions until it is closed, as least and most. */
	keeps: readonly [number, number]
	option: boolean
}

const habits: readonly Habit[] = [
	{ root: 'NIFTY', chance: 0.05, keeps: [1, 9], option: true },
	{ root: 'SBIN', chance: 0.012, keeps: [2, 12], option: false },
	{ root: 'USDINR', chance: 0.006, keeps: [2, 8], option: false },
	{ root: 'GOLDM', chance: 0.014, keeps: [1, 8], option: false },
	{ root: 'CRUDEOIL', chance: 0.02, keeps: [0, 4], option: false },
	{ root: 'SILVERM', chance: 0.008, keeps: [1, 5], option: false },
]

/** Sometimes opens a contract and schedules its closing. It opens none near today, because the script does that. */
function tradeContracts(simulator: Simulator, day: Day, closings: Script, lastDay: Day): void {
	const { random, market } = simulator
	for (const { root, chance, keeps, option } of habits) {
		if (!random.chance(chance)) continue
		const side = random.chance(option ? 0.6 : 0.65) ? 'B' : 'S'
		const wanted = option ? { type: random.chance(0.5) ? ('CE' as const) : ('PE' as const), out: random.between(0, 4) } : undefined
		const at = (market.indexByDay.get(day) ?? 0) + random.between(...keeps)
		const segment = underlyings.find((each) => each.root === root)?.segment ?? 'NSE_FNO'
		if (day >= lastDay || !isMarketOpen(segment, day)) continue
		const { lot, ...contract } = createContractOrder(simulator, root, day, option ? 3 : 12, wanted)
		simulator.wishes.push({ ...contract, side, quantity: lot })
		const until = market.days.find((each, index) => index >= at && isMarketOpen(segment, each))
		if (!until) continue
		const close = () => {
			const held = countHeld(simulator, contract.instrument) + (until === day ? (side === 'B' ? lot : -lot) : 0)
			if (held !== 0) simulator.wishes.push({ ...contract, side: held > 0 ? 'S' : 'B', quantity: Math.abs(held) })
		}
		if (until === day) close()
		else closings.set(until, [...(closings.get(until) ?? []), close])
	}
}

/** The history of DEMO01: an employed investor who uses every service a little. */
export function planDemo(simulator: Simulator, from: Day): ClientHistory {
	const closings: Script = new Map()
	const scripts = [scriptHistory(simulator, from), scriptRecent(simulator, from)]
	const quietFrom = findSessionFromEnd(simulator.market, 25)
	const plan = (day: Day) => {
		for (const close of closings.get(day) ?? []) close()
		if (day < quietFrom) {
			investSometimes(simulator, day)
			dayTradeSometimes(simulator, day)
		}
		tradeContracts(simulator, day, closings, quietFrom)
		for (const script of scripts) for (const act of script.get(day) ?? []) act()
		if (simulator.random.chance(0.02) && readTraderBalance(simulator, 'NSE_CASH') > 1_20_000_00 && day < quietFrom) {
			payOut(simulator, day, 'NSE_CASH', 50_000_00, 'CLIENT REQUEST')
		}
		if (day.endsWith('-12') && readTraderBalance(simulator, 'NSE_CASH') > 1_00_000_00)
			postTransfer(simulator.book, toPlace(simulator, day), 'MCX', 20_000_00)
	}
	return { from, plan, isFunded: true }
}
