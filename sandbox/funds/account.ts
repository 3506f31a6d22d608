import { sql } from 'drizzle-orm'
import { addDays, type Day, toIndianDay } from '#contract/values/dates'
import { postPayOut } from '#sandbox/book/entries'
import { readFreeBalance } from '#sandbox/book/read-deductions'
import { readBlocked, readMarginNeed } from '#sandbox/book/read-margin'
import { recordVouchers } from '#sandbox/book/record'
import { type Readable, readRows } from '#sandbox/book/rows'
import { findClient, listLedgers } from '#sandbox/clients/clients'
import { type Queries } from '#sandbox/db/open'
import { settledAccounts } from '#sandbox/db/schema'
import { findAccountDay, isAccountDay, type LedgerAtRest, nameAccountDay, splitReturned } from '#sandbox/rules/payout-account'
import { defineDailyJob } from '#sandbox/scheduler/daily-job'
import { createUtr } from './references'

/** By this time of day in India the banks have the money. */
const PAID_AT = 'T18:30:00+05:30'
/** Days: the longest time between two settlements, which is a quarter plus the days by which its dates move. */
const LONGEST_DAYS = 120

async function readLastTrade(books: Readable, client: string, day: Day): Promise<Day | undefined> {
	const [row] = await readRows<{ day: Day | null }>(
		books,
		sql`SELECT max(day)::text AS day FROM trades WHERE client = ${client} AND day <= ${day}`,
	)
	return row?.day ?? undefined
}

/** The next settlement day of a client's running account. On a settlement day it is that day until the money is paid. */
export async function readNextAccountDay(books: Readable, client: string, now: Date): Promise<Day> {
	const day = toIndianDay(now)
	const from = now < new Date(`${day}${PAID_AT}`) ? day : addDays(day, 1)
	return findAccountDay(from, await readLastTrade(books, client, day))
}

/** The last day whose settlements are paid by `now`. */
const paidUntil = (now: Date): Day => (now < new Date(`${toIndianDay(now)}${PAID_AT}`) ? addDays(toIndianDay(now), -1) : toIndianDay(now))

/** True when any client can have a settlement after one day and by another, which means that a monthly day is between them. */
function hasAccountDay(after: Day, until: Day): boolean {
	const first = addDays(until, -LONGEST_DAYS) > after ? addDays(until, -LONGEST_DAYS) : after
	return findAccountDay(addDays(first, 1), undefined) <= until
}

/** Pays back unused money on the announced day, only once even with simultaneous calls. */
export const accountJob = defineDailyJob({
	done: settledAccounts,
	findLast: paidUntil,
	async work(tx, client, since, last) {
		if (hasAccountDay(since, last)) await settleDays(tx, client, since, last)
	},
})

async function settleDays(tx: Queries, client: string, since: Day, last: Day): Promise<void> {
	const lastTrade = await readLastTrade({ db: tx }, client, last)
	for (let day = addDays(since, 1); day <= last; day = addDays(day, 1)) {
		const before = lastTrade !== undefined && lastTrade > day ? await readLastTrade({ db: tx }, client, day) : lastTrade
		if (isAccountDay(day, before)) await settleAccount(tx, client, day)
	}
}

/**
 * Pays out the money that each ledger does not need at the end of a day. It keeps back money for a debt in another ledger of the client.
 */
async function settleAccount(tx: Queries, client: string, day: Day): Promise<void> {
	const found = await findClient({ db: tx }, client)
	const ledgers = found ? listLedgers(found.profile) : []
	const atRest: LedgerAtRest[] = []
	for (const cocd of ledgers) {
		const { free, funding } = await readFreeBalance({ db: tx }, client, cocd, day)
		const { margin, collateral } = await readMarginNeed({ db: tx }, client, cocd, day)
		const blocked = await readBlocked({ db: tx }, client, cocd, day)
		atRest.push({ cocd, free, margin, pledged: collateral.securities + collateral.cashEquivalents, blocked, funding })
	}
	const paidAt = new Date(`${day}${PAID_AT}`)
	for (const { cocd, amount } of splitReturned(atRest)) {
		const place = { client, cocd, day }
		await recordVouchers(tx, day, (journal) => postPayOut(journal, place, amount, nameAccountDay(day), createUtr('BANK', paidAt)))
	}
}
