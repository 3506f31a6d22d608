import { sql } from 'drizzle-orm'
import { addDays, type Day } from '~/lib/days'
import { type Paise } from '~/lib/money'
import { type Books } from '#sandbox/db/open'
import { DELAYED_PAYMENT_PERCENT, findDailyInterest, findDpCharge } from '#sandbox/rules/fees'
import { sumInterest } from '#sandbox/rules/mtf'
import { readFundings } from './read-mtf'
import { readRows } from './rows'

type Change = { account: string; day: Day; amount: number }

/**
 * Interest of the running month up to a day, which is posted at the month's end only: on what is owed in each ledger and on what
 * was lent for margin-funded shares. Positive: the client will owe it.
 */
export async function readAccruedInterest(books: Books, client: string, to: Day): Promise<Paise> {
	const start = `${to.slice(0, 7)}-01`
	const changes = await readRows<Change>(
		books,
		sql`SELECT account, day::text AS day, sum(amount)::float8 AS amount FROM (
			SELECT cocd AS account, greatest(day, ${start}::date - 1) AS day, -amount AS amount FROM postings
			WHERE account = 'CLIENT' AND client = ${client} AND NOT is_margin AND day <= ${to}
		) owed GROUP BY 1, 2 ORDER BY 1, 2`,
	)
	let interest = sumInterest(await readFundings(books, client, to), start, to)
	for (const account of new Set(changes.map((change) => change.account))) {
		const own = changes.filter((change) => change.account === account)
		const accrued = sumDays(own, start, to, DELAYED_PAYMENT_PERCENT)
		// Less than a rupee on a ledger is never posted.
		if (accrued >= 1_00) interest += accrued
	}
	return interest
}

function sumDays(changes: readonly Change[], start: Day, to: Day, percent: string): Paise {
	const byDay = new Map(changes.map(({ day, amount }) => [day, amount]))
	let owed = byDay.get(addDays(start, -1)) ?? 0
	let interest = 0
	for (let day = start; day <= to; day = addDays(day, 1)) {
		owed += byDay.get(day) ?? 0
		interest += findDailyInterest(owed, percent)
	}
	return interest
}

/** The depository's charges for shares sold and not delivered yet: they are posted on the day of settlement. Positive: the client will owe it. */
export async function readUnbilledDpCharges(books: Books, client: string, isWoman: boolean, day: Day): Promise<Paise> {
	const [sold] = await readRows<{ count: number }>(
		books,
		sql`SELECT count(DISTINCT (n.day, t.instrument))::float8 AS count FROM notes n JOIN trades t USING (bill_no)
		WHERE n.client = ${client} AND n.segment = 'NSE_CASH' AND n.day BETWEEN ${day}::date - 14 AND ${day} AND n.settles_on > ${day}
			AND t.side = 'S' AND t.quantity > t.intraday_quantity`,
	)
	return (sold?.count ?? 0) * findDpCharge(isWoman).total
}

/** Contract notes that have not settled by the end of a day, and what they come to. */
export async function readUnsettledNotes(books: Books, client: string, day: Day): Promise<{ count: number; net: Paise }> {
	const [notes] = await readRows<{ count: number; net: number }>(
		books,
		sql`SELECT count(*)::float8 AS count, coalesce(sum(net), 0)::float8 AS net FROM notes
		WHERE client = ${client} AND day BETWEEN ${day}::date - 14 AND ${day} AND settles_on > ${day}`,
	)
	return notes ?? { count: 0, net: 0 }
}
