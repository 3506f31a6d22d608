import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays, daysBetween } from '#contract/values/dates'
import { simpleInterest } from '#contract/values/interest'
import { runs } from '#sandbox/testing/runs'
import { findOpenedDay, findOpenFundings, findPledgeTimes, type FundingMove, listInterestDays, sumInterest } from './mtf'

const move = (day: string, amount: number, instrument = 'BEL'): FundingMove => ({ instrument, day, amount })

describe('interest on margin funding', () => {
	test('runs from T+1 to the day of the sale, weekends included', () => {
		// Bought on a Thursday, sold on the next Tuesday.
		const days = listInterestDays([move('2026-11-05', 1_00_000_00), move('2026-11-10', -1_00_000_00)], '2026-11-01', '2026-11-30')
		expect(days.map(({ day }) => day)).toEqual(['2026-11-06', '2026-11-07', '2026-11-08', '2026-11-09', '2026-11-10'])
		expect(days.map(({ interest }) => interest)).toEqual([4107, 4107, 4107, 4106, 4107])
		expect(days.every(({ funded }) => funded === 1_00_000_00)).toBe(true)
	})

	test('starts at pay-in: a purchase on Friday costs nothing over the weekend, and one before a holiday nothing on it', () => {
		// Friday 20 November 2026: pay-in is Monday. One lakh x 14.99 % / 365 = 41.068 rupees a day.
		const friday = listInterestDays([move('2026-11-20', 1_00_000_00)], '2026-11-01', '2026-11-23')
		expect(friday).toEqual([{ day: '2026-11-23', instrument: 'BEL', funded: 1_00_000_00, interest: 41_07 }])
		// Tuesday the 24th is a holiday: a purchase of Monday is paid for on Wednesday.
		const monday = listInterestDays([move('2026-11-23', 1_00_000_00)], '2026-11-01', '2026-11-26')
		expect(monday.map(({ day }) => day)).toEqual(['2026-11-25', '2026-11-26'])
		// Sold before its pay-in, so the broker never paid.
		expect(listInterestDays([move('2026-11-20', 5_00), move('2026-11-20', -5_00)], '2026-11-01', '2026-11-30')).toEqual([])
	})

	test('costs nothing on the trade day, and nothing when it is sold the same day', () => {
		expect(listInterestDays([move('2026-11-05', 5_00), move('2026-11-05', -5_00)], '2026-01-01', '2026-12-31')).toEqual([])
		expect(sumInterest([move('2026-11-05', 1_00_000_00)], '2026-11-05', '2026-11-05')).toBe(0)
	})

	test('finds the open amount and its first day, also after a sale and another purchase', () => {
		const moves = [
			move('2026-01-05', 100),
			move('2026-02-05', -100),
			move('2026-03-05', 70),
			move('2026-03-09', 30),
			move('2026-03-09', 5, 'SBIN'),
		]
		expect([...findOpenFundings(moves)]).toEqual([
			['BEL', { funded: 100, since: '2026-03-05' }],
			['SBIN', { funded: 5, since: '2026-03-09' }],
		])
	})

	test('sums over any months to funded x rate x days', () => {
		const first = '2025-12-17'
		fc.assert(
			fc.property(fc.integer({ min: 1, max: 10_00_00_000_00 }), fc.integer({ min: 0, max: 600 }), (funded, length) => {
				const to = addDays(first, length)
				const moves = [move(first, funded)]
				let whole = 0
				for (let month = first.slice(0, 7); month <= to.slice(0, 7); month = addDays(`${month}-28`, 4).slice(0, 7)) {
					const end = addDays(`${addDays(`${month}-28`, 4).slice(0, 7)}-01`, -1)
					whole += sumInterest(moves, `${month}-01`, end < to ? end : to)
				}
				expect(whole).toBe(simpleInterest(funded, 14.99, daysBetween(first, to)))
			}),
			{ numRuns: runs(30, 300) },
		)
	})

	test('equals the example that brokers print: 40,000 rupees for 30 days at 0.04 % a day cost 480', () => {
		expect(simpleInterest(40_000_00, 14.6, 30)).toBe(480_00)
	})

	test('counts 29 February like other days, and no day without a loan', () => {
		const leap = listInterestDays([move('2028-02-27', 1_00_000_00), move('2028-03-02', -1_00_000_00)], '2028-02-01', '2028-03-31')
		expect(leap.map(({ day }) => day)).toEqual(['2028-02-28', '2028-02-29', '2028-03-01', '2028-03-02'])
		expect(sumInterest([move('2027-12-31', 1_00_000_00)], '2028-01-03', '2029-01-01')).toBe(simpleInterest(1_00_000_00, 14.99, 365))
		expect(sumInterest([move('2028-02-27', 0)], '2028-01-01', '2028-12-31')).toBe(0)
		expect(listInterestDays([], '2028-01-01', '2028-12-31')).toEqual([])
	})

	test('counts the last day of a month in that month, and the next day in the next month', () => {
		// Bought on a Thursday.
		const moves = [move('2026-10-29', 1_00_000_00)]
		expect(listInterestDays(moves, '2026-10-01', '2026-10-31').map(({ day }) => day)).toEqual(['2026-10-30', '2026-10-31'])
		expect(listInterestDays(moves, '2026-11-01', '2026-11-01').map(({ day }) => day)).toEqual(['2026-11-01'])
	})

	test('equals the sum of its days for any loans and repayments, and is close to the exact sum', () => {
		// A Wednesday and whole weeks after it. No Thursday of that year is a holiday, so pay-in is the next day, and every move counts at
		// the end of its own day. (15 August 2028 is a Tuesday, and 14 April a Friday.)
		const first = '2027-12-22'
		// Steps of one security: how many weeks later, and the debt from then on.
		const history = fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 5_00_000_00 })), { maxLength: 8 })
		fc.assert(
			fc.property(fc.record({ BEL: history, SBIN: history, NTPC: history }), (histories) => {
				const moves: FundingMove[] = []
				const exact = new Map<string, bigint>()
				const end = addDays(first, 400)
				for (const [instrument, steps] of Object.entries(histories)) {
					let [at, owed, owedDays] = [0, 0, 0n]
					for (const [weeks, next] of [...steps, [0, 0] as const]) {
						owedDays += BigInt(owed) * BigInt(weeks * 7)
						at += weeks * 7
						moves.push({ instrument, day: addDays(first, at), amount: next - owed })
						owed = next
					}
					exact.set(instrument, owedDays)
				}
				const days = listInterestDays(moves, first, end)
				let whole = 0
				for (let month = first.slice(0, 7); month <= end.slice(0, 7); month = addDays(`${month}-28`, 4).slice(0, 7)) {
					const own = days.filter(({ day }) => day.startsWith(month)).reduce((sum, { interest }) => sum + interest, 0)
					const posted = sumInterest(moves, `${month}-01`, addDays(`${addDays(`${month}-28`, 4).slice(0, 7)}-01`, -1))
					expect([month, posted]).toEqual([month, own])
					whole += posted
				}
				expect(whole).toBe(days.reduce((sum, { interest }) => sum + interest, 0))
				for (const [instrument, owedDays] of exact) {
					const own = days.filter((each) => each.instrument === instrument)
					expect(own.reduce((sum, { funded }) => sum + BigInt(funded), 0n)).toBe(owedDays)
					// Half a paisa for each time that the loan begins again.
					const most = 1 + (histories[instrument as 'BEL'].length + 1) / 2
					const got = own.reduce((sum, { interest }) => sum + interest, 0)
					expect(Math.abs(got - Number(owedDays * 1499n) / 3_650_000)).toBeLessThanOrEqual(most)
				}
				expect(days.every(({ funded, interest }) => funded > 0 && interest >= 0)).toBe(true)
			}),
			{ numRuns: runs(15, 150) },
		)
	})
})

describe('the pledge of a purchase', () => {
	test('is due by 21:00 of the trade day in India, and the broker sells five trading days later', () => {
		// A Friday; Tuesday the 24th is a holiday.
		const { confirmBy, soldFrom } = findPledgeTimes('2026-11-20')
		expect([confirmBy.toISOString(), soldFrom.toISOString()]).toEqual(['2026-11-20T15:30:00.000Z', '2026-11-30T03:45:00.000Z'])
	})
})

test('the broker sells when the market opens: at 09:15, and on a Muhurat Sunday at 18:00', () => {
	const days = ['2026-11-06T09:14', '2026-11-06T09:15', '2026-11-08T17:59', '2026-11-08T18:00'].map((time) =>
		findOpenedDay(new Date(`${time}:00+05:30`)),
	)
	expect(days).toEqual(['2026-11-05', '2026-11-06', '2026-11-07', '2026-11-08'])
})
