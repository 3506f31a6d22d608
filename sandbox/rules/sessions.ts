import { type Day } from '#contract/values/dates'
import { type Segment } from './segments'

/** The start and the end of order execution, `HH:MM` in India. */
export type MarketSession = readonly [from: string, to: string]

/**
 * Muhurat sessions, the only trading of that day in every segment. From NSE's circulars of each year, from memory. NSE had not published
 * 2026's times when this was written, so they are 2024's.
 */
const muhurats: Readonly<Record<Day, MarketSession>> = {
	'2022-10-24': ['18:15', '19:15'],
	'2023-11-12': ['18:15', '19:15'],
	'2024-11-01': ['18:00', '19:00'],
	'2025-10-21': ['13:45', '14:45'],
	'2026-11-08': ['18:00', '19:00'],
}

/** Saturdays on which the exchange tested its second site, with the first of two short sessions. From memory. */
const trials: ReadonlySet<Day> = new Set(['2024-03-02', '2024-05-18'])

/**
 * From this day on shares with derivatives end in a closing auction (SEBI 16-Jan-2026, NSE CMTR74466), so market orders in them also end
 * at its start, and their derivatives trade ten minutes longer.
 */
const CLOSING_AUCTION = '2026-08-03'

/**
 * The session of a trading day: shares and their derivatives 09:15 to 15:30, from 3-Aug-2026 shares to 15:15 and
 * derivatives to 15:40; currency 09:00 to 17:00;
 * commodity 09:00 to 23:30. The later end of commodity, 23:55 in New York's winter time, is left out.
 */
export function findSession(segment: Segment, day: Day): MarketSession {
	const muhurat = muhurats[day]
	if (muhurat) return muhurat
	if (trials.has(day)) return ['09:15', '10:00']
	if (segment === 'CD_NSE') return ['09:00', '17:00']
	if (segment === 'MCX') return ['09:00', '23:30']
	if (day < CLOSING_AUCTION) return ['09:15', '15:30']
	return ['09:15', segment === 'NSE_CASH' ? '15:15' : '15:40']
}

/** Weekend days on which only shares and their derivatives were traded: tests of the second site, and two Budgets. From memory. */
const sharesAlone: ReadonlySet<Day> = new Set(['2024-01-20', ...trials, '2025-02-01', '2026-02-01'])

/** True when a segment is open on a trading day of shares. */
export function isMarketOpen(segment: Segment, day: Day): boolean {
	return !sharesAlone.has(day) || segment === 'NSE_CASH' || segment === 'NSE_FNO'
}

const toSeconds = (time: string) => Number(time.slice(0, 2)) * 3600 + Number(time.slice(3)) * 60

/** This many times of a session, `HH:MM:SS` in order. `next` returns random numbers (at least 0, below 1) that place them. */
export function pickTimes([from, to]: MarketSession, count: number, next: () => number): string[] {
	const length = toSeconds(to) - toSeconds(from)
	const moments = Array.from({ length: count }, () => toSeconds(from) + Math.floor(next() * length)).sort((a, b) => a - b)
	return moments.map((moment) =>
		[Math.floor(moment / 3600), Math.floor(moment / 60) % 60, moment % 60].map((part) => String(part).padStart(2, '0')).join(':'),
	)
}
