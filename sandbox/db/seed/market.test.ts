import { describe, expect, test } from 'vitest'
import { HDFCBANK, ITC, ITCHOTELS, KOTAK_NEW, KOTAK_OLD, TMCV, TMPV } from '#sandbox/reference-data/actions'
import { findContract, makeMarket, priceOn } from './market'
import { priceOption } from './option-price'

const RELIANCE = 'INE002A01018'
const market = makeMarket('test', '2022-04-01', '2026-11-21')

describe('the market', () => {
	test('passes through the reference prices of 10-Jun-2026', () => {
		expect(priceOn(market, RELIANCE, '2026-06-10')).toBe(1258.8 * 10_000)
		expect(priceOn(market, KOTAK_NEW, '2026-06-10')).toBe(388.1 * 10_000)
	})

	test('has the closes of the real market at the ends of years', () => {
		// Public closes, from memory: NSE 31-Mar-2022, 31-Mar-2023 and 28-Mar-2024, MCX crude oil of June 2022, the rupee of March 2023.
		const levels = [
			['INE062A01020', '2023-03-31', 523.8],
			['INE062A01020', '2024-03-28', 752.4],
			['INE467B01029', '2023-03-31', 3206],
			['NIFTY', '2022-03-31', 17_465],
			['NIFTY', '2023-03-31', 17_360],
			['CRUDEOIL', '2022-06-10', 9_300],
			['USDINR', '2023-03-31', 82.2],
		] as const
		for (const [id, day, rupees] of levels) expect([id, day, priceOn(market, id, day) / 10_000]).toEqual([id, day, rupees])
		// Between these days the price varies, but not far: SBI was never below 480 or above 640 from April to September 2023.
		const sbi = market.days
			.filter((day) => day > '2023-03-31' && day < '2023-10-01')
			.map((day) => priceOn(market, 'INE062A01020', day) / 10_000)
		expect(Math.min(...sbi)).toBeGreaterThan(430)
		expect(Math.max(...sbi)).toBeLessThan(780)
	})

	test('quotes the price of its day for shares that a later bonus, split or demerger has divided', () => {
		// Reliance 2,972 before its bonus of 2024, HDFC Bank 1,448 before its bonus of 2025, Kotak 1,785 before its split of 2026, Tata
		// Motors 993 and ITC 428 before their demergers.
		expect(priceOn(market, RELIANCE, '2024-03-28')).toBe(2_972_0000)
		expect(priceOn(market, HDFCBANK, '2024-03-28')).toBe(1_448_0000)
		expect(priceOn(market, KOTAK_OLD, '2024-03-28')).toBe(1_785_0000)
		for (const [id, rupees] of [
			[TMPV, 993],
			[ITC, 428],
		] as const)
			expect(Math.abs(priceOn(market, id, '2024-03-28') / 10_000 - rupees)).toBeLessThan(0.1)
		// One ITC of the day before 6-Jan-2025 became one ITC and a tenth of an ITC Hotels, which is 5.4 % of the price: 94.6 + 10 x
		// 0.54.
		const hotels = priceOn(market, ITCHOTELS, '2025-01-06') / priceOn(market, ITC, '2025-01-06')
		expect(hotels).toBeCloseTo(5.4 / 94.6 / 0.1, 3)
	})

	test('has no price and no event for a company before its listing', () => {
		const JIOFIN = 'INE758E01017'
		expect(() => priceOn(market, JIOFIN, '2023-08-18')).toThrow('no price')
		expect(priceOn(market, JIOFIN, '2023-08-21')).toBe(251_7500)
		expect(() => priceOn(market, ITCHOTELS, '2025-01-03')).toThrow('no price')
		expect(() => priceOn(market, TMCV, '2025-10-13')).toThrow('no price')
		expect(market.actions.filter(({ instrument, ex_day }) => instrument === JIOFIN && ex_day < '2023-08-21')).toEqual([])
	})

	test('keeps past prices when the clock moves on, and has other prices with another seed', () => {
		const later = makeMarket('test', '2022-04-01', '2026-12-24')
		for (const day of ['2022-03-02', '2022-04-01', '2024-06-10', '2026-11-20'])
			expect(priceOn(later, RELIANCE, day)).toBe(priceOn(market, RELIANCE, day))
		expect(priceOn(makeMarket('other', '2022-04-01', '2026-11-21'), RELIANCE, '2024-06-10')).not.toBe(
			priceOn(market, RELIANCE, '2024-06-10'),
		)
	})

	test('changes the price on the day of a bonus or a split, and not before', () => {
		const ratio = priceOn(market, HDFCBANK, '2025-08-25') / priceOn(market, HDFCBANK, '2025-08-26')
		expect(ratio).toBeGreaterThan(1.8)
		expect(ratio).toBeLessThan(2.2)
		expect(priceOn(market, KOTAK_OLD, '2026-01-13') / priceOn(market, KOTAK_NEW, '2026-01-14')).toBeGreaterThan(4.5)
		expect(() => priceOn(market, KOTAK_NEW, '2026-01-13')).toThrow('no price')
		expect(() => priceOn(market, KOTAK_OLD, '2026-01-14')).toThrow('no price')
	})

	test('prices contracts from the price of their underlying', () => {
		const future = findContract(market, 'NIFTY', '2026-06-10', 5)
		expect(future.instrument).toMatchObject({ id: 'NIFTY26JUNFUT', expiry: '2026-06-30', lot: 65 })
		const basis = priceOn(market, future.instrument.id, '2026-06-10') / priceOn(market, 'NIFTY', '2026-06-10')
		expect(basis).toBeGreaterThan(1)
		expect(basis).toBeLessThan(1.01)
		const call = findContract(market, 'NIFTY', '2026-06-10', 5, { type: 'CE', out: 0 })
		expect(call.instrument.id).toBe('NIFTY26JUN24100CE')
		// 19 May 2024 was a Sunday, and on the Saturday before it only shares were traded. So crude oil of May ended on Friday.
		expect(findContract(market, 'CRUDEOIL', '2024-05-06', 5).instrument.expiry).toBe('2024-05-17')
		expect(priceOption(100, 90, 0, 'CE')).toBe(10)
		expect(priceOption(100, 90, 0, 'PE')).toBe(0)
	})
})
