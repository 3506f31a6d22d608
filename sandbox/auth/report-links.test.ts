import { afterAll, beforeAll, expect, test } from 'vitest'
import { type Books } from '#sandbox/db/open'
import { readReply } from '#sandbox/testing/changes'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())

const json = { 'content-type': 'application/json' }

/** Opens a link made by another product, and returns a function that calls with its token. */
async function openLink(client: string) {
	const { app } = createTestSandbox(books)
	const body = JSON.stringify({ client, portal: 'https://portal.test' })
	const { url } = (await readReply(await app.request('/control/report-links', { method: 'POST', body, headers: json }))).data as {
		url: string
	}
	const { data } = await readReply(await app.request(`/v2/web/validate-report-link${new URL(url).search}&source=connect`))
	const headers = { ...json, 'auth-token': (data as { authToken: string }).authToken, 'client-code': client }
	return (path: string, body?: object) => app.request(path, { headers, ...(body && { method: 'POST', body: JSON.stringify(body) }) })
}

test('allows the calls of the profit and loss page', async () => {
	const ask = await openLink('DEMO01')
	const mine = { client_code: 'DEMO01', year: '2025' }
	const answers = await Promise.all([
		ask('/v2/account-profile/personal-details?source=connect'),
		ask('/v1/reports/pnl-segment?source=connect', mine),
		ask('/v1/user/report/pnl?source=connect', { ...mine, type: 'NSE_CASH' }),
		ask('/v1/reports/pnl?source=connect', { ...mine, type: 'NSE_CASH', download_type: 'xls' }),
		ask('/v2/service/reports/pnl-summary?source=connect', { ...mine, process_type: 'new' }),
		ask('/v1/ours/scrip-charges?year=2025&source=connect'),
		ask('/v1/ours/pnl-tie?year=2025&source=connect'),
		ask('/v1/ours/stock-moves?year=2025&source=connect'),
	])
	expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 202, 200, 200, 200])
})

test('allows nothing else: no money moves, nothing changes and no other report is read', async () => {
	const ask = await openLink('DEMO01')
	const payout = { client_code: 'DEMO01', checkbox_payout: ['NSE_CASH'], ledger_balance: 100, bank_acno: '50100042104821' }
	for (const answer of [
		ask('/v1/account_profile/fund_payout', payout),
		ask('/v2/service/reports/ledger?dataYear=2026'),
		ask('/v2/account-profile/bank-details'),
		ask('/v1/quick-links'),
		ask('/v1/no-such-call'),
	]) {
		const { status, message } = await readReply(await answer)
		expect([status, message]).toEqual([403, 'This link opens its report only'])
	}
})
