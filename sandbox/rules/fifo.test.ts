import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countDaysHeld, findTaxableCost, findTaxWindow, findTerm } from './capital-gains'
import { type OpenLot, sumQuantity, takeFirst } from './fifo'
import { computeValue } from './rounding'
import { findGainHead, findHeadRule } from './tax-heads'
import { sumTaxYear } from './tax-year'

function lot(id: number, day: string, quantity: number, rupees: number): OpenLot {
	return { id, side: 'L', opened_on: day, acquired_on: day, quantity, cost: quantity * rupees * 100, expenses: 0 }
}

/** A worked example: ABC Ltd; its highest price on 31-Jan-2018 is 250; charges are ignored. */
function matchWorkedSet() {
	const queue = [lot(1, '2018-01-10', 1000, 200), lot(2, '2023-06-05', 1000, 400), lot(3, '2024-01-12', 500, 450)]
	const sales = [
		{ day: '2024-06-10', quantity: 1200, rupees: 500 },
		{ day: '2024-08-12', quantity: 1000, rupees: 550 },
		{ day: '2025-01-14', quantity: 300, rupees: 430 },
	]
	const pairs = sales.flatMap(({ day, quantity, rupees }) =>
		takeFirst(queue, quantity).parts.map((part) => {
			const { acquired_on } = part.lot
			const proceeds = computeValue(part.quantity, rupees * 10_000)
			const cost = findTaxableCost({ acquired_on, quantity: part.quantity, cost: part.cost ?? 0, proceeds }, 250 * 10_000)
			const term = findTerm(acquired_on, day)
			return {
				quantity: part.quantity,
				unitCost: cost / part.quantity / 100,
				days: countDaysHeld(acquired_on, day),
				term,
				gain: proceeds - cost,
				rate: findHeadRule(findGainHead('EQUITY', term), day).rate,
				window: findTaxWindow(day),
				sold: day,
			}
		}),
	)
	return { pairs, queue }
}

describe('FIFO and capital gains', () => {
	test('reproduces the example worked by hand', () => {
		const { pairs, queue } = matchWorkedSet()
		expect(
			pairs.map(({ quantity, unitCost, days, term, gain, rate, window }) => [quantity, unitCost, days, term, gain, rate, window]),
		).toEqual([
			[1000, 250, 2343, 'LONG', 2_50_000_00, '10', 1],
			[200, 400, 371, 'LONG', 20_000_00, '10', 1],
			[800, 400, 434, 'LONG', 1_20_000_00, '12.5', 2],
			[200, 450, 213, 'SHORT', 20_000_00, '20', 2],
			[300, 450, 368, 'LONG', -6_000_00, '12.5', 4],
		])
		expect(queue).toEqual([])
		const gains = pairs.map(({ term, sold, gain }) => ({ head: findGainHead('EQUITY', term), day: sold, gain }))
		const { heads, estimatedTax, exemption, carried } = sumTaxYear({ year: 2024, gains, dividends: [] })
		expect(estimatedTax).toBe(31_096_00)
		expect(exemption).toEqual({ limit: 1_25_000_00, used: 1_25_000_00 })
		expect(heads.map(({ key, section, rate, windows }) => [key, section, rate, windows])).toEqual([
			['SHORT_EQUITY_AFTER', 'Section 111A', '20', [0, 20_000_00, 0, 0, 0]],
			['LONG_EQUITY_AFTER', 'Section 112A', '12.5', [0, 1_14_000_00, 0, 0, 0]],
			['LONG_EQUITY_BEFORE', 'Section 112A', '10', [2_70_000_00, 0, 0, 0, 0]],
		])
		expect(Object.values(carried)).toEqual([0, 0, 0, 0])
	})

	test('counts twelve months by the calendar', () => {
		expect(findTerm('2024-01-12', '2025-01-12')).toBe('SHORT')
		expect(findTerm('2024-01-12', '2025-01-13')).toBe('LONG')
		expect(findTerm('2024-02-29', '2025-02-28')).toBe('SHORT')
		expect(findTerm('2024-02-29', '2025-03-01')).toBe('LONG')
	})

	test('never makes a loss by grandfathering', () => {
		const part = { acquired_on: '2017-05-02', quantity: 10, cost: 1000_00, proceeds: 1200_00 }
		expect(findTaxableCost(part, 200 * 10_000)).toBe(1200_00)
		expect(findTaxableCost({ ...part, acquired_on: '2018-02-01' }, 200 * 10_000)).toBe(1000_00)
		expect(findTaxableCost(part, null)).toBe(1000_00)
	})

	test('has five advance-tax windows', () => {
		const days = [
			'2024-04-01',
			'2024-06-15',
			'2024-06-16',
			'2024-09-16',
			'2024-12-15',
			'2024-12-16',
			'2025-03-15',
			'2025-03-16',
			'2025-03-31',
		]
		expect(days.map(findTaxWindow)).toEqual([1, 1, 2, 3, 3, 4, 4, 5, 5])
	})

	test('loses no quantity, cost or expense in any sequence of purchases and sales', () => {
		const anyLot = fc.record({
			quantity: fc.integer({ min: 1, max: 10_000 }),
			cost: fc.option(fc.integer({ min: 0, max: 1e10 })),
			expenses: fc.integer({ min: 0, max: 1e7 }),
		})
		fc.assert(
			fc.property(fc.array(anyLot, { maxLength: 8 }), fc.array(fc.integer({ min: 1, max: 20_000 }), { maxLength: 8 }), (bought, sales) => {
				const queue = bought.map((each, id): OpenLot => ({ ...each, id, side: 'L', opened_on: '2024-01-01', acquired_on: '2024-01-01' }))
				const before = sumQuantity(queue)
				const expensesBefore = bought.reduce((sum, each) => sum + each.expenses, 0)
				const costBefore = bought.reduce((sum, each) => sum + (each.cost ?? 0), 0)
				const taken = sales.map((quantity) => takeFirst(queue, quantity))
				const parts = taken.flatMap((take) => take.parts)
				for (const left of queue) expect(left.quantity).toBeGreaterThan(0)
				expect(sumQuantity(queue) + parts.reduce((sum, part) => sum + part.quantity, 0)).toBe(before)
				const restExpenses = queue.reduce((sum, left) => sum + left.expenses, 0)
				expect(restExpenses + parts.reduce((sum, part) => sum + part.expenses, 0)).toBe(expensesBefore)
				const restCost = queue.reduce((sum, left) => sum + (left.cost ?? 0), 0)
				expect(restCost + parts.reduce((sum, part) => sum + (part.cost ?? 0), 0)).toBe(costBefore)
			}),
			{ numRuns: 300 },
		)
	})
})
