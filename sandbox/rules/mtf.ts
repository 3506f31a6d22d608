import { addDays, type Day, daysBetween, toIndianDay } from '#contract/values/dates'
import { type Paise } from '#contract/values/money'
import { isNifty } from '#sandbox/reference-data/securities'
import { findSettlementDay, nextTradingDay } from './calendar'
import { findMtfMargin, MTF_INTEREST_PERCENT } from './fees'
import { divideHalfUp } from './rounding'
import { findSession } from './sessions'

/*
 * Margin funding day by day. The broker pays for a part of the shares from pay-in until they are sold. Pay-in is T+1 in trading days:
 * Monday for a purchase on Friday. Every calendar day in between costs interest, weekends included (Zerodha's and Angel One's published
 * rules; the rate is a sandbox choice).
 */

/** Money lent (+) for a day's purchase, or repaid (-) on that day, for one security. */
export type FundingMove = { instrument: string; day: Day; amount: Paise }

/** The interest of one day, on the debt at the end of the day before (`funded`). Paise. */
export type InterestDay = { day: Day; instrument: string; funded: Paise; interest: Paise }

const RATE = Math.round(Number(MTF_INTEREST_PERCENT) * 100)

/** Simple interest in paise, half-up, 365 days a year. `owedDays` is the sum of the debt over the days. */
function computeInterest(owedDays: number): Paise {
	return divideHalfUp(owedDays * RATE, 10_000 * 365)
}

/**
 * The day at whose end a move counts. A loan counts from the day before its pay-in, so that its interest begins on the pay-in day. A
 * repayment counts on its own day.
 */
function owedOn({ day, amount }: FundingMove): Day {
	return amount > 0 ? addDays(findSettlementDay(day), -1) : day
}

function listDays(instrument: string, moves: readonly FundingMove[], to: Day): InterestDay[] {
	const days: InterestDay[] = []
	const changes = new Map<Day, Paise>()
	for (const move of moves) changes.set(owedOn(move), (changes.get(owedOn(move)) ?? 0) + move.amount)
	let funded = 0
	let owedDays = 0
	const first = [...changes.keys()].sort()[0] ?? to
	for (let at = 0, last = daysBetween(first, to); at <= last; at++) {
		const day = addDays(first, at)
		if (funded > 0) {
			// The running total is rounded, not each day: so the days of a position sum to funded x rate x days to the paisa.
			const interest = computeInterest(owedDays + funded) - computeInterest(owedDays)
			owedDays += funded
			days.push({ day, instrument, funded, interest })
		}
		funded += changes.get(day) ?? 0
		if (funded <= 0) owedDays = 0
	}
	return days
}

/**
 * Every day with interest from `from` to `to`, both included, sorted by day, then by security. `moves` must hold all moves since the
 * first.
 */
export function listInterestDays(moves: readonly FundingMove[], from: Day, to: Day): InterestDay[] {
	const instruments = [...new Set(moves.map(({ instrument }) => instrument))].sort()
	const days = instruments.flatMap((instrument) =>
		listDays(
			instrument,
			moves.filter((move) => move.instrument === instrument),
			to,
		),
	)
	return days.filter(({ day }) => day >= from).sort((a, b) => (a.day === b.day ? 0 : a.day < b.day ? -1 : 1))
}

/** Interest of all securities from `from` to `to`, both included, in paise. */
export function sumInterest(moves: readonly FundingMove[], from: Day, to: Day): Paise {
	return listInterestDays(moves, from, to).reduce((sum, { interest }) => sum + interest, 0)
}

/** The outstanding loan by security, in paise, and the day on which it began. */
export function findOpenFundings(moves: readonly FundingMove[]): Map<string, { funded: Paise; since: Day }> {
	const open = new Map<string, { funded: Paise; since: Day }>()
	for (const { instrument, day, amount } of [...moves].sort((a, b) => (a.day < b.day ? -1 : 1))) {
		const { funded, since } = open.get(instrument) ?? { funded: 0, since: day }
		if (funded + amount > 0) open.set(instrument, { funded: funded + amount, since })
		else open.delete(instrument)
	}
	return open
}

/** Per cent of a security's value that the client must pay and keep as margin. */
export function findMarginPercent(instrument: string): string {
	return findMtfMargin(isNifty(instrument))
}

/** The lowest margin of any security, per cent. */
export const SMALLEST_MARGIN = findMtfMargin(true)

/**
 * Deadline on the trade day for confirming the pledge of a funded purchase. The broker sells shares that are not confirmed (market
 * practice: 19:00 to 21:00).
 */
export const PLEDGE_BY = '21:00'
/** Trading days after the trade day, or after a shortfall began, on which the broker sells. */
export const SQUARE_OFF_DAYS = 5

/** The moment at which the market opens on a day, and the broker makes its forced sales. On a Muhurat day that is in the evening. */
export function findOpening(day: Day): Date {
	return new Date(`${day}T${findSession('NSE_CASH', day)[0]}:00+05:30`)
}

/** The last day whose opening time has passed by `now`, trading day or not. */
export function findOpenedDay(now: Date): Day {
	const day = toIndianDay(now)
	return now < findOpening(day) ? addDays(day, -1) : day
}

/**
 * The deadline of a purchase's pledge confirmation, and the moment from which the broker sells unconfirmed shares. Both are times of day
 * in India.
 */
export function findPledgeTimes(boughtOn: Day): { confirmBy: Date; soldFrom: Date } {
	let day = boughtOn
	for (let count = 0; count < SQUARE_OFF_DAYS; count++) day = nextTradingDay(day)
	return { confirmBy: new Date(`${boughtOn}T${PLEDGE_BY}:00+05:30`), soldFrom: findOpening(day) }
}
