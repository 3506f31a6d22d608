import { type Day } from '#contract/values/dates'

const ORDERS_A_SECOND = 400
const TRADES_A_SECOND = 150

/**
 * Order and trade numbers. The exchange's numbers increase through its day by a fixed count of all its clients' orders and trades per
 * second, and this trade's numbers are among them.
 */
export function numberTrade(day: Day, time: string, own: number): { order_no: string; trade_no: string } {
	const [hours = 0, minutes = 0, seconds = 0] = time.split(':').map(Number)
	const second = (hours * 60 + minutes) * 60 + seconds
	const order = String(second * ORDERS_A_SECOND + (own % ORDERS_A_SECOND)).padStart(9, '0')
	const trade = second * TRADES_A_SECOND + (own % TRADES_A_SECOND)
	return { order_no: `1${day.slice(2).replaceAll('-', '')}${order}`, trade_no: String(20_000_000 + trade) }
}
