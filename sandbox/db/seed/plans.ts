import { addDays, type Day } from '#contract/values/dates'
import { lastTradingDay } from '#sandbox/rules/calendar'
import { planBulk } from './bulk'
import { type ClientHistory, findSessionFromEnd } from './client-history'
import { requireIsin, planDemo } from './demo'
import { transferIn } from './earlier-actions'
import { readTraderBalance, type Simulator, countFree, payIn, payInFor, payOut, findTradingDay } from './trading-simulator'

const calm = ['NIFTYBEES', 'ITC', 'HDFCLIFE', 'SBIN', 'TCS', 'ONGC', 'NTPC', 'GOLDBEES', 'LT', 'BANKBARODA'].map(requireIsin)

/** Buys a little and rarely sells. `until` is the last day of trading. */
function investCalmly(simulator: Simulator, chance: number, rupees: readonly [number, number], until?: Day) {
	const { random, market } = simulator
	return (day: Day) => {
		if ((until !== undefined && day > until) || !random.chance(chance)) return
		const held = calm.filter((isin) => countFree(simulator, isin) > 0)
		if (held.length > 4 && random.chance(0.3)) {
			const instrument = random.pick(held)
			simulator.wishes.push({ segment: 'NSE_CASH', instrument, side: 'S', quantity: countFree(simulator, instrument) })
			return
		}
		const instrument = random.pick(calm)
		const price = market.series.get(instrument)?.[market.indexByDay.get(day) ?? -1] ?? 0
		const quantity = Math.max(1, Math.round((random.between(...rupees) * 10_000) / price))
		simulator.wishes.push({ segment: 'NSE_CASH', instrument, side: 'B', quantity })
	}
}

/** Days from the first day of the books to the last trade of DORM01: from 1-Apr-2022 to 15-Feb-2024. */
const DORMANT_AFTER = 685

/** The last trade is in the second year of the books, or more than 26 months ago when that is earlier. */
function planDormant(simulator: Simulator, from: Day): ClientHistory {
	const [latest, early] = [addDays(simulator.market.days.at(-1) ?? from, -800), addDays(from, DORMANT_AFTER)]
	const until = latest < early ? latest : early
	const lot = { instrument: requireIsin('ITC'), quantity: 250, cost: 58_750_00, acquired_on: '2014-08-20' }
	transferIn(simulator, findTradingDay(simulator.market, from) ?? from, lot)
	const invest = investCalmly(simulator, 0.05, [10_000, 30_000], until)
	const lastTrade = lastTradingDay(until)
	const plan = (day: Day) => {
		invest(day)
		if (day === lastTrade) simulator.wishes.push({ segment: 'NSE_CASH', instrument: requireIsin('NIFTYBEES'), side: 'B', quantity: 25 })
	}
	return { from, plan, isFunded: true }
}

/**
 * Sessions before the last on which DEBT01 buys and then pays late, on the fourth session after pay-in. A later payment would stop its
 * purchases.
 */
const PAID_LATE = [130, 110, 90, 70, 50]
/** Sessions from such a purchase to its payment. */
const LATE_BY = 5

/**
 * DEBT01 pays for its purchases until half a year ago, then pays late. It withdraws its money, buys in the last days and does not pay.
 * Purchases stop when a debit is five trading days old, so the whole debt is from one week, and the broker holds the shares until they
 * are paid for.
 */
function planDebtor(simulator: Simulator, from: Day): ClientHistory {
	const invest = investCalmly(simulator, 0.05, [15_000, 50_000], findSessionFromEnd(simulator.market, 150))
	const late = new Set(PAID_LATE.map((back) => findSessionFromEnd(simulator.market, back)))
	const payments = new Set(PAID_LATE.map((back) => findSessionFromEnd(simulator.market, back - LATE_BY)))
	const unpaid = new Map([
		[findSessionFromEnd(simulator.market, 4), ['LT', 20]],
		[findSessionFromEnd(simulator.market, 3), ['SBIN', 90]],
		[findSessionFromEnd(simulator.market, 2), ['ONGC', 120]],
	] as const)
	const payOuts = new Set([findSessionFromEnd(simulator.market, 140), findSessionFromEnd(simulator.market, 8)])
	const history: ClientHistory = {
		from,
		isFunded: true,
		plan(day) {
			invest(day)
			if (payments.has(day)) payInFor(simulator, day, 'NSE_CASH', 0)
			if (payOuts.has(day)) payOut(simulator, day, 'NSE_CASH', readTraderBalance(simulator, 'NSE_CASH'), 'CLIENT REQUEST')
			const [symbol, quantity] = unpaid.get(day) ?? (late.has(day) ? (['BANKBARODA', 250] as const) : [])
			if (symbol === undefined || quantity === undefined) return
			history.isFunded = false
			simulator.wishes.push({ segment: 'NSE_CASH', instrument: requireIsin(symbol), side: 'B', quantity })
		},
	}
	return history
}

/** CLOS01 has some holdings and an empty ledger: everything is paid out, or a debit is paid in to the paisa. */
function planLeaver(simulator: Simulator, from: Day): ClientHistory {
	const invest = investCalmly(simulator, 0.03, [8_000, 20_000], findSessionFromEnd(simulator.market, 180))
	// Twice, because the yearly charge may be posted in between.
	const clearings = new Set([findSessionFromEnd(simulator.market, 60), findSessionFromEnd(simulator.market, 0)])
	return {
		from,
		isFunded: true,
		plan(day) {
			invest(day)
			const balance = readTraderBalance(simulator, 'NSE_CASH')
			if (!clearings.has(day) || balance === 0) return
			// Not rounded up as other pay-ins: money paid in today cannot be withdrawn today.
			if (balance < 0) payIn(simulator, day, 'NSE_CASH', -balance)
			else payOut(simulator, day, 'NSE_CASH', balance, 'CLIENT REQUEST')
		},
	}
}

/** A persona's history; undefined for a persona that has never traded. */
export function planHistory(simulator: Simulator, from: Day): ClientHistory | undefined {
	switch (simulator.trader.code) {
		case 'DEMO01':
			return planDemo(simulator, from)
		case 'CASH01':
			return { from: addDays(from, 80), plan: investCalmly(simulator, 0.055, [8_000, 35_000]), isFunded: true }
		case 'DORM01':
			return planDormant(simulator, from)
		case 'DEBT01':
			return planDebtor(simulator, from)
		case 'CLOS01':
			return planLeaver(simulator, from)
		case 'BULK01':
			return planBulk(simulator, from)
		default:
			return undefined
	}
}
