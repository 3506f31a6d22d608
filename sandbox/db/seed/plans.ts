import { addDays, type Day } from '#contract/values/dates'
import { openLot } from '#sandbox/book/lots'
import { lastTradingDay } from '#sandbox/rules/calendar'
import { planBulk } from './bulk'
import { type Life, sessionFromEnd } from './client-history'
import { requireIsin, planDemo } from './demo'
import { readTraderBalance, type Desk, countFree, payInFor, payOut, tradingDayFrom } from './trading-simulator'

const calm = ['NIFTYBEES', 'ITC', 'HDFCLIFE', 'SBIN', 'TCS', 'ONGC', 'NTPC', 'GOLDBEES', 'LT', 'BANKBARODA'].map(requireIsin)

/** Buys a little, seldom sells. `until` is the last day of trading. */
function investCalmly(desk: Desk, chance: number, rupees: readonly [number, number], until?: Day) {
	const { random, market } = desk
	return (day: Day) => {
		if ((until !== undefined && day > until) || !random.chance(chance)) return
		const held = calm.filter((isin) => countFree(desk, isin) > 0)
		if (held.length > 4 && random.chance(0.3)) {
			const instrument = random.pick(held)
			desk.wishes.push({ segment: 'NSE_CASH', instrument, side: 'S', quantity: countFree(desk, instrument) })
			return
		}
		const instrument = random.pick(calm)
		const price = market.series.get(instrument)?.[market.indexByDay.get(day) ?? -1] ?? 0
		const quantity = Math.max(1, Math.round((random.between(...rupees) * 10_000) / price))
		desk.wishes.push({ segment: 'NSE_CASH', instrument, side: 'B', quantity })
	}
}

/** The last trade is of early 2024, or more than 26 months ago when that is earlier. */
function planDormant(desk: Desk, from: Day): Life {
	const latest = addDays(desk.market.days.at(-1) ?? from, -800)
	const until = latest < '2024-02-15' ? latest : '2024-02-15'
	const first = tradingDayFrom(desk.market, from) ?? from
	const place = { client: desk.trader.code, instrument: requireIsin('ITC'), segment: 'NSE_CASH' }
	const lot = { side: 'L', opened_on: first, acquired_on: '2014-08-20', quantity: 250, expenses: 0, origin: 'TRANSFER' } as const
	openLot(desk.book, desk.positions, place, { ...lot, cost: 58_750_00 })
	const invest = investCalmly(desk, 0.05, [10_000, 30_000], until)
	const lastTrade = lastTradingDay(until)
	const plan = (day: Day) => {
		invest(day)
		if (day === lastTrade) desk.wishes.push({ segment: 'NSE_CASH', instrument: requireIsin('NIFTYBEES'), side: 'B', quantity: 25 })
	}
	return { from, plan, isFunded: true }
}

/** Sessions before the last on which DEBT01 buys and pays late, on the fourth session after pay-in: no broker may let it buy when it is later. */
const PAID_LATE = [130, 110, 90, 70, 50]
/** Sessions from a trade to that payment. */
const LATE_BY = 5

/**
 * Pays for what it buys until half a year ago, then late; takes its money out, and buys within the last days and does not pay. Buying stops when
 * a debit is five trading days old, so the whole debt is of one week, and the shares are held by the broker until they are paid for.
 */
function planDebtor(desk: Desk, from: Day): Life {
	const invest = investCalmly(desk, 0.05, [15_000, 50_000], sessionFromEnd(desk.market, 150))
	const late = new Set(PAID_LATE.map((back) => sessionFromEnd(desk.market, back)))
	const payments = new Set(PAID_LATE.map((back) => sessionFromEnd(desk.market, back - LATE_BY)))
	const unpaid = new Map([
		[sessionFromEnd(desk.market, 4), ['LT', 20]],
		[sessionFromEnd(desk.market, 3), ['SBIN', 90]],
		[sessionFromEnd(desk.market, 2), ['ONGC', 120]],
	] as const)
	const payOuts = new Set([sessionFromEnd(desk.market, 140), sessionFromEnd(desk.market, 8)])
	const life: Life = {
		from,
		isFunded: true,
		plan(day) {
			invest(day)
			if (payments.has(day)) payInFor(desk, day, 'NSE_CASH', 0)
			if (payOuts.has(day)) payOut(desk, day, 'NSE_CASH', readTraderBalance(desk, 'NSE_CASH'), 'CLIENT REQUEST')
			const [symbol, quantity] = unpaid.get(day) ?? (late.has(day) ? (['BANKBARODA', 250] as const) : [])
			if (symbol === undefined || quantity === undefined) return
			life.isFunded = false
			desk.wishes.push({ segment: 'NSE_CASH', instrument: requireIsin(symbol), side: 'B', quantity })
		},
	}
	return life
}

/** Some holdings and not a paisa in the ledger: everything has been paid out. */
function planLeaver(desk: Desk, from: Day): Life {
	const invest = investCalmly(desk, 0.03, [8_000, 20_000], sessionFromEnd(desk.market, 180))
	// Twice, since the yearly fee may fall between.
	const clearings = new Set([sessionFromEnd(desk.market, 60), sessionFromEnd(desk.market, 0)])
	return {
		from,
		isFunded: true,
		plan(day) {
			invest(day)
			const balance = readTraderBalance(desk, 'NSE_CASH')
			if (!clearings.has(day) || balance === 0) return
			if (balance < 0) payInFor(desk, day, 'NSE_CASH', 0)
			payOut(desk, day, 'NSE_CASH', readTraderBalance(desk, 'NSE_CASH'), 'CLIENT REQUEST')
		},
	}
}

/** How a persona lives, or undefined for one that has never traded. */
export function planLife(desk: Desk, from: Day): Life | undefined {
	switch (desk.trader.code) {
		case 'DEMO01':
			return planDemo(desk, from)
		case 'CASH01':
			return { from: addDays(from, 80), plan: investCalmly(desk, 0.055, [8_000, 35_000]), isFunded: true }
		case 'DORM01':
			return planDormant(desk, from)
		case 'DEBT01':
			return planDebtor(desk, from)
		case 'CLOS01':
			return planLeaver(desk, from)
		case 'BULK01':
			return planBulk(desk, from)
		default:
			return undefined
	}
}
