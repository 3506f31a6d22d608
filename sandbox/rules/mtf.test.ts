import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addDays, daysBetween } from '~/lib/days'
import { simpleInterest } from '~/lib/interest'
import { findOpenFundings, type FundingMove, listInterestDays, sumInterest } from './mtf'

const move = (day: string, amount: number, instrument = 'BEL'): FundingMove => ({ instrument, day, amount })

describe('interest on margin funding', () => {
	it('runs from T+1 to the day of the sale, weekends included', () => {
		// A Thursday; sold on the Tuesday after.
		const days = listInterestDays([move('2026-11-05', 1_00_000_00), move('2026-11-10', -1_00_000_00)], '2026-11-01', '2026-11-30')
		expect(days.map(({ day }) => day)).toEqual(['2026-11-06', '2026-11-07', '2026-11-08', '2026-11-09', '2026-11-10'])
		expect(days.map(({ interest }) => interest)).toEqual([4107, 4107, 4107, 4106, 4107])
		expect(days.every(({ funded }) => funded === 1_00_000_00)).toBe(true)
	})

	it('costs nothing on the trade day, and nothing when it is sold the same day', () => {
		expect(listInterestDays([move('2026-11-05', 5_00), move('2026-11-05', -5_00)], '2026-01-01', '2026-12-31')).toEqual([])
		expect(sumInterest([move('2026-11-05', 1_00_000_00)], '2026-11-05', '2026-11-05')).toBe(0)
	})

	it('knows what is open and since when, over a sale and another purchase', () => {
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

	it('sums, however it is cut into months, to funded x rate x days', () => {
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
			{ numRuns: 100 },
		)
	})
})
