import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { securities } from '#sandbox/reference-data/securities'
import { findSettlementDay } from '#sandbox/rules/calendar'
import { computePercent, computeValue } from '#sandbox/rules/rounding'
import { readTraderBalance, type Simulator, countHeld, payIn, payOut, pledgeShares, schedule } from './trading-simulator'
import { type ClientHistory } from './client-history'

const BOUGHT_A_DAY = 23
const SOLD_A_DAY = 23
/** The number of purchases a day that are pledged on settlement and released before their sale. */
const PLEDGED_A_DAY = 11

/** Securities left out: those with a short or broken history, and the most expensive ones. */
const leftOut = new Set([
	'KOTAKBANK',
	'JIOFIN',
	'TMPV',
	'HDFCBANK',
	'NESTLEIND',
	'LIQUIDBEES',
	'UTINIFTYDG',
	'SBIGOLDFDG',
	'MARUTI',
	'ULTRACEMCO',
])
const universe = securities.filter(([symbol]) => !leftOut.has(symbol)).map(([, , isin]) => isin)

function shuffle(simulator: Simulator, items: readonly string[]): string[] {
	const mixed = [...items]
	for (let at = mixed.length - 1; at > 0; at--) {
		const other = simulator.random.between(0, at)
		const swapped = mixed[at] ?? ''
		mixed[at] = mixed[other] ?? ''
		mixed[other] = swapped
	}
	return mixed
}

function findClose(simulator: Simulator, instrument: string, day: Day): number {
	return simulator.market.series.get(instrument)?.[simulator.market.indexByDay.get(day) ?? -1] ?? 0
}

/** Pays for one order with a separate transfer, in whole rupees. */
function payForOrder(simulator: Simulator, day: Day, value: Paise): void {
	const amount = Math.ceil(computePercent(value, '101') / 100) * 100
	payIn(simulator, day, 'NSE_CASH', amount)
}

/**
 * The history of BULK01, a client with large volumes: about 46 orders a day. Each purchase is paid by a separate transfer, each sale is
 * paid out on its settlement, and many holdings are pledged and released. It tests long lists and nothing else.
 */
export function planBulk(simulator: Simulator, from: Day): ClientHistory {
	const plan = (day: Day) => {
		const mixed = shuffle(simulator, universe)
		const settles = findSettlementDay(day, 'NSE_CASH')
		const buys = mixed.filter((isin) => countHeld(simulator, isin) === 0).slice(0, BOUGHT_A_DAY)
		const sells = mixed.filter((isin) => countHeld(simulator, isin) > 0).slice(0, SOLD_A_DAY)
		for (const instrument of sells) {
			const quantity = countHeld(simulator, instrument)
			const pledged = simulator.pledged.get(instrument) ?? 0
			if (pledged > 0) pledgeShares(simulator, day, instrument, -pledged)
			simulator.wishes.push({ segment: 'NSE_CASH', instrument, side: 'S', quantity })
			const proceeds = Math.floor(computePercent(computeValue(quantity, findClose(simulator, instrument, day)), '98.5') / 100) * 100
			// The settlement of accounts on the evening before may already have paid it out.
			schedule(simulator, settles, () =>
				payOut(simulator, settles, 'NSE_CASH', Math.min(proceeds, readTraderBalance(simulator, 'NSE_CASH')), 'CLIENT REQUEST'),
			)
		}
		for (const [at, instrument] of buys.entries()) {
			const close = findClose(simulator, instrument, day)
			const quantity = Math.max(1, Math.round((simulator.random.between(4, 40) * 1000 * 10_000) / close))
			payForOrder(simulator, day, computeValue(quantity, close))
			simulator.wishes.push({ segment: 'NSE_CASH', instrument, side: 'B', quantity })
			if (at >= PLEDGED_A_DAY) continue
			schedule(simulator, settles, () => {
				if (countHeld(simulator, instrument) === quantity) pledgeShares(simulator, settles, instrument, quantity)
			})
		}
	}
	return { from, plan, isFunded: true }
}
