import { describe, expect, test } from 'vitest'
import { addDays } from '#contract/values/dates'
import { findLongTermDay, findTermOfSale, indexCost } from './capital-gains'

/* Worked by hand from section 2(42A) of the Income-tax Act, 1961, as changed from 23-Jul-2024, and section 50AA. */

describe('the term of a sale', () => {
	test.each([
		['exactly thirty-six months', '2021-01-11', '2024-01-11', 'SHORT'],
		['a day more than thirty-six months', '2021-01-11', '2024-01-12', 'LONG'],
		['sold on the last day of the thirty-six month rule', '2022-05-10', '2024-07-22', 'SHORT'],
		['sold on the first day of the twelve month rule', '2022-05-10', '2024-07-23', 'LONG'],
		['bought the day before section 50AA', '2023-03-31', '2025-03-31', 'LONG'],
		['bought and sold under section 50AA', '2023-04-01', '2025-03-31', 'SHORT'],
		['bought under section 50AA, sold after it', '2023-04-01', '2025-04-01', 'LONG'],
		['exactly twelve months', '2025-03-31', '2026-03-31', 'SHORT'],
		['a day more than twelve months', '2025-03-31', '2026-04-01', 'LONG'],
	])('of gold units: %s', (_, acquired, sold, term) => {
		expect(findTermOfSale('OTHER_ETF', acquired, sold)).toBe(term)
	})

	test('is twelve months for shares before and after the change, and twenty-four for unlisted units', () => {
		expect([findTermOfSale('EQUITY', '2023-05-10', '2024-05-11'), findTermOfSale('ETF', '2023-05-10', '2024-05-10')]).toEqual([
			'LONG',
			'SHORT',
		])
		expect([findTermOfSale('FUND', '2023-01-10', '2025-01-10'), findTermOfSale('FUND', '2023-01-10', '2025-01-11')]).toEqual([
			'SHORT',
			'LONG',
		])
	})

	test.each([
		['OTHER_ETF', '2020-06-10', '2023-06-11'],
		['OTHER_ETF', '2022-05-10', '2024-07-23'],
		['OTHER_ETF', '2023-08-01', '2025-04-01'],
		['OTHER_ETF', '2024-12-02', '2025-12-03'],
		['OTHER_ETF', '2024-02-29', '2025-04-01'],
		['FUND', '2025-05-10', '2027-05-11'],
		['EQUITY', '2024-02-29', '2025-03-01'],
	] as const)('%s of %s is long-term from %s on', (kind, acquired, from) => {
		expect(findLongTermDay(kind, acquired)).toBe(from)
		expect([findTermOfSale(kind, acquired, addDays(from, -1)), findTermOfSale(kind, acquired, from)]).toEqual(['SHORT', 'LONG'])
	})
})

test('indexes a cost by the year of sale over the year of purchase, until 22-07-2024', () => {
	// 2019-20: 289, 2023-24: 348. 1,00,000 x 348 / 289 = 1,20,415.2249.
	expect(indexCost(1_00_000_00, '2019-06-10', '2024-03-28')).toBe(1_20_415_22)
	// 2001-02, the base year: 100; 2024-25: 363.
	expect(indexCost(1_00_000_00, '2001-06-11', '2024-07-22')).toBe(3_63_000_00)
	expect(indexCost(1_00_000_00, '2019-06-10', '2024-07-23')).toBe(1_00_000_00)
})
