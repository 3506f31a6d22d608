import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Books } from '#sandbox/db/open'
import { createTestSandbox, IN_SESSION, openTestBooks } from '#sandbox/testing/sandbox'

/*
 * The process ends after a call has done its work and before it responds, so its key has no response. A repeat does not do the work
 * again, and gets the response that the first call would have sent.
 */
let books: Books
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())

const DAY_MS = 86_400_000
const bank = { bank_acno: '50100042104821', ifsc_code: 'HDFC0000060', bank_name: 'HDFC BANK LTD', account_type: 'Savings' }
const person = { client_name: 'AARAV MEHTA', client_email: 'aarav.mehta@example.com', client_mobile_no: '9820012345' }
const payin = {
	account_no: bank.bank_acno,
	bank_name: bank.bank_name,
	bank_ifsc: bank.ifsc_code,
	...person,
	amount: 2500.5,
	segment: 'BSE',
}
const payout = { client_code: 'DEMO01', checkbox_payout: ['NSE_CASH'], ledger_balance: 1000, bank_acno: bank.bank_acno }
const bid = { symbol: 'KONKANLOG', quantity: 100, price: 150, category: 'IND', upi_id: 'somebody@examplebank', amount: 15_000 }

type Case = { table: string; path: string; body: object; repeatedAfterMs: number }

test.each<Case>([
	{
		table: 'payins',
		path: '/atompay/v2/Request?payment_type=upi',
		body: { ...payin, upi_id: 'aarav@examplebank' },
		repeatedAfterMs: 61_000,
	},
	{ table: 'payouts', path: '/v1/account_profile/fund_payout', body: payout, repeatedAfterMs: 61_000 },
	{
		table: 'mandates',
		path: '/v1/account_profile/e_mandate/online',
		body: { amount: '5000.00', bank_details: bank, channel: 'netbanking' },
		repeatedAfterMs: 61_000,
	},
	{ table: 'pledge_requests', path: '/v1/margin_epledge?source=connect', body: {}, repeatedAfterMs: 61_000 },
	// The issue has closed in the meantime.
	{ table: 'ipo_applications', path: '/ipo/v1/bid/bidSubmit?client_code=DEMO01&source=connect', body: bid, repeatedAfterMs: 5 * DAY_MS },
])('does not do it twice: $table', async ({ table, path, body, repeatedAfterMs }) => {
	const sandbox = createTestSandbox(books, IN_SESSION)
	let ask = await sandbox.signIn('DEMO01')
	const given = { ...body, ...(await ownPart(ask, table)) }
	const key = `dead-call-${table.replaceAll('_', '-')}`
	const send = async () => {
		const answer = await ask(path, { method: 'POST', body: JSON.stringify(given), headers: { 'idempotency-key': key } })
		return { status: answer.status, said: (await answer.json()) as unknown }
	}
	const count = async () => {
		const { rows } = await books.db.execute<{ many: number }>(sql`SELECT count(*)::float8 AS many FROM ${sql.identifier(table)}`)
		return rows[0]?.many ?? 0
	}
	const before = await count()
	const first = await send()
	expect([first.status, await count()]).toEqual([200, before + 1])
	await books.db.execute(sql`UPDATE idempotency SET status = NULL, answer = NULL WHERE key = ${key}`)
	sandbox.passTime(repeatedAfterMs)
	ask = await sandbox.signIn('DEMO01')
	expect(await send()).toEqual(first)
	expect(await count()).toBe(before + 1)
})

/** Values that a body can only get from the client's own data. */
async function ownPart(ask: (path: string) => Response | Promise<Response>, table: string): Promise<object> {
	const readData = async (path: string) => ((await (await ask(path)).json()) as { data: unknown }).data
	if (table === 'ipo_applications') {
		const { BOId } = (await readData('/ipo/v1/fetch-client-details?client_code=DEMO01&source=connect')) as { BOId: { id: string }[] }
		return { BOId: BOId[0]?.id }
	}
	if (table !== 'pledge_requests') return {}
	const { filtered_df } = (await readData('/v1/margin_epledge_data')) as { filtered_df: { ISIN: string; FREE_QTY: number }[] }
	const free = filtered_df.find(({ FREE_QTY }) => FREE_QTY > 0)
	return { client_code: 'DEMO01', action: 'pledge', data: [{ isin: free?.ISIN, qty: 1 }], confirmation: true }
}
