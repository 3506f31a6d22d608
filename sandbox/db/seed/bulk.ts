import { type Day } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { securities } from '#sandbox/reference-data/securities'
import { findSettlementDay } from '#sandbox/rules/calendar'
import { computePercent, computeValue } from '#sandbox/rules/rounding'
import { readTraderBalance, type Desk, countHeld, payIn, payOut, pledge, schedule } from './trading-simulator'
import { type Life } from './client-history'

const BOUGHT_A_DAY = 23
const SOLD_A_DAY = 23
/** Of what was bought, how many are pledged on settlement and released again before their sale. */
const PLEDGED_A_DAY = 11

/** Left out: names with a short or broken history, and the dearest. */
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

function shuffle(desk: Desk, items: readonly string[]): string[] {
	const mixed = [...items]
	for (let at = mixed.length - 1; at > 0; at--) {
		const other = desk.random.between(0, at)
		const swapped = mixed[at] ?? ''
		mixed[at] = mixed[other] ?? ''
		mixed[other] = swapped
	}
	return mixed
}

function findClose(desk: Desk, instrument: string, day: Day): number {
	return desk.market.series.get(instrument)?.[desk.market.indexByDay.get(day) ?? -1] ?? 0
}

/** Each order is paid for by a transfer of its own, to the rupee. */
function payForOrder(desk: Desk, day: Day, value: Paise): void {
	const amount = Math.ceil(computePercent(value, '101') / 100) * 100
	payIn(desk, day, 'NSE_CASH', amount)
}

/**
 * The life of BULK01, who is there for its volume: some 46 orders a day, each purchase paid by its own transfer, each sale paid out on its
 * settlement, many holdings pledged and released. Long lists must stand it; nothing else about it is special.
 */
export function planBulk(desk: Desk, from: Day): Life {
	const plan = (day: Day) => {
		const mixed = shuffle(desk, universe)
		const settles = findSettlementDay(day, 'NSE_CASH')
		const buys = mixed.filter((isin) => countHeld(desk, isin) === 0).slice(0, BOUGHT_A_DAY)
		const sells = mixed.filter((isin) => countHeld(desk, isin) > 0).slice(0, SOLD_A_DAY)
		for (const instrument of sells) {
			const quantity = countHeld(desk, instrument)
			const pledged = desk.pledged.get(instrument) ?? 0
			if (pledged > 0) pledge(desk, day, instrument, -pledged)
			desk.wishes.push({ segment: 'NSE_CASH', instrument, side: 'S', quantity })
			const proceeds = Math.floor(computePercent(computeValue(quantity, findClose(desk, instrument, day)), '98.5') / 100) * 100
			// The settlement of the evening before may have paid it back.
			schedule(desk, settles, () =>
				payOut(desk, settles, 'NSE_CASH', Math.min(proceeds, readTraderBalance(desk, 'NSE_CASH')), 'CLIENT REQUEST'),
			)
		}
		for (const [at, instrument] of buys.entries()) {
			const close = findClose(desk, instrument, day)
			const quantity = Math.max(1, Math.round((desk.random.between(4, 40) * 1000 * 10_000) / close))
			payForOrder(desk, day, computeValue(quantity, close))
			desk.wishes.push({ segment: 'NSE_CASH', instrument, side: 'B', quantity })
			if (at >= PLEDGED_A_DAY) continue
			schedule(desk, settles, () => {
				if (countHeld(desk, instrument) === quantity) pledge(desk, settles, instrument, quantity)
			})
		}
	}
	return { from, plan, isFunded: true }
}
