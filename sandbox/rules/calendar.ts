import { addDays, type Day, weekday } from '#contract/values/dates'
import { calendarMarks } from '#sandbox/reference-data/holidays'
import { type Segment } from './segments'

const holidays = new Set<Day>()
const extraSessions = new Set<Day>()
const settlementHolidays = new Set<Day>()
for (const [day, mark] of calendarMarks) {
	if (mark === 'HOLIDAY') holidays.add(day)
	if (mark === 'MUHURAT' || mark === 'SPECIAL_OPEN') extraSessions.add(day)
	if (mark === 'SETTLEMENT_HOLIDAY') settlementHolidays.add(day)
}

/**
 * A holiday declared after the exchange had published the year's settlement numbers. Its number, 2026011, is skipped and not used again
 * (NCL CMPT71926, 15-Jan-2026).
 */
const skippedNumbers = new Set<Day>(['2026-01-15'])

const FIRST_EXTRA_NUMBER = 300

/** True for Saturday and Sunday. */
function isWeekend(day: Day): boolean {
	const number = weekday(day)
	return number === 0 || number === 6
}

/**
 * True when the exchange has a session that day, including Muhurat evenings and special Saturdays and Sundays. All holidays are known for
 * 2022 to 2026, and those with a fixed date for later years (reference-data/holidays.ts); in earlier years every Monday to Friday is a
 * trading day.
 */
export function isTradingDay(day: Day): boolean {
	if (extraSessions.has(day)) return true
	return !isWeekend(day) && !holidays.has(day)
}

/**
 * True for a normal session. On a Muhurat evening or a special Saturday or Sunday only the market is open, so those are not normal
 * sessions.
 */
export function isNormalSession(day: Day): boolean {
	return isTradingDay(day) && !extraSessions.has(day)
}

/**
 * True when money and securities are settled: on weekdays without a holiday. On a settlement holiday the market is open and the banks
 * are closed, so nothing settles.
 */
export function isSettlementDay(day: Day): boolean {
	return !isWeekend(day) && !holidays.has(day) && !settlementHolidays.has(day)
}

/** The first trading day after the given one. */
export function nextTradingDay(day: Day): Day {
	let next = addDays(day, 1)
	while (!isTradingDay(next)) next = addDays(next, 1)
	return next
}

/** The given day when it is a trading day, else the last one before it. */
export function lastTradingDay(day: Day): Day {
	let last = day
	while (!isTradingDay(last)) last = addDays(last, -1)
	return last
}

/** Trading days from the first day to the last, both included, oldest first. */
export function listTradingDays(from: Day, to: Day): Day[] {
	const days: Day[] = []
	for (let day = from; day <= to; day = addDays(day, 1)) if (isTradingDay(day)) days.push(day)
	return days
}

function nextSettlementDay(after: Day): Day {
	let day = addDays(after, 1)
	while (!isSettlementDay(day)) day = addDays(day, 1)
	return day
}

/**
 * From this trade day on all shares settle on T+1. The largest shares were the last to change; the smallest changed in February 2022
 * (SEBI, 7-Sep-2021).
 */
const NEXT_DAY_SETTLEMENT = '2023-01-27'

/**
 * True when a trade settles on T+2: shares before 27-Jan-2023. The sandbox changes all shares on the day on which the largest changed.
 */
function settlesInTwoDays(segment: Segment | undefined, tradeDay: Day): boolean {
	return segment === 'NSE_CASH' && tradeDay < NEXT_DAY_SETTLEMENT
}

/**
 * The day on which a trade's money and shares are exchanged: T+1, or T+2 for shares before 27-Jan-2023. A settlement holiday moves it to
 * a later day, so two settlements may pay out on one day (NCL CMPT71904). Without a segment: the next day on which banks and
 * depositories work.
 */
export function findSettlementDay(tradeDay: Day, segment?: Segment): Day {
	const next = nextSettlementDay(tradeDay)
	return settlesInTwoDays(segment, tradeDay) ? nextSettlementDay(next) : next
}

const numbersOfYear = new Map<string, Map<Day, number>>()

/** Running numbers of a calendar year: normal sessions count from 1, extra ones from 300 (Sunday 1-Feb-2026 is 2026300, NCL CMPT72384). */
function countYear(year: string): Map<Day, number> {
	const known = numbersOfYear.get(year)
	if (known) return known
	const numbers = new Map<Day, number>()
	let running = 0
	let extra = FIRST_EXTRA_NUMBER
	for (let day = `${year}-01-01`; day <= `${year}-12-31`; day = addDays(day, 1)) {
		if (extraSessions.has(day)) numbers.set(day, extra++)
		else if (isTradingDay(day)) numbers.set(day, ++running)
		else if (skippedNumbers.has(day)) running++
	}
	numbersOfYear.set(year, numbers)
	return numbers
}

/**
 * Settlement number of NSE cash in the clearing corporation's format, without the type letter: calendar year and three running digits,
 * 2026160 for 25-Aug-2026. Throws RangeError for a day without a session.
 */
export function findSettlementNumber(tradeDay: Day): string {
	const year = tradeDay.slice(0, 4)
	const number = countYear(year).get(tradeDay)
	if (number === undefined) throw new RangeError(`No session on ${tradeDay}`)
	return `${year}${String(number).padStart(3, '0')}`
}

/**
 * The settlement number in the ledger's format: M2026160 for the normal cash settlement, N2022160 when shares settled on T+2. For other
 * segments: the segment's letter and the day (F20260825), because every day is its own settlement.
 */
export function formatSettlement(segment: Segment, tradeDay: Day): string {
	if (segment === 'NSE_CASH') return `${settlesInTwoDays(segment, tradeDay) ? 'N' : 'M'}${findSettlementNumber(tradeDay)}`
	const letter = segment === 'NSE_FNO' ? 'F' : segment === 'CD_NSE' ? 'D' : 'C'
	return `${letter}${tradeDay.replaceAll('-', '')}`
}

/**
 * Monthly expiry day of index and stock derivatives on NSE: the last Thursday of the month, from September 2025 the last Tuesday. When
 * that day is a holiday: the trading day before it (NSE FAOP70616; BSE 20260112-8). `month` is YYYY-MM.
 */
export function findMonthlyExpiry(month: string): Day {
	const expiryWeekday = month >= '2025-09' ? 2 : 4
	let day = lastDayOfMonth(month)
	while (weekday(day) !== expiryWeekday) day = addDays(day, -1)
	return lastTradingDay(day)
}

/** Last calendar day of a month written YYYY-MM. */
export function lastDayOfMonth(month: string): Day {
	const [year = 0, number = 0] = month.split('-').map(Number)
	const following = number === 12 ? `${year + 1}-01-01` : `${year}-${String(number + 1).padStart(2, '0')}-01`
	return addDays(following, -1)
}
