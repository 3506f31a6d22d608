import { eq } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { createClock } from '#sandbox/clock'
import { type Books } from '#sandbox/db/open'
import { ipoIssues } from '#sandbox/db/schema'
import { toMoment } from '#sandbox/rules/ipo'
import { createTestSandbox, openTestBooks, TEST_DAY } from '#sandbox/testing/sandbox'

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())

test('is made anew when a listing gives shares a price, within the same day', async () => {
	const [issue] = await books.db.select().from(ipoIssues).where(eq(ipoIssues.symbol, 'ARAVLIFIN'))
	const day = issue?.listing_date ?? ''
	const { signIn, passTime } = createTestSandbox(books)
	passTime(toMoment(day, '09:30').getTime() - createClock(TEST_DAY).now().getTime())
	const ask = await signIn('DEMO01')
	const read = async (headers = {}) => {
		const answer = await ask('/v2/service/reports/holding?dataYear=2026&source=connect', { headers })
		const { data } = (await answer.json()) as { data: { ISIN: string; VALUE: number }[] }
		return data.find(({ ISIN }) => ISIN === issue?.isin)
	}
	const before = await read()
	expect(before).toBeDefined()
	passTime(3 * 3_600_000)
	const after = await read()
	expect(after?.VALUE).not.toBe(before?.VALUE)
	expect(after).toEqual(await read({ 'hard-refresh': 'true' }))
})
