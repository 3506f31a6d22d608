import { afterAll, beforeAll, expect, test } from 'vitest'
import { z } from 'zod/v4'
import { OPTIONAL_OPERATIONS, REQUIRED_OPERATIONS } from '#contract/operations'
import { listOperations } from '#sandbox/api/describe-operation'
import { type Books, openBooks } from '#sandbox/db/open'
import { createTestSandbox } from '#sandbox/testing/sandbox'

let books: Books
beforeAll(async () => {
	books = await openBooks()
})
afterAll(() => books.close())

const write = ({ id, method, path }: { id: string; method: string; path: string }) => `${id} ${method.toUpperCase()} ${path}`
const LISTED = [...REQUIRED_OPERATIONS, ...OPTIONAL_OPERATIONS].map(write).sort()

const Description = z.object({
	openapi: z.literal('3.1.0'),
	paths: z.record(
		z.string(),
		z.record(
			z.string(),
			z.object({
				operationId: z.string(),
				tags: z.array(z.string()),
				description: z.string().optional(),
				responses: z.record(z.string(), z.unknown()),
			}),
		),
	),
})

test('describes every call that exists, and every described call exists', async () => {
	const { app } = createTestSandbox(books)
	const { paths } = Description.parse(await (await app.request('/docs/openapi.json')).json())
	const described = Object.entries(paths).flatMap(([path, methods]) =>
		Object.entries(methods).map(([method, { operationId }]) => write({ id: operationId, method, path })),
	)
	expect(described.sort()).toEqual(LISTED)
	expect(listOperations(app).map(write).sort()).toEqual(LISTED)
	const page = await (await app.request('/docs')).text()
	for (const { id } of listOperations(app)) expect(page).toContain(id)
})

test('says which operations a broker must have, and what clients gain from each of the others', async () => {
	// 63 have a path in the specification. Of the others, 7 are named there without a path, and 33 are the portal's additions.
	expect([REQUIRED_OPERATIONS.length, OPTIONAL_OPERATIONS.length]).toEqual([63, 40])
	expect(OPTIONAL_OPERATIONS.filter(({ path }) => path.startsWith('/v1/ours/'))).toHaveLength(33)
	expect(REQUIRED_OPERATIONS.filter(({ path }) => path.startsWith('/v1/ours/'))).toEqual([])
	const { app } = createTestSandbox(books)
	const { paths } = Description.parse(await (await app.request('/docs/openapi.json')).json())
	const described = Object.values(paths).flatMap((methods) => Object.values(methods))
	expect(described.filter(({ tags }) => tags.includes('Required'))).toHaveLength(63)
	const optional = described.filter(({ tags }) => tags.includes('Optional'))
	expect(optional).toHaveLength(40)
	const page = await (await app.request('/docs')).text()
	expect(page).toContain('Required (63)')
	expect(page).toContain('Optional (40)')
	for (const { adds } of OPTIONAL_OPERATIONS) {
		expect(optional.some(({ description }) => description === `What clients gain: ${adds}.`)).toBe(true)
		expect(page).toContain(adds)
	}
})

test('says which header has the token of each call, which files a form needs, and what stands beside `data`', async () => {
	const { app } = createTestSandbox(books)
	const whole = (await (await app.request('/docs/openapi.json')).json()) as {
		components: { securitySchemes: Record<string, { name: string }> }
		paths: Record<
			string,
			Record<string, { operationId: string; security: Record<string, unknown>[]; requestBody?: unknown; responses: unknown }>
		>
	}
	const found = new Map(
		Object.values(whole.paths).flatMap((methods) => Object.values(methods).map((operation) => [operation.operationId, operation] as const)),
	)
	const readHeader = (id: string) =>
		found.get(id)?.security.flatMap((each) => Object.keys(each).map((name) => whole.components.securitySchemes[name]?.name))
	expect(
		['getLedgerReport', 'createPayinRequest', 'getDdpiDetails', 'submitIpoBid', 'resetPassword', 'login'].map((id) => readHeader(id)),
	).toEqual([['auth-token'], ['auth-token'], ['authToken'], ['authToken'], ['pwd-reset-token'], []])
	expect(found.get('esignClosureWithTransfer')?.requestBody).toMatchObject({
		content: {
			'multipart/form-data': { schema: { required: expect.arrayContaining(['client_master', 'signature', 'reason']) as unknown } },
		},
	})
	expect(found.get('getPnlSegmentReport')?.responses).toMatchObject({
		200: { content: { 'application/json': { schema: { properties: { data: {}, zip_time: {}, is_genearte: {} } } } } },
	})
})

/** Calls that need no session. Setting the new password is not one of them: it needs the key of a correct code. */
const OPEN = new Set(['login', 'validateReportLink', 'requestPasswordReset', 'resendPasswordResetOtp', 'verifyPasswordResetOtp'])

test('writes amounts as numbers, and refuses a caller without a session in every call that needs one', async () => {
	const { app } = createTestSandbox(books)
	expect(await (await app.request('/docs/openapi.json')).text()).toMatch(/"DUE_AMT":\{"type":"number"/)
	for (const { id, method, path } of listOperations(app)) {
		const { status } = await app.request(path, { method })
		expect([id, status]).toEqual([id, OPEN.has(id) ? 422 : 401])
	}
})
