import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { addDays } from '#contract/values/dates'
import { findLongTermDay, findTerm } from './capital-gains'
import { findHeadRule, listTaxWindows, nameTaxYear, windowAt } from './tax-heads'
import { sumTaxYear, type TaxGain } from './tax-year'

const days = fc.integer({ min: 0, max: 364 }).map((at) => addDays('2024-04-01', at))
const heads: TaxGain['head'][] = [
	'SHORT_EQUITY',
	'SHORT_OTHER',
	'LONG_EQUITY',
	'LONG_OTHER',
	'SPECULATIVE',
	'BUSINESS_FNO',
	'BUSINESS_COMMODITY',
]
const gains = fc.array(fc.record({ head: fc.constantFrom(...heads), day: days, gain: fc.integer({ min: -1e9, max: 1e9 }) }), {
	maxLength: 40,
})
/** A tax year with gains and no dividends. */
const sumGains = (given: readonly TaxGain[], year: number) => sumTaxYear({ year, gains: given, dividends: [] })
const sum = (amounts: readonly number[]) => amounts.reduce((total, amount) => total + amount, 0)

describe('a tax year', () => {
	test('loses no paisa: windows sum to heads, and heads less carried losses to the gains', () => {
		fc.assert(
			fc.property(gains, (given) => {
				const { heads: sums, carried, exemption, estimatedTax } = sumGains(given, 2024)
				for (const { windows, afterSetOff, gains: gained, losses } of sums) {
					expect(windows.every((amount) => amount >= 0)).toBe(true)
					expect(sum(windows)).toBe(afterSetOff)
					expect(Math.min(gained, losses)).toBeGreaterThanOrEqual(0)
				}
				expect(sum(sums.map(({ gains: gained, losses }) => gained - losses))).toBe(sum(given.map(({ gain }) => gain)))
				expect(sum(sums.map(({ afterSetOff }) => afterSetOff)) - sum(Object.values(carried))).toBe(sum(given.map(({ gain }) => gain)))
				expect(exemption.used).toBeLessThanOrEqual(exemption.limit)
				expect(estimatedTax).toBeGreaterThanOrEqual(0)
			}),
			{ numRuns: 300 },
		)
	})

	test('sets long-term losses off against long-term gains alone, short-term ones against both', () => {
		const short = { head: 'SHORT_EQUITY', day: '2025-05-02' } as const
		const long = { head: 'LONG_EQUITY', day: '2025-05-02' } as const
		const first = sumGains(
			[
				{ ...short, gain: 500 },
				{ ...long, gain: -800 },
			],
			2025,
		)
		expect([first.carried.LONG, first.heads.map(({ afterSetOff }) => afterSetOff)]).toEqual([800, [500, 0]])
		const second = sumGains(
			[
				{ ...short, gain: -500 },
				{ ...long, gain: 800 },
			],
			2025,
		)
		expect([second.carried.SHORT, second.heads.map(({ afterSetOff }) => afterSetOff)]).toEqual([0, [0, 300]])
	})

	test('sets an intraday loss off against intraday gains only', () => {
		const { carried, heads: sums } = sumGains(
			[
				{ head: 'SPECULATIVE', day: '2025-05-02', gain: -900 },
				{ head: 'BUSINESS_FNO', day: '2025-05-02', gain: 1000 },
			],
			2025,
		)
		expect([carried.SPECULATIVE, sum(sums.map(({ afterSetOff }) => afterSetOff))]).toEqual([900, 1000])
	})

	test('sets a loss off within its own head before it goes to another', () => {
		const intraday = sumGains(
			[
				{ head: 'SPECULATIVE', day: '2025-05-02', gain: 1000 },
				{ head: 'SPECULATIVE', day: '2025-08-02', gain: -400 },
			],
			2025,
		)
		expect([intraday.heads[0]?.windows, intraday.carried.SPECULATIVE]).toEqual([[600, 0, 0, 0, 0], 0])
		// The gold fund's gain has the higher rate, but the shares' loss reduces the shares' gain first.
		const mixed = sumGains(
			[
				{ head: 'SHORT_OTHER', day: '2025-05-02', gain: 500 },
				{ head: 'SHORT_EQUITY', day: '2025-05-02', gain: 300 },
				{ head: 'SHORT_EQUITY', day: '2025-08-02', gain: -300 },
			],
			2025,
		)
		expect(mixed.heads.map(({ key, afterSetOff }) => [key, afterSetOff])).toEqual([
			['SHORT_OTHER_AFTER', 500],
			['SHORT_EQUITY_AFTER', 0],
		])
	})

	test('deducts a loss from its own window first, then from later ones, then from earlier ones', () => {
		const gainOn = (day: string, gain: number): TaxGain => ({ head: 'SHORT_EQUITY', day, gain })
		const windows = (...given: TaxGain[]) => sumGains(given, 2025).heads[0]?.windows
		const first = gainOn('2025-05-02', 100)
		const last = gainOn('2026-03-20', 100)
		expect(windows(first, last, gainOn('2025-10-01', -150))).toEqual([50, 0, 0, 0, 0])
		expect(windows(first, last, gainOn('2025-05-05', -60))).toEqual([40, 0, 0, 0, 100])
	})
})

describe('the law of a day', () => {
	test('changes rates on 23-07-2024 and sections on 01-04-2026', () => {
		const rules = ['2024-07-22', '2024-07-23', '2026-03-31', '2026-04-01'].map((day) =>
			(['SHORT_EQUITY', 'LONG_EQUITY', 'LONG_OTHER'] as const).map((head) => Object.values(pick(head, day)).join(' ')),
		)
		expect(rules).toEqual([
			['Section 111A 15', 'Section 112A 10', 'Section 112 20'],
			['Section 111A 20', 'Section 112A 12.5', 'Section 112 12.5'],
			['Section 111A 20', 'Section 112A 12.5', 'Section 112 12.5'],
			['Section 196 20', 'Section 198 12.5', 'Section 197 12.5'],
		])
		expect([2024, 2025, 2026].map((year) => nameTaxYear(year).taxYear)).toEqual([
			'Assessment Year 2025-26',
			'Assessment Year 2026-27',
			'Tax Year 2026-27',
		])
	})

	test('has five windows without a gap, and the first long-term day of every lot', () => {
		for (let day = '2023-04-01'; day <= '2024-03-31'; day = addDays(day, 1)) {
			const window = listTaxWindows(2023)[windowAt(day)]
			expect((window?.from ?? '') <= day && day <= (window?.to ?? '')).toBe(true)
			const longFrom = findLongTermDay('EQUITY', day)
			expect([findTerm(day, addDays(longFrom, -1)), findTerm(day, longFrom)]).toEqual(['SHORT', 'LONG'])
		}
	})
})

function pick(head: Parameters<typeof findHeadRule>[0], day: string) {
	const { section, rate } = findHeadRule(head, day)
	return { section, rate }
}
