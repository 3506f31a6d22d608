import { parseWithZod } from '@conform-to/zod/v4'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { IpoBidRequest, IpoClient, IpoFacts, IpoIssue } from '#contract/ipo'
import { computeBidAmount } from '#contract/values/ipo-bid'
import { bidSent, bidTyped, isOnline, createBidRequest } from './bid-form.server'

const category = { label: '', cut_off_allowed: true, discount: 0, min_amount: 0 }
const issue = IpoIssue.parse({
	symbol: 'SAHYAGRO',
	name: 'Sahyadri Agro Foods Ltd',
	isin: 'INE0ZA101016',
	exchange: 'NSE',
	open_date: '2026-11-20',
	close_date: '2026-11-26',
	min_price: 310.05,
	max_price: 327,
	cut_off_price: 327,
	tick_size: 0.05,
	lot_size: 45,
	min_bid_qty: 90,
	face_value: 10,
	issue_size_cr: 742.5,
	categories: [
		{ ...category, code: 'IND', max_amount: 200_000 },
		{ ...category, code: 'HNI', max_amount: 100_000_000, cut_off_allowed: false },
		{ ...category, code: 'EMP', max_amount: 500_000, discount: 15 },
		{ ...category, code: 'POL', max_amount: 200_000 },
		{ ...category, code: 'BIG', min_amount: 1_000_000.5, max_amount: 100_000_000 },
	],
	status: 'LIVE',
	prospectus_url: '',
	subscription: null,
	upi_cut_off: '2026-11-26T17:00:00+05:30',
})
const client = IpoClient.parse({
	client_code: 'KH10042',
	client_name: 'KAVITA HEGDE',
	pan: 'XXXXX4821K',
	BOId: [{ dp: 'CDSL', id: '1209990000100427' }],
	upi_id: null,
	categories: ['IND', 'HNI', 'EMP', 'BIG'],
})
const facts = (limit: number) => IpoFacts.parse({ online_limit: limit, max_bids: 3, issues: [] })

type Fields = Record<string, string>
const USUAL = { category: 'IND', BOId: '1209990000100427', upi_id: 'me@bank', 'bids[0].quantity': '90', 'bids[0].price': '320' }

function check(fields: Fields, limit = 500_000, of = issue) {
	const form = new FormData()
	for (const [name, value] of Object.entries({ ...USUAL, ...fields })) form.append(name, value)
	return parseWithZod(form, { schema: bidTyped({ issue: of, client, facts: facts(limit) }) })
}
const listErrors = (fields: Fields) => check(fields).reply().error ?? {}

describe('the online limit', () => {
	test('is included; one paisa more needs a form', () => {
		expect([4_99_999_99, 5_00_000_00, 5_00_000_01].map((amount) => isOnline(amount, undefined))).toEqual([true, true, false])
	})

	test('comes from the broker', () => {
		expect([isOnline(2_00_000_00, facts(200_000)), isOnline(2_00_000_01, facts(200_000))]).toEqual([true, false])
		// Above the limit no UPI ID is required; up to the limit one is.
		expect(check({ upi_id: '' }, 28_799.99).status).toBe('success')
		expect(check({ upi_id: '' }, 28_800).reply().error).toEqual({ upi_id: ['Enter a UPI ID in the correct format, like name@bank'] })
	})
})

describe('a price', () => {
	test.each(['310.05', '310.10', '327', '326.95', '₹ 320.00', '327.0'])('accepts %s', (price) =>
		expect(listErrors({ 'bids[0].price': price })).toEqual({}),
	)

	test.each([
		['310', 'between ₹ 310.05 and ₹ 327.00'],
		['310.04', 'between'],
		['327.01', 'between'],
		['0.01', 'between'],
		['320.01', 'steps of ₹ 0.05'],
		['320.051', 'steps of ₹ 0.05'],
		['320.000', 'steps of ₹ 0.05'],
		['0', 'Enter the price in rupees, like 327'],
		['', 'Enter the price'],
		['-320', 'Enter the price'],
		['1e2', 'Enter the price'],
		['0x140', 'Enter the price'],
		['３２０', 'Enter the price'],
		['NaN', 'Enter the price'],
		['Infinity', 'Enter the price'],
	])('refuses "%s"', (price, words) =>
		expect(listErrors({ 'bids[0].price': price })).toEqual({ 'bids[0].price': [expect.stringContaining(words)] }),
	)
})

describe('a quantity', () => {
	test.each([
		['45', 'Quantity must be 90 or more'],
		['91', 'Quantity must be a multiple of 45'],
		['90.0', 'Enter the quantity'],
		['1e9', 'Enter the quantity'],
		['0x5a', 'Enter the quantity'],
		['９０', 'Enter the quantity'],
		['-90', 'Enter the quantity'],
		['0', 'Enter the quantity'],
		['99999999999', 'Enter the quantity'],
	])('refuses "%s"', (quantity, words) =>
		expect(listErrors({ 'bids[0].quantity': quantity })).toEqual({ 'bids[0].quantity': [expect.stringContaining(words)] }),
	)
})

