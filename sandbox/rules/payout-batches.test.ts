import { expect, test } from 'vitest'
import { findBatch } from './payout-batches'

const describeBatch = (cocd: 'NSE_CASH' | 'MCX', time: string) => {
	const { day, creditedBy } = findBatch(cocd, new Date(`${time}+05:30`))
	return [day, creditedBy.toISOString()]
}

test('joins the first batch that is not closed, exact to the second', () => {
	expect(describeBatch('NSE_CASH', '2026-11-18T07:29:59')).toEqual(['2026-11-18', '2026-11-18T06:00:00.000Z'])
	expect(describeBatch('NSE_CASH', '2026-11-18T07:30:00')).toEqual(['2026-11-18', '2026-11-18T16:00:00.000Z'])
	expect(describeBatch('NSE_CASH', '2026-11-18T18:00:00')).toEqual(['2026-11-19', '2026-11-19T06:00:00.000Z'])
	expect(describeBatch('MCX', '2026-11-18T08:59:59')).toEqual(['2026-11-18', '2026-11-18T07:30:00.000Z'])
	expect(describeBatch('MCX', '2026-11-18T20:59:59')).toEqual(['2026-11-18', '2026-11-18T18:00:00.000Z'])
})

test('waits over weekends and over trading days on which banks are closed', () => {
	expect(describeBatch('NSE_CASH', '2026-11-20T18:00:00')[0]).toBe('2026-11-23')
	// 26-Aug-2026 is a trading day without settlement.
	expect(describeBatch('NSE_CASH', '2026-08-25T20:00:00')[0]).toBe('2026-08-27')
})
