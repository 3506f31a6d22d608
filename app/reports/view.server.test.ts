import { expect, test } from 'vitest'
import { addressWith } from './view.server'

const at = (query: string) => new URL(`https://portal.test/reports/ledger?${query}`)
/** With `x=` and its value, longer than any query of ours. */
const NONSENSE = `x=${'n'.repeat(2000)}`

test('a link repeats a query of usual length, whatever its parameters', () => {
	expect(addressWith(at('year=2025-2026&x=1&page=3'), { page: '2' })).toBe('/reports/ledger?year=2025-2026&x=1&page=2')
})

test('of a long query, a link keeps the parameters that pages know, once each', () => {
	const url = at(`${NONSENSE}&year=2025-2026&q=tata&q=infosys&from=01/04/2025&page=3`)
	expect(addressWith(url, { page: undefined })).toBe('/reports/ledger?year=2025-2026&q=tata&from=2025-04-01')
})

test('of a long value, a link keeps the 100 characters that a search reads', () => {
	expect(addressWith(at(`q=${'n'.repeat(2000)}`), {})).toBe(`/reports/ledger?q=${'n'.repeat(100)}`)
})

test('a link keeps an order of many securities', () => {
	const isins = Array.from({ length: 200 }, (_, at) => `INE${String(at).padStart(3, '0')}A01018`)
	const orders = [
		`action=pledge&${isins.map((isin) => `${isin}=20`).join('&')}`,
		isins.map((isin) => `isin=${isin}&qty.${isin}=5`).join('&'),
	]
	for (const query of orders) {
		expect(query.length).toBeGreaterThan(2000)
		expect(addressWith(at(query), {})).toBe(`/reports/ledger?${query}`)
	}
})
