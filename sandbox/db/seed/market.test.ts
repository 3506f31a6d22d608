import { describe, expect, it } from 'vitest'
import { HDFCBANK, KOTAK_NEW, KOTAK_OLD } from '#sandbox/data/actions'
import { findContract, makeMarket, priceOn } from './market'
import { priceOption } from './option-price'

const RELIANCE = 'INE002A01018'
const market = makeMarket('test', '2022-04-01', '2026-11-21')

describe('the market', () => {
	it('passes through the reference prices of 10-Jun-2026', () => {
		expect(priceOn(market, RELIANCE, '2026-06-10')).toBe(1258.8 * 10_000)
		expect(priceOn(market, KOTAK_NEW, '2026-06-10')).toBe(388.1 * 10_000)
	})

	it('keeps its past when the clock moves on, and changes with the seed', () => {
		const later = makeMarket('test', '2022-04-01', '2026-12-24')
		for (const day of ['2022-04-01', '2024-06-10', '2026-11-20']) expect(priceOn(later, RELIANCE, day)).toBe(priceOn(market, RELIANCE, day))
		expect(priceOn(makeMarket('other', '2022-04-01', '2026-11-21'), RELIANCE, '2024-06-10')).not.toBe(
			priceOn(market, RELIANCE, '2024-06-10'),
		)
	})

	it('has prices of their time before a bonus and a split', () => {
		const ratio = priceOn(market, HDFCBANK, '2025-08-25') / priceOn(market, HDFCBANK, '2025-08-26')
		expect(ratio).toBeGreaterThan(1.8)
		expect(ratio).toBeLessThan(2.2)
		expect(priceOn(market, KOTAK_OLD, '2026-01-13') / priceOn(market, KOTAK_NEW, '2026-01-14')).toBeGreaterThan(4.5)
		expect(() => priceOn(market, KOTAK_NEW, '2026-01-13')).toThrow('no price')
		expect(() => priceOn(market, KOTAK_OLD, '2026-01-14')).toThrow('no price')
	})

	it('prices contracts off what they are written on', () => {
		const future = findContract(market, 'NIFTY', '2026-06-10', 5)
		expect(future.instrument).toMatchObject({ id: 'NIFTY26JUNFUT', expiry: '2026-06-30', lot: 65 })
		const basis = priceOn(market, future.instrument.id, '2026-06-10') / priceOn(market, 'NIFTY', '2026-06-10')
		expect(basis).toBeGreaterThan(1)
		expect(basis).toBeLessThan(1.01)
		const call = findContract(market, 'NIFTY', '2026-06-10', 5, { type: 'CE', out: 0 })
		expect(call.instrument.id).toBe('NIFTY26JUN24100CE')
		expect(priceOption(100, 90, 0, 'CE')).toBe(10)
		expect(priceOption(100, 90, 0, 'PE')).toBe(0)
	})
})
