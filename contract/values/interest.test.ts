import { expect, test } from 'vitest'
import { simpleInterest } from './interest'

test('computes interest by the day, to the paisa', () => {
	expect(simpleInterest(40_000_00, 14.6, 30)).toBe(480_00)
	expect(simpleInterest(50_100_00, 14.6, 24)).toBe(480_96)
	expect(simpleInterest(75_000_00, 14.99, 1)).toBe(30_80)
	expect(simpleInterest(75_000_00, 14.99, 0)).toBe(0)
})
