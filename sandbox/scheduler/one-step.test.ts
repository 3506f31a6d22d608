import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { Attention } from '#contract/attention'
import { addDays, daysBetween } from '#contract/values/dates'
import { readRows } from '#sandbox/book/rows'
import { type Books } from '#sandbox/db/open'
import { prices } from '#sandbox/db/schema'
import { createReader } from '#sandbox/testing/reader'
import { createTestSandbox, openTestBooks } from '#sandbox/testing/sandbox'

const [MOVED_ON, MOVED_TO] = ['2026-11-27', '2027-02-02']
const DAY_MS = 86_400_000

let walked: Books
let leapt: Books
beforeAll(async () => {
	walked = await openFallenBooks()
	leapt = await openFallenBooks()
})
afterAll(() => Promise.all([walked.close(), leapt.close()]))

/**
 * Books in which the funded shares fall on 25 November 2026, 400 BEL to ₹ 380 and 500 POWERGRID to ₹ 320, and BEL on 4 January 2027 to
 * ₹ 270. Other later days have no price.
 */
async function openFallenBooks(): Promise<Books> {
	const books = await openTestBooks()
	await books.db.insert(prices).values([
		{ instrument: 'INE263A01024', day: '2026-11-25', close: 380 * 10_000 },
		{ instrument: 'INE752E01010', day: '2026-11-25', close: 320 * 10_000 },
		{ instrument: 'INE263A01024', day: '2027-01-04', close: 270 * 10_000 },
	])
	return books
}

/** The client's ledger since the books were made, without numbers that follow the order of posting. */
const readLedger = async (books: Books) =>
	await readRows<{ day: string; narration: string; paise: number }>(
		books,
		sql`SELECT v.day::text AS day, regexp_replace(v.narration, ' [A-Z]+[0-9]{6,}', '') AS narration, p.amount::float8 AS paise
		FROM postings p JOIN vouchers v ON v.id = p.voucher_id
		WHERE p.account = 'CLIENT' AND p.client = 'DEMO01' AND v.day > '2026-11-21' ORDER BY 1, 2, 3`,
	)

test('a clock moved in one step gives the same book as one moved day by day, and shares are sold on the announced day', async () => {
	const slow = createTestSandbox(walked, { SANDBOX_TODAY: `${MOVED_ON}T11:00` })
	const fast = createTestSandbox(leapt, { SANDBOX_TODAY: `${MOVED_ON}T11:00` })
	const readShort = async (sandbox: typeof slow) =>
		(await createReader('DEMO01', await sandbox.signIn('DEMO01'))('/v1/ours/attention', Attention)).find(
			({ kind }) => kind === 'MTF_SHORTFALL',
		)
	const told: [string, string | undefined][] = []
	for (let day = MOVED_ON; day < MOVED_TO; day = addDays(day, 1)) {
		told.push([day, (await readShort(slow))?.words])
		slow.passTime(DAY_MS)
	}
	// Lent: three quarters of 400 BEL at 448.80, 1,34,640.00, and of 500 POWERGRID at 328.40, 1,23,150.00; the 120 NTPC are sold before.
	// Missing on Friday 1 January: 38,000.00 - (1,52,000.00 - 1,34,640.00) = 20,640.00 and 40,000.00 - (1,60,000.00 - 1,23,150.00) =
	// 3,150.00. The payout of that day leaves 225 % of 23,790.00, 53,527.50, so the interest of the next days is no shortfall. On Monday the
	// 4th BEL is short by 27,000.00 - (1,08,000.00 - 1,34,640.00) = 53,640.00. Five trading days later: 5, 6, 7, 8, and Monday 11 January.
	const days = ['04', '05', '06', '07', '08', '09', '10'].map((day) => [`2027-01-${day}`, '11/01/2027'])
	expect(told.filter(([day, words]) => words && day < '2027-01-11').map(([day, words]) => [day, words?.slice(-11, -1)])).toEqual(days)
	await readShort(slow)
	await readShort(fast)
	fast.passTime(daysBetween(MOVED_ON, MOVED_TO) * DAY_MS)
	await readShort(fast)
	const ledger = await readLedger(walked)
	expect(ledger.filter(({ narration }) => narration === 'MTF REPAYMENT BEL')).toEqual([
		{ day: '2027-01-11', narration: 'MTF REPAYMENT BEL', paise: -1_34_640_00 },
	])
	expect(await readLedger(leapt)).toEqual(ledger)
})
