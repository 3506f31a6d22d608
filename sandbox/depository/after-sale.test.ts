import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { EdisHoldings, StockVerifications } from '#contract/depository'
import { type Books } from '#sandbox/db/open'
import { latestCode, postJson, readRefusal, readReply } from '#sandbox/testing/changes'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

let books: Books
let sandbox: ReturnType<typeof createTestSandbox>
let ask: Awaited<ReturnType<typeof sandbox.signIn>>
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())
beforeEach(async () => {
	await books.db.execute('DELETE FROM edis_authorisations')
	await books.db.execute('DELETE FROM otp_requests')
	sandbox = createTestSandbox(books)
	ask = await sandbox.signIn('DEMO01')
})

const VERIFY = '/edis/edis/v1/edis-stock-verify?source=connect'
const OTP = '/edis/edis/v1/edis-verify-otp?source=connect'

const readData = async (path: string) => (await readReply(await ask(path))).data
const holdings = async () => EdisHoldings.parse(await readData('/edis/edis/v1/edis-holding-data?source=connect'))
const verifications = async () => StockVerifications.parse(await readData('/v1/ours/stock-verifications'))
const pre = (...data: object[]) => ({ client_code: 'DEMO01', eDis_type: '2', trade_type: 'PRE', post_trade_date: '', data })

// DEMO01 has sold 15 of its 40 Titan on Friday 20 November 2026; their pay-in is on Monday.
describe('a verification after a trade', () => {
	test('covers the units sold that day, and no more', async () => {
		const post = (isin: string, qty: number, post_trade_date: string) => {
			const line = { isin, qty, stock_name: 'Titan Company Ltd.', poa_qty: 0, free_qty: qty }
			return postJson(ask, VERIFY, { ...pre(line), trade_type: 'POST', post_trade_date })
		}
		// The test's day is a Saturday.
		expect((await verifications()).trade_days).toEqual(['2026-11-20'])
		const titan = (await holdings()).find(({ stock_name }) => stock_name.startsWith('Titan'))
		expect(titan).toMatchObject({ qty: 40, free_qty: 25, verified_qty: 0, sold: [{ trade_date: '2026-11-20', qty: 15 }] })
		const isin = titan?.isin ?? ''
		for (const day of ['', '19-11-2026', '21-11-2026', '31-02-2026', '2026-11-20']) expect((await post(isin, 1, day)).status).toBe(422)
		const above = await readRefusal(await post(isin, 16, '20-11-2026'))
		expect([above.status, above.message]).toEqual([
			422,
			'Quantity is above what you sold on 20/11/2026 and have not verified: 15 of Titan Company Ltd.',
		])
		const other = (await holdings()).find(({ free_qty, sold }) => free_qty > 10 && sold?.length === 0)
		expect((await post(other?.isin ?? '', 1, '20-11-2026')).status).toBe(422)
		const { data } = await readReply(await post(isin, 10, '20-11-2026'))
		const { request_id } = data as { request_id: string }
		expect((await readReply(await postJson(ask, OTP, { otp: await latestCode(sandbox, 'DEMO01'), request_id }))).data).toEqual([
			{ isin, qty: 10, status: 'SUCCESS' },
		])
		// Sold units are not free units. The free units can still be verified for another sale.
		expect((await holdings()).find((row) => row.isin === isin)).toMatchObject({
			qty: 40,
			free_qty: 25,
			verified_qty: 0,
			sold: [{ trade_date: '2026-11-20', qty: 5 }],
		})
		expect((await post(isin, 6, '20-11-2026')).status).toBe(422)
	})

	test('has a row for a security that was sold completely, until its pay-in is over', async () => {
		const titan = (await holdings()).find(({ stock_name }) => stock_name.startsWith('Titan'))
		const rest = titan?.free_qty ?? 0
		await books.db.execute(
			sql`UPDATE trades SET quantity = quantity + ${rest} WHERE client = 'DEMO01' AND instrument = ${titan?.isin} AND side = 'S' AND day = '2026-11-20'`,
		)
		await books.db
			.execute(sql`UPDATE disposals SET quantity = quantity + ${rest} WHERE id = (SELECT max(d.id) FROM disposals d JOIN lots l ON l.id = d.lot_id
			WHERE d.client = 'DEMO01' AND l.instrument = ${titan?.isin} AND d.day = '2026-11-20')`)
		const sold = (await holdings()).find(({ isin }) => isin === titan?.isin)
		expect(sold).toMatchObject({ qty: 40, free_qty: 0, sold: [{ trade_date: '2026-11-20', qty: 40 }] })
		// On Monday it can still be verified. Tuesday is a holiday. On Wednesday the shares have left the account.
		const at = async (days: number) => {
			sandbox = createTestSandbox(books)
			sandbox.passTime(days * 86_400_000)
			ask = await sandbox.signIn('DEMO01')
			return (await holdings()).find(({ isin }) => isin === titan?.isin)
		}
		expect((await at(2))?.sold).toEqual([{ trade_date: '2026-11-20', qty: 40 }])
		expect(await at(4)).toBeUndefined()
		await books.db.execute(
			sql`UPDATE trades SET quantity = quantity - ${rest} WHERE client = 'DEMO01' AND instrument = ${titan?.isin} AND side = 'S' AND day = '2026-11-20'`,
		)
		await books.db
			.execute(sql`UPDATE disposals SET quantity = quantity - ${rest} WHERE id = (SELECT max(d.id) FROM disposals d JOIN lots l ON l.id = d.lot_id
			WHERE d.client = 'DEMO01' AND l.instrument = ${titan?.isin} AND d.day = '2026-11-20')`)
	})
})
