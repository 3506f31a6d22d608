import { sql } from 'drizzle-orm'
import { LedgerCocd } from '#contract/common'
import { addDays, type Day } from '#contract/values/dates'
import { findClient, isInBrokersState } from '#sandbox/clients/clients'
import { type Queries } from '#sandbox/db/open'
import { listTradingDays } from '#sandbox/rules/calendar'
import { postMargin } from './entries'
import { expireContracts, markContracts } from './mark-contracts'
import { readBlocked, readMarginNeed } from './read-margin'
import { recordVouchers } from './record'
import { readRows } from './rows'

/** Blocks or releases cash, so that each ledger blocks the margin that its open contracts need at a day's close. */
export async function restateMargin(tx: Queries, client: string, day: Day): Promise<void> {
	for (const cocd of LedgerCocd.options) {
		const { cash } = await readMarginNeed({ db: tx }, client, cocd, day)
		const change = cash - (await readBlocked({ db: tx }, client, cocd, day))
		if (change !== 0) await recordVouchers(tx, day, (journal) => postMargin(journal, { client, cocd, day }, change))
	}
}

/** Most clients have never had a contract. Checking this first saves the work for each of their days. */
async function hasContracts(tx: Queries, client: string): Promise<boolean> {
	const found = await readRows<{ n: number }>(
		{ db: tx },
		sql`SELECT 1 AS n FROM lots WHERE client = ${client} AND segment <> 'NSE_CASH' LIMIT 1`,
	)
	return found.length > 0
}

/**
 * Posts the effect of open contracts (expiry, mark to market, margin) on each trading day after `since`, up to `now`. The seed covers
 * the days before.
 */
export async function settleContractDays(tx: Queries, client: string, since: Day, now: Day): Promise<void> {
	if (!(await hasContracts(tx, client))) return
	const found = await findClient({ db: tx }, client)
	const isIntraState = found !== undefined && isInBrokersState(found)
	for (const day of listTradingDays(addDays(since, 1), now)) {
		await expireContracts(tx, client, isIntraState, day)
		await markContracts(tx, client, day)
		await restateMargin(tx, client, day)
	}
}
