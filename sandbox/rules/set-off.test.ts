import { describe, expect, test } from 'vitest'
import { type TaxGain, sumTaxYear, sumTaxYears, type YearIncome } from './tax-year'

/*
 * Every figure is worked by hand. Sources: Income-tax Act, 1961, ss.70 to 74, and ss.108, 109, 111, 112 and 113 of the Act of 2025,
 * which replace them from tax year 2026-27. Text is in rupees, figures are in paise.
 */

const gain = (head: TaxGain['head'], day: string, rupees: number): TaxGain => ({ head, day, gain: rupees * 100 })
const createYear = (year: number, ...gains: TaxGain[]): YearIncome => ({ year, gains, dividends: [] })
const listSteps = ({ steps }: ReturnType<typeof sumTaxYear>) =>
	steps.map(({ kind, lossYear, against, amount, section }) => `${kind} ${lossYear} > ${against} ${amount / 100} ${section}`)
const listLosses = ({ losses }: ReturnType<typeof sumTaxYear>) => losses.map(({ kind, year, amount }) => `${kind} ${year} ${amount / 100}`)

describe('a business loss', () => {
	test('is set off against capital gains of its year, highest tax rate first, before it is carried forward', () => {
		const year = sumTaxYear(
			createYear(
				2025,
				gain('BUSINESS_FNO', '2025-05-02', -100_000),
				gain('BUSINESS_COMMODITY', '2025-05-02', 30_000),
				gain('SPECULATIVE', '2025-05-02', 10_000),
				gain('LONG_EQUITY', '2025-05-02', 200_000),
				gain('SHORT_EQUITY', '2025-05-02', 40_000),
			),
		)
		// 1,00,000 lost: 30,000 and 10,000 within the head; 60,000 left: 40,000 short-term (20 %), 20,000 long-term (12.5 %).
		expect(listSteps(year)).toEqual([
			'BUSINESS 2025 > BUSINESS_COMMODITY 30000 Section 70',
			'BUSINESS 2025 > SPECULATIVE 10000 Section 70',
			'BUSINESS 2025 > SHORT_EQUITY_AFTER 40000 Section 71',
			'BUSINESS 2025 > LONG_EQUITY_AFTER 20000 Section 71',
		])
		expect(listLosses(year)).toEqual([])
		// The exemption comes after set-off: (2,00,000 - 20,000 - 1,25,000) x 12.5 % = 6,875; with 4 % cess 7,150.
		expect([year.exemption.used, year.estimatedTax]).toEqual([1_25_000_00, 7_150_00])
	})

	test('takes income at the client’s own rate, dividends too, before long-term gains that the exemption may free', () => {
		const year: YearIncome = {
			...createYear(
				2025,
				gain('BUSINESS_FNO', '2025-05-02', -9_000),
				gain('LONG_EQUITY', '2025-05-02', 50_000),
				gain('LONG_OTHER', '2025-05-02', 3_000),
				gain('SHORT_EQUITY', '2025-05-02', 1_000),
				gain('SHORT_OTHER', '2025-05-02', 700),
			),
			dividends: [{ day: '2025-07-01', amount: 4_000_00 }],
		}
		// 9,000 - 700 - 4,000 - 1,000 - 3,000 = 300. The 49,700 left are exempt.
		expect(listSteps(sumTaxYear(year))).toEqual([
			'BUSINESS 2025 > SHORT_OTHER_AFTER 700 Section 71',
			'BUSINESS 2025 > DIVIDENDS 4000 Section 71',
			'BUSINESS 2025 > SHORT_EQUITY_AFTER 1000 Section 71',
			'BUSINESS 2025 > LONG_OTHER_AFTER 3000 Section 71',
			'BUSINESS 2025 > LONG_EQUITY_AFTER 300 Section 71',
		])
		expect(sumTaxYear(year).estimatedTax).toBe(0)
	})

	test('is carried forward when gains and dividends are used up, against business and speculation only', () => {
		const first: YearIncome = {
			...createYear(2024, gain('BUSINESS_FNO', '2024-05-02', -50_000), gain('SHORT_EQUITY', '2024-05-02', 8_000)),
			dividends: [{ day: '2024-07-01', amount: 2_000_00 }],
		}
		expect(listSteps(sumTaxYear(first))).toEqual([
			'BUSINESS 2024 > DIVIDENDS 2000 Section 71',
			'BUSINESS 2024 > SHORT_EQUITY_BEFORE 8000 Section 71',
		])
		// 50,000 - 2,000 - 8,000 = 40,000 is carried forward. Next year 15,000 of business and 5,000 of intraday profit use 20,000 of
		// it; the capital gain uses nothing.
		const second = sumTaxYears([
			first,
			createYear(
				2025,
				gain('BUSINESS_COMMODITY', '2025-05-02', 15_000),
				gain('SPECULATIVE', '2025-05-02', 5_000),
				gain('SHORT_EQUITY', '2025-05-02', 9_000),
			),
		])
		expect(listSteps(second)).toEqual([
			'BUSINESS 2024 > SPECULATIVE 5000 Section 72',
			'BUSINESS 2024 > BUSINESS_COMMODITY 15000 Section 72',
		])
		expect(listLosses(second)).toEqual(['BUSINESS 2024 20000'])
		// 9,000 x 20 % = 1,800; with cess 1,872.
		expect(second.estimatedTax).toBe(1_872_00)
	})
})