describe('a category', () => {
	test('must be one that the issue offers and that is open to the client', () => {
		for (const code of ['', 'SHA', 'POL', '__proto__']) expect(listErrors({ category: code }).category).toEqual(['Select a category'])
	})

	test('has its own amounts: up to two lakh for an individual, above it for HNI, which has no cut-off', () => {
		const at = (category: string, quantity: number, more: Fields = {}) =>
			listErrors({ category, 'bids[0].quantity': String(quantity), 'bids[0].price': '320', ...more })
		// 625 x 320 is exactly two lakh; 585 and 630 are the lots on either side.
		expect(at('IND', 585)).toEqual({})
		expect(at('IND', 630)).toEqual({ category: ['Bids above ₹ 2,00,000.00 are in the HNI category'] })
		expect(at('HNI', 585)).toEqual({ category: ['Bids up to ₹ 2,00,000.00 are in the individual category'] })
		expect(at('HNI', 630)).toEqual({})
		expect(at('HNI', 630, { 'bids[0].cut_off': 'on' })).toEqual({ 'bids[0].cut_off': ['Cut-off price is not available in HNI'] })
		// After the discount of ₹ 15: 1,620 x 305.
		expect(at('EMP', 1620)).toEqual({})
		expect(at('EMP', 1665)).toEqual({ category: ['This category takes bids up to ₹ 5,00,000.00'] })
		// 3,105 x 320 is 9,93,600 and 3,150 x 320 is 10,08,000.
		expect(at('BIG', 3105)).toEqual({ category: ['This category takes bids from ₹ 10,00,000.50'] })
		expect(at('BIG', 3150)).toEqual({})
	})

	test('whose smallest amount is that of the smallest bid at the top of the band takes this bid at a lower price too', () => {
		// 90 x 327 is 29,430; 90 x 320 is 28,800.
		const categories = issue.categories.map((each) => (each.code === 'IND' ? { ...each, min_amount: 29_430_00 } : each))
		expect(check({}, 500_000, { ...issue, categories }).status).toBe('success')
	})
})

describe('a typed bid', () => {
	const odd = fc.oneof(fc.string(), fc.constantFrom('1e9', '-1', 'on', '', '0x5a', '９０'))
	const orOdd = (...good: string[]) => fc.oneof({ weight: 1, arbitrary: odd }, { weight: 4, arbitrary: fc.constantFrom(...good) })
	const row = fc.tuple(orOdd('90', '135', '450', '45', '1,350'), orOdd('310.05', '320', '327', '319.95', '309', '320.01'), fc.boolean())
	test('is refused with a message or becomes valid: lot, band, step, and the amount of the highest price', () => {
		let taken = 0
		fc.assert(
			fc.property(fc.array(row, { minLength: 1, maxLength: 4 }), (rows) => {
				const fields = Object.fromEntries(
					rows.flatMap(([quantity, price, isCutOff], at) => [
						[`bids[${at}].quantity`, quantity],
						[`bids[${at}].price`, price],
						...(isCutOff ? [[`bids[${at}].cut_off`, 'on']] : []),
					]),
				)
				const submission = check({ ...fields, amount: '1', online_limit: '1' })
				if (submission.status !== 'success') {
					expect(Object.values(submission.error ?? {}).flat().length).toBeGreaterThan(0)
					return
				}
				taken++
				const { bids } = submission.value
				const request = createBidRequest(issue, { ...submission.value, id: '', symbol: 'SAHYAGRO', at: 0 })
				IpoBidRequest.parse(request)
				expect(bids.length).toBeLessThanOrEqual(3)
				for (const { quantity, price } of bids) {
					expect([quantity % 45, quantity >= 90, price >= 310.05, price <= 327]).toEqual([0, true, true, true])
					expect(Math.round((price - 310.05) * 100) % 5).toBe(0)
				}
				const amounts = bids.map(({ quantity, price }) => Math.round(quantity * price * 100))
				expect(computeBidAmount(issue, submission.value)).toBe(Math.max(...amounts))
				expect(Math.round(request.quantity * request.price * 100)).toBe(Math.max(...amounts))
			}),
			{ numRuns: 500 },
		)
		// The run must also contain valid bids.
		expect(taken).toBeGreaterThan(20)
	})

	test('is shown again after the session ended, unless the post was another form', () => {
		const form = new FormData()
		form.append('bids[0].quantity', 'x')
		form.append('upi_id', 'half')
		expect(bidSent(form)).toMatchObject({ upi_id: 'half', bids: [{ quantity: 'x' }] })
		const confirmation = new FormData()
		confirmation.append('draft', 'd3b07384-d9a0-4c9b-8f0a-000000000000')
		expect(bidSent(confirmation)).toBeUndefined()
	})
})
