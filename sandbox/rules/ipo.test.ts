import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findLargestEntryAmount } from '#contract/values/ipo-bid'
import { toRupees } from '#contract/values/money'
import { findAllotment, findBidTime, findCounting, findFinalPrice, findIssueDays, findLeastAmount, splitBlock } from './ipo'

describe('the days of an issue', () => {
	test('are trading days after its last day: basis, money and shares, listing', () => {
		// A Wednesday after a holiday; a Friday; the day before Republic Day.
		expect(findIssueDays('2026-11-25')).toEqual({ allotment: '2026-11-26', refund: '2026-11-27', listing: '2026-11-30' })
		expect(findIssueDays('2026-11-20')).toEqual({ allotment: '2026-11-23', refund: '2026-11-25', listing: '2026-11-26' })
		expect(findIssueDays('2026-01-23')).toEqual({ allotment: '2026-01-27', refund: '2026-01-28', listing: '2026-01-29' })
	})
})

describe('the hours of bids', () => {
	// Open from Friday 20 to Wednesday 25 November 2026; Tuesday the 24th is a holiday. NSE takes bids from 10:00 to 17:00 on trading
	// days; on the last day individuals until 16:30 and HNI until 16:00.
	const at = (code: 'IND' | 'HNI', india: string) =>
		findBidTime(code, '2026-11-20', '2026-11-25', new Date(`${india}:00+05:30`))?.toISOString()
	const TEN = 'T04:30:00.000Z'

	test.each([
		['before the first morning', '2026-11-19T12:00', `2026-11-20${TEN}`],
		['a minute before ten', '2026-11-20T09:59', `2026-11-20${TEN}`],
		['at ten', '2026-11-20T10:00', `2026-11-20${TEN}`],
		['a minute before five', '2026-11-20T16:59', '2026-11-20T11:29:00.000Z'],
		['at five on a Friday', '2026-11-20T17:00', `2026-11-23${TEN}`],
		['on a Sunday', '2026-11-22T12:00', `2026-11-23${TEN}`],
		['on a holiday', '2026-11-24T12:00', `2026-11-25${TEN}`],
		['on the last day until half past four', '2026-11-25T16:29', '2026-11-25T10:59:00.000Z'],
		['on the last day from half past four', '2026-11-25T16:30', undefined],
	])('%s', (_, now, taken) => expect(at('IND', now)).toBe(taken))

	test('end at four for HNI on the last day, and at five on the others', () => {
		expect(at('HNI', '2026-11-25T16:00')).toBeUndefined()
		expect(at('HNI', '2026-11-23T16:30')).toBe('2026-11-23T11:00:00.000Z')
	})

	test('do not include a Sunday on which only the market is open', () => {
		// 1 February 2026, the Budget: a special session.
		const sunday = new Date('2026-02-01T12:00:00+05:30')
		expect(findBidTime('IND', '2026-01-30', '2026-02-03', sunday)?.toISOString()).toBe(`2026-02-02${TEN}`)
	})
})

describe('the minimum of a category', () => {
	test('is the first lot above two lakh for HNI, and the minimum quantity for the others', () => {
		expect(findLeastAmount('HNI', 150_00, 100, 100)).toBe(2_10_000_00)
		// Exactly two lakh is still within an individual's limit.
		expect(findLeastAmount('HNI', 100_00, 100, 100)).toBe(2_10_000_00)
		expect(findLeastAmount('IND', 150_00, 100, 200)).toBe(30_000_00)
	})
})

const LOT = 45
const BAND = { min_price: 310_00, max_price: 327_00 }
const bid = fc.record({
	quantity: fc.integer({ min: 1, max: 40 }).map((lots) => lots * LOT),
	price: fc.integer({ min: 310, max: 327 }).map((rupees) => rupees * 100),
})
const application = fc.record({
	bids: fc.array(bid, { minLength: 1, maxLength: 3 }),
	code: fc.constantFrom('IND' as const, 'HNI' as const, 'EMP' as const),
	discount: fc.constantFrom(0, 15_00),
	times: fc.double({ min: 0.01, max: 60, noNaN: true }),
	luck: fc.double({ min: 0, max: 1, noNaN: true }),
})

describe('an allotment', () => {
	test('costs at most the block, is whole lots of one bid that reached the price, and the rest is released', () => {
		fc.assert(
			fc.property(application, ({ bids, code, discount, times, luck }) => {
				const wire = bids.map(({ quantity, price }) => ({ quantity, price: toRupees(price) }))
				const blocked = findLargestEntryAmount(wire, toRupees(discount))
				const price = findFinalPrice({ ...BAND, categories: [{ times }] })
				const counting = findCounting(bids, price)
				const allotted = counting ? findAllotment(code, counting.quantity, LOT, LOT, times, luck) : 0
				const { cost, refund } = splitBlock(blocked, allotted, price, discount)
				expect(cost + refund).toBe(blocked)
				expect(refund).toBeGreaterThanOrEqual(0)
				expect(cost).toBeGreaterThanOrEqual(0)
				expect(Number.isInteger(cost)).toBe(true)
				expect(allotted % LOT).toBe(0)
				expect(allotted).toBeLessThanOrEqual(Math.max(...bids.map(({ quantity }) => quantity)))
				if (bids.every((each) => each.price < price)) expect(refund).toBe(blocked)
			}),
			{ numRuns: 500 },
		)
	})

	test('is the whole bid at the lowest price for too few bids, and a part or a lottery for too many', () => {
		expect(findFinalPrice({ ...BAND, categories: [{ times: 1 }, { times: 0.2 }] })).toBe(310_00)
		expect(findFinalPrice({ ...BAND, categories: [{ times: 1.01 }, { times: 0.2 }] })).toBe(327_00)
		expect(findAllotment('IND', 450, LOT, LOT, 1, 0.99)).toBe(450)
		expect(findAllotment('IND', 450, LOT, LOT, 2, 0.49)).toBe(LOT)
		expect(findAllotment('IND', 450, LOT, LOT, 2, 0.5)).toBe(0)
		expect(findAllotment('HNI', 900, LOT, LOT, 2.5, 0.99)).toBe(360)
	})

	test('uses the largest bid that reaches the price', () => {
		const bids = [
			{ quantity: 90, price: 327_00 },
			{ quantity: 180, price: 320_00 },
			{ quantity: 450, price: 310_00 },
		]
		expect(findCounting(bids, 327_00)?.quantity).toBe(90)
		expect(findCounting(bids, 320_00)?.quantity).toBe(180)
		expect(findCounting(bids.slice(1), 327_00)).toBeUndefined()
	})
})