describe('losses of earlier years', () => {
	test('are used narrow kinds first: long-term before short-term, then the oldest', () => {
		const year = sumTaxYears([
			createYear(2022, gain('SHORT_EQUITY', '2022-05-02', -7_000)),
			createYear(2023, gain('SHORT_EQUITY', '2023-05-02', -4_000), gain('LONG_EQUITY', '2023-05-02', -5_000)),
			createYear(2024),
			createYear(2025, gain('SHORT_EQUITY', '2025-05-02', 6_000), gain('LONG_EQUITY', '2025-12-20', 8_000)),
		])
		// The long-term 5,000 of 2023 fit long-term gains alone, so they come first. The short-term 7,000 of 2022 use 6,000 short-term and
		// 1,000 of the other 3,000 long-term gains, and those of 2023 the last 2,000.
		expect(listSteps(year)).toEqual([
			'LONG 2023 > LONG_EQUITY_AFTER 5000 Section 74',
			'SHORT 2022 > SHORT_EQUITY_AFTER 6000 Section 74',
			'SHORT 2022 > LONG_EQUITY_AFTER 1000 Section 74',
			'SHORT 2023 > LONG_EQUITY_AFTER 2000 Section 74',
		])
		expect(listLosses(year)).toEqual(['SHORT 2023 2000'])
		expect(year.heads.map(({ key, windows }) => [key, windows])).toEqual([
			['SHORT_EQUITY_AFTER', [0, 0, 0, 0, 0]],
			['LONG_EQUITY_AFTER', [0, 0, 0, 0, 0]],
		])
	})

	test('of speculation take intraday profit before an older business loss does', () => {
		const year = sumTaxYears([
			createYear(2022, gain('BUSINESS_FNO', '2022-05-02', -1_000)),
			createYear(2023, gain('SPECULATIVE', '2023-05-02', -500)),
			createYear(2024, gain('SPECULATIVE', '2024-05-02', 900)),
		])
		expect(listSteps(year)).toEqual(['SPECULATIVE 2023 > SPECULATIVE 500 Section 73', 'BUSINESS 2022 > SPECULATIVE 400 Section 72'])
		expect(listLosses(year)).toEqual(['BUSINESS 2022 600'])
	})

	test('are used after losses of the year itself', () => {
		const year = sumTaxYears([
			createYear(2024, gain('SHORT_EQUITY', '2024-09-02', -10_000)),
			createYear(2025, gain('SHORT_EQUITY', '2025-05-02', 9_000), gain('BUSINESS_FNO', '2025-05-02', -6_000)),
		])
		// 9,000 less the year's own loss of 6,000 is 3,000. The loss of 2024 reduces it to nothing, and 7,000 of that loss is left.
		expect(listSteps(year)).toEqual([
			'BUSINESS 2025 > SHORT_EQUITY_AFTER 6000 Section 71',
			'SHORT 2024 > SHORT_EQUITY_AFTER 3000 Section 74',
		])
		expect(listLosses(year)).toEqual(['SHORT 2024 7000'])
	})

	test('lapse after four years for speculation, and after eight for all others', () => {
		const lost = createYear(2016, gain('SPECULATIVE', '2016-05-02', -900), gain('BUSINESS_FNO', '2016-05-02', -800))
		const until = (last: number, ...gains: TaxGain[]) =>
			sumTaxYears([lost, ...Array.from({ length: last - 2017 }, (_, at) => createYear(2017 + at)), createYear(last, ...gains)])
		const profit = (year: number) => gain('SPECULATIVE', `${year}-05-02`, 100)
		expect(listLosses(until(2019))).toEqual(['SPECULATIVE 2016 900', 'BUSINESS 2016 800'])
		// 2020 is the fourth year, the last in which the speculative loss may be used. What is left of it is not carried forward.
		expect([listSteps(until(2020, profit(2020))), listLosses(until(2020, profit(2020)))]).toEqual([
			['SPECULATIVE 2016 > SPECULATIVE 100 Section 73'],
			['BUSINESS 2016 800'],
		])
		expect(listSteps(until(2021, profit(2021)))).toEqual(['BUSINESS 2016 > SPECULATIVE 100 Section 72'])
		expect([listSteps(until(2024, profit(2024))), listLosses(until(2024))]).toEqual([['BUSINESS 2016 > SPECULATIVE 100 Section 72'], []])
		expect(listSteps(until(2025, profit(2025)))).toEqual([])
	})

	test('name the sections of the Act of 2025 from tax year 2026-27 on', () => {
		const year = sumTaxYears([
			createYear(2025, ...(['SHORT_EQUITY', 'SPECULATIVE', 'BUSINESS_FNO'] as const).map((head) => gain(head, '2025-05-02', -50))),
			createYear(
				2026,
				gain('LONG_EQUITY', '2026-05-02', 1_000),
				gain('LONG_EQUITY', '2026-05-02', -100),
				gain('SPECULATIVE', '2026-05-02', 300),
				gain('SPECULATIVE', '2026-05-02', -20),
				gain('BUSINESS_FNO', '2026-05-02', 10),
				gain('BUSINESS_COMMODITY', '2026-05-02', -500),
			),
		])
		// Commodity lost 500: 10 is set off against futures, 280 against intraday, 210 against long-term gains of 900. Then 50 of 2025,
		// short-term.
		expect(listSteps(year)).toEqual([
			'LONG 2026 > LONG_EQUITY_AFTER 100 Section 108',
			'SPECULATIVE 2026 > SPECULATIVE 20 Section 113',
			'BUSINESS 2026 > BUSINESS_FNO 10 Section 108',
			'BUSINESS 2026 > SPECULATIVE 280 Section 108',
			'BUSINESS 2026 > LONG_EQUITY_AFTER 210 Section 109',
			'SHORT 2025 > LONG_EQUITY_AFTER 50 Section 111',
		])
		expect(listLosses(year)).toEqual(['SPECULATIVE 2025 50', 'BUSINESS 2025 50'])
	})
})

test('two heads at the client’s own rate name their sales', () => {
	const heads = (year: number, ...days: string[]) =>
		sumTaxYear(createYear(year, ...days.map((day) => gain('SHORT_OTHER', day, 100)))).heads.map(({ name }) => name)
	const name = 'Short-term gains, other units'
	expect(heads(2024, '2024-07-22', '2024-07-23')).toEqual([`${name}, sold before 23/07/2024`, `${name}, sold from 23/07/2024`])
	expect(heads(2025, '2025-07-22')).toEqual([name])
})
