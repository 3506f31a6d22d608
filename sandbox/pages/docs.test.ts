import { afterAll, beforeAll, expect, it } from 'vitest'
import { z } from 'zod/v4'
import { type Books, openBooks } from '#sandbox/db/open'
import { listOperations } from '#sandbox/operations'
import { createTestSandbox } from '#sandbox/test-sandbox'

let books: Books
beforeAll(async () => {
	books = await openBooks()
})
afterAll(() => books.close())

/** What the sandbox answers so far: one line more with every call that is added. */
const ANSWERED = [
	'downloadLedger POST /v1/reports/ledger',
	'getDashboard POST /v1/user/dashboard',
	'getDashboardDeductedLedger GET /v2/dashboard/deducted-ledger',
	'getDashboardHolding GET /v2/dashboard/holding',
	'getDashboardLedger GET /v2/dashboard/ledger',
	'getLedgerReport GET /v2/service/reports/ledger',
	'getPersonalDetails GET /v2/account-profile/personal-details',
	'getRekycDetails GET /v1/user/rekyc',
	'getUnknownCost GET /v1/ours/unknown-cost',
	'getWithdrawableAmount GET /v2/fund/withdrawable-amount',
	'listDeductions GET /v1/ours/deductions',
	'listQuickLinks GET /v1/quick-links',
	'login POST /v2/user/login',
	'logout GET /v2/user/logout',
	'verifyUser GET /v2/user/verify-user',
]

const Description = z.object({
	openapi: z.literal('3.1.0'),
	paths: z.record(z.string(), z.record(z.string(), z.object({ operationId: z.string(), responses: z.record(z.string(), z.unknown()) }))),
})

it('describes every call that is answered, and answers every call that is described', async () => {
	const { app } = createTestSandbox(books)
	const { paths } = Description.parse(await (await app.request('/docs/openapi.json')).json())
	const described = Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, { operationId }]) => `${operationId} ${method.toUpperCase()} ${path}`),
	)
	expect(described.sort()).toEqual(ANSWERED)
	const answered = listOperations(app).map(({ id, method, path }) => `${id} ${method} ${path}`)
	expect(answered.sort()).toEqual(ANSWERED)
	const page = await (await app.request('/docs')).text()
	for (const { id } of listOperations(app)) expect(page).toContain(id)
})

it('writes amounts as numbers and refuses unknown callers on every call but the login', async () => {
	const { app } = createTestSandbox(books)
	expect(await (await app.request('/docs/openapi.json')).text()).toMatch(/"DUE_AMT":\{"type":"number"/)
	for (const { id, method, path } of listOperations(app)) {
		const { status } = await app.request(path, { method })
		expect([id, status]).toEqual([id, id === 'login' ? 422 : 401])
	}
})
