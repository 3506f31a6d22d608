import { describe, expect, test } from 'vitest'
import { addDays } from '#contract/values/dates'
import { findAccountDay, findReturned, isAccountDay, nameAccountDay, splitReturned } from './payout-account'

function daysBetween(from: string, to: string, findLastTrade: (day: string) => string | undefined): string[] {
	const days: string[] = []
	for (let day = from; day <= to; day = addDays(day, 1)) if (isAccountDay(day, findLastTrade(day))) days.push(day)
	return days
}

describe('the days of settlement', () => {
	// 2026-27: NSE INSP72413 of 20-Jan-2026. Before it: first Fridays; 4 Oct 2024 and 3 Jan 2025 are Fridays.
	test('are once a quarter for a client who trades', () => {
		const trades = (day: string) => addDays(day, -3)
		expect(daysBetween('2026-04-01', '2027-03-31', trades)).toEqual(['2026-04-17', '2026-07-03', '2026-10-16', '2027-01-01'])
		expect(daysBetween('2024-10-01', '2025-03-31', trades)).toEqual(['2024-10-04', '2025-01-03'])
	})

	test('are once a month for a client who has not traded for more than 30 days, or never', () => {
		expect(daysBetween('2026-10-01', '2027-03-31', () => undefined)).toEqual([
			'2026-10-16',
			'2026-11-06',
			'2026-12-04',
			'2027-01-01',
			'2027-02-05',
			'2027-03-05',
		])
		// 4 December less 30 days is 4 November.
		expect([isAccountDay('2026-12-04', '2026-11-04'), isAccountDay('2026-12-04', '2026-11-03')]).toEqual([false, true])
	})

	test('move to the settlement day before a first Friday on which banks are closed', () => {
		// Friday 7 April 2023 is Good Friday.
		expect(daysBetween('2023-04-01', '2023-04-30', (day) => day)).toEqual(['2023-04-06'])
	})

	test('are named by month or quarter, also when the day moves into the month before', () => {
		expect(nameAccountDay('2026-07-03')).toBe('QUARTERLY SETTLEMENT OF ACCOUNTS')
		expect(nameAccountDay('2023-09-01')).toBe('MONTHLY SETTLEMENT OF ACCOUNTS')
		// Friday 1 April 2022 was a settlement holiday of banks.
		expect(['2022-03-31', '2022-04-01'].filter((day) => isAccountDay(day, undefined)).map(nameAccountDay)).toEqual([
			'QUARTERLY SETTLEMENT OF ACCOUNTS',
		])
	})

	test('are found in advance, the day itself included', () => {
		expect(findAccountDay('2026-11-22', '2026-11-20')).toBe('2027-01-01')
		expect(findAccountDay('2026-11-22', '2026-10-20')).toBe('2026-12-04')
		expect(findAccountDay('2027-01-01', '2026-12-31')).toBe('2027-01-01')
		// Without another trade: 5 February less 30 days is 6 January, 5 March less 30 days is 3 February.
		expect(findAccountDay('2027-01-02', '2027-01-10')).toBe('2027-03-05')
	})
})

describe('the amount paid back', () => {
	test('is the whole balance when nothing is open, to the paisa', () => {
		expect(findReturned({ free: 1_23_456_78, margin: 0, pledged: 0, blocked: 0, funding: 0 })).toBe(1_23_456_78)
		expect(findReturned({ free: -5, margin: 0, pledged: 0, blocked: 0, funding: 0 })).toBe(0)
	})

	test('leaves 225 % of the margin less pledged securities, counting the part that is blocked already', () => {
		// Margin 2,23,860.00, of which 225 % is 5,03,685.00. Less 85,000.00 pledged, 4,18,685.00 is kept in cash. 1,38,860.00 of it is
		// blocked already, so 2,79,825.00 of the 3,00,000.00 free stays.
		expect(findReturned({ free: 3_00_000_00, margin: 2_23_860_00, pledged: 85_000_00, blocked: 1_38_860_00, funding: 0 })).toBe(20_175_00)
		// Pledged securities are three times the margin. Half of the margin must still be cash, and that is blocked.
		expect(findReturned({ free: 10_000_01, margin: 1_00_000_00, pledged: 3_00_000_00, blocked: 50_000_00, funding: 0 })).toBe(10_000_01)
		expect(findReturned({ free: 10_000_00, margin: 1_00_000_00, pledged: 0, blocked: 1_00_000_00, funding: 0 })).toBe(0)
	})

	test('leaves 225 % of the cash margin of loans, which no pledge for contracts reduces', () => {
		// 225 % of 20,000.00 is 45,000.00. 20,000.00 of it is blocked already, so 25,000.00 of the free money stays.
		const loan = { margin: 0, pledged: 0, blocked: 0, funding: 20_000_00 }
		expect(findReturned({ free: 60_000_00, ...loan })).toBe(35_000_00)
		expect(findReturned({ free: 10_000_00, ...loan })).toBe(0)
		// Contracts need 22,500.00, and 30,000.00 is pledged for them.
		expect(findReturned({ free: 60_000_00, ...loan, margin: 10_000_00, pledged: 30_000_00 })).toBe(35_000_00)
	})

	test('leaves in one ledger the debt of another, and no more', () => {
		const nothing = { margin: 0, pledged: 0, blocked: 0, funding: 0 }
		const split = (cash: number, commodity: number) =>
			splitReturned([
				{ cocd: 'NSE_CASH', free: cash, ...nothing },
				{ cocd: 'MCX', free: commodity, ...nothing },
			])
		expect(split(10_000_05, 2_000_00)).toEqual([
			{ cocd: 'NSE_CASH', amount: 10_000_05 },
			{ cocd: 'MCX', amount: 2_000_00 },
		])
		// 10,000.05 less the debt of 2,500.10 in the other ledger.
		expect(split(10_000_05, -2_500_10)).toEqual([{ cocd: 'NSE_CASH', amount: 7_499_95 }])
		expect(split(-300_00, 300_00)).toEqual([])
	})
})
