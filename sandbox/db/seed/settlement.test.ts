import { sql } from 'drizzle-orm'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type LedgerCocd } from '#contract/common'
import { readFreeBalance } from '#sandbox/book/read-deductions'
import { readBlocked, readMarginNeed } from '#sandbox/book/read-margin'
import { readRows } from '#sandbox/book/rows'
import { type Books } from '#sandbox/db/open'
import { isAccountDay } from '#sandbox/rules/payout-account'
import { openTestBooks } from '#sandbox/testing/sandbox'

let books: Books
beforeAll(async () => {
	books = await openTestBooks()
})
afterAll(() => books.close())

type Settled = { client: string; cocd: LedgerCocd; day: string; amount: number; last_trade: string | null }
const listSettled = () =>
	readRows<Settled>(
		books,
		sql`SELECT p.client, p.cocd, p.day::text AS day, (-p.amount)::float8 AS amount,
			(SELECT max(t.day)::text FROM trades t WHERE t.client = p.client AND t.day <= p.day) AS last_trade
		FROM postings p JOIN vouchers v ON v.id = p.voucher_id
		WHERE p.account = 'CLIENT' AND v.narration ~ '^PAY-OUT (QUARTERLY|MONTHLY) ' ORDER BY 1, 2, 3`,
	)

/** DEMO01's equity ledger at the end of a day, in paise: all postings, credits that settle later, and margin blocked. */
async function equityOn(day: string) {
	const [row] = await readRows<{ ledger: number; unsettled: number; blocked: number }>(
		books,
		sql`SELECT coalesce(sum(p.amount) FILTER (WHERE p.account = 'CLIENT' AND NOT p.is_margin), 0)::float8 AS ledger,
			coalesce(sum(p.amount) FILTER (WHERE p.account = 'CLIENT' AND NOT p.is_margin AND p.amount > 0 AND v.settles_on > ${day}), 0)::float8 AS unsettled,
			coalesce(sum(p.amount) FILTER (WHERE p.account = 'MARGIN'), 0)::float8 AS blocked
		FROM postings p JOIN vouchers v ON v.id = p.voucher_id WHERE p.client = 'DEMO01' AND p.cocd = 'NSE_CASH' AND p.day <= ${day}`,
	)
	return row
}

const paidOn = async (day: string) =>
	(await listSettled()).find((row) => row.client === 'DEMO01' && row.cocd === 'NSE_CASH' && row.day === day)?.amount

// Friday 3 July 2026, a day of settlement (NSE INSP72413). One future is open: USDINR of July, 1,000 dollars at 94.14 = 94,140.00. Its
// margin is 4 % (decision 014), 3,765.60. 225 % of that, 8,472.60, stays. Nothing is pledged or lent, and a credit of 210.00 has not
// settled.
test('a settlement keeps obligations and 225 % of the margin, to the paisa', async () => {
	expect(await equityOn('2026-07-03')).toEqual({ ledger: 8_472_60 + 210_00, unsettled: 210_00, blocked: 3_765_60 })
	// The ledger had 2,65,450.54 before.
	expect(await paidOn('2026-07-03')).toBe(2_65_450_54 - 8_472_60 - 210_00)
})

// Friday 17 April 2026. No contract is open. 1,84,140.00 has been lent for shares since the winter: 17 days of April at 14.99 % a year
// cost 184,140.00 × 0.1499 × 17 / 365 = 1,285.60, not posted yet. Sales of 52,976.17 have not settled.
test('a settlement keeps unposted interest and unsettled sales', async () => {
	expect(await equityOn('2026-04-17')).toEqual({ ledger: 1_285_60 + 52_976_17, unsettled: 52_976_17, blocked: 0 })
	expect(await paidOn('2026-04-17')).toBeGreaterThan(0)
})

test('every settlement of the seed leaves the amount that the rule of the running sandbox leaves', async () => {
	const settled = await listSettled()
	expect(new Set(settled.map(({ client }) => client))).toEqual(new Set(['DEMO01', 'CASH01', 'DORM01', 'DEBT01', 'CLOS01']))
	for (const { client, cocd, day, last_trade } of settled) {
		expect([client, day, isAccountDay(day, last_trade ?? undefined)]).toEqual([client, day, true])
		const { free, funding } = await readFreeBalance({ db: books.db }, client, cocd, day)
		const { margin, collateral } = await readMarginNeed({ db: books.db }, client, cocd, day)
		const blocked = await readBlocked({ db: books.db }, client, cocd, day)
		// The free amount that stays: 225 % of the margin less the pledged securities and less the part already blocked, and 125 % of the
		// cash for loans, which is blocked.
		const pledged = collateral.securities + collateral.cashEquivalents
		const kept = Math.max(0, Math.max(0, Math.round((margin * 225) / 100) - pledged) - blocked) + Math.round((funding * 125) / 100)
		expect([client, cocd, day, free]).toEqual([client, cocd, day, kept])
	}
	// One or two ledgers a quarter in four and a half years, and monthly for clients who did not trade.
	expect(settled.length).toBeGreaterThan(60)
	expect(settled.some(({ amount }) => amount % 100_00 !== 0)).toBe(true)
})
