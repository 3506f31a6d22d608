import { readdirSync, readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { ErrorEnvelope } from '#contract/common'
import { OPTIONAL_OPERATIONS, REQUIRED_OPERATIONS } from '#contract/operations'
import { createOperationFinder } from '#sandbox/api/describe-operation'
import { type Books, openBooks } from '#sandbox/db/open'
import { strictly } from '#sandbox/testing/reader'
import { createTestSandbox } from '#sandbox/testing/sandbox'
import { EXAMPLE_DAY, recordExamples } from '#scripts/broker-examples/record'
import { type Example } from '#scripts/broker-examples/shorten'

/* The recorded examples in docs/broker-examples match the contract. `npm run broker:examples` writes them again. */

const FOLDER = 'docs/broker-examples'
const operations = [...REQUIRED_OPERATIONS, ...OPTIONAL_OPERATIONS]
let books: Books
let findOperation: ReturnType<typeof createOperationFinder>
beforeAll(async () => {
	books = await openBooks()
	findOperation = createOperationFinder(createTestSandbox(books).app)
})
afterAll(() => books.close())

const read = (id: string) => JSON.parse(readFileSync(`${FOLDER}/${id}.json`, 'utf8')) as Example[]

test('every operation has a successful example, and nothing else has one', () => {
	const ids = operations.map(({ id }) => id).sort()
	expect(
		readdirSync(FOLDER)
			.filter((file) => file.endsWith('.json'))
			.sort(),
	).toEqual(ids.map((id) => `${id}.json`).sort())
	expect(ids.filter((id) => !read(id).some(({ reply }) => reply.status === 200))).toEqual([])
})

/** What does not match in an example; empty when everything does. */
function findMisfits(id: string, { request, reply }: Example): unknown[] {
	const operation = findOperation(request.method, request.path)
	if (operation?.id !== id) return [`${request.method} ${request.path} is ${operation?.id}`]
	const sent = [
		operation.query && operation.query.safeParse(request.query ?? {}),
		operation.body?.safeParse(request.body ?? request.form ?? {}),
	]
	const wrong = sent.flatMap((parsed) => parsed?.error?.issues ?? [])
	const { data, status } = (reply.body ?? {}) as { data?: unknown; status?: string }
	if (reply.status >= 300) return [...wrong, ...(ErrorEnvelope.safeParse(reply.body).error?.issues ?? [])]
	if (reply.file !== undefined) return [...wrong, ...(operation.files?.includes(reply.type) ? [] : [`a file of type ${reply.type}`])]
	const fits = operation.data ? strictly(operation.data).safeParse(data) : undefined
	return [...wrong, ...(status === 'success' ? [] : [`status ${status}`]), ...(fits?.error?.issues ?? [])]
}

test.for(operations.map(({ id }) => id))('the examples of %s match the contract', (id) => {
	for (const example of read(id)) expect(findMisfits(id, example), JSON.stringify(example).slice(0, 600)).toEqual([])
})

test('finds an example that does not match', () => {
	const [example] = read('getLedgerReport') as [Example]
	const body = structuredClone(example.reply.body) as { data: { filtered_df: Record<string, unknown>[] } }
	Object.assign(body.data.filtered_df[0] ?? {}, { DR_AMT: 'twelve' })
	expect(findMisfits('getLedgerReport', { ...example, reply: { ...example.reply, body } })).toHaveLength(1)
	expect(findMisfits('getHoldingReport', example)).toHaveLength(1)
})

test('the examples are what the command records now', { timeout: 120_000 }, async () => {
	const recorded = await recordExamples(EXAMPLE_DAY)
	for (const [id, list] of recorded) expect(JSON.parse(JSON.stringify(list)), id).toEqual(read(id))
	expect([...recorded.keys()].sort()).toEqual(operations.map(({ id }) => id).sort())
})
