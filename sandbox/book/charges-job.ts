import { eq, sql } from 'drizzle-orm'
import { addDays, type Day, toIndianDay } from '#contract/values/dates'
import { findFinancialYear } from '#contract/values/financial-year'
import { findClient, isWoman } from '#sandbox/clients/clients'
import { type Books, type Queries } from '#sandbox/db/open'
import { chargedDays, origin } from '#sandbox/db/schema'
import { readStored } from '#sandbox/modifications/stored'
import { lastDayOfMonth, lastTradingDay } from '#sandbox/rules/calendar'
import { findMaintenanceDay } from '#sandbox/rules/fees'
import { type ScheduledJob } from '#sandbox/scheduler/scheduled-job'
import { settleContractDays } from './contract-days'
import { postDelayedPaymentInterest, postDpCharge, postMaintenanceCharge } from './entries'
import { settleHouse } from './house-settlement'
import { readDelayedPayment } from './read-dues'
import { recordVouchers } from './record'
import { readRows } from './rows'

/**
 * Posts charges that become due as time passes. Margin-funding interest must be posted before, because delayed payment interest is
 * charged on it too.
 */
export const chargesJob: ScheduledJob = {
	isDue: (client, now) => sql`NOT EXISTS (SELECT FROM ${chargedDays} WHERE client = ${client} AND day >= ${toIndianDay(now)})`,
	work: ({ books }, client, now) => postDueCharges(books, client, toIndianDay(now)),
}

/**
 * Posts what has become due since the books were made or last checked: depository charges on the settlement day, the effect of open
 * contracts on each trading day, the yearly maintenance charge, delayed payment interest at a month's end, and the house's settlements
 * with its bank. It locks the client and stores the day in the same transaction, so simultaneous calls post everything only once.
 */
export async function postDueCharges(books: Books, client: string, now: Day): Promise<void> {
	await books.db.transaction(async (tx) => {
		await readStored(tx, client, true)
		const since = await readChargedDay(tx, client)
		if (since === undefined || since >= now) return
		await postDpCharges(tx, client, since, now)
		await settleContractDays(tx, client, since, now)
		await postMaintenance(tx, client, since, now)
		await postDelayedPayment(tx, client, since, now)
		await settleHouse(tx, client, since, now)
		const noted = { client, day: now }
		await tx.insert(chargedDays).values(noted).onConflictDoUpdate({ target: chargedDays.client, set: noted })
	})
}

/**
 * The day up to which everything is posted. The seed covers only trading days, so it does not close a month that ends after the last of
 * them.
 */
async function readChargedDay(tx: Queries, client: string): Promise<Day | undefined> {
	const [noted] = await tx.select().from(chargedDays).where(eq(chargedDays.client, client))
	if (noted !== undefined) return noted.day
	const [made] = await tx.select({ day: origin.day }).from(origin)
	return made && lastTradingDay(made.day)
}

/** Posts one charge for each security sold from demat and trade day, when the sale settles. */
async function postDpCharges(tx: Queries, client: string, since: Day, now: Day): Promise<void> {
	const sold = await readRows<{ day: Day; symbol: string }>(
		{ db: tx },
		sql`SELECT n.settles_on::text AS day, i.symbol FROM notes n JOIN trades t USING (bill_no) JOIN instruments i ON i.id = t.instrument
		WHERE n.client = ${client} AND n.segment = 'NSE_CASH' AND n.settles_on > ${since} AND n.settles_on <= ${now}
			AND t.side = 'S' AND t.quantity > t.intraday_quantity
		GROUP BY n.settles_on, n.day, t.instrument, i.symbol ORDER BY n.settles_on, n.day, i.symbol`,
	)
	if (sold.length === 0) return
	const found = await findClient({ db: tx }, client)
	const isFirstHolderWoman = found !== undefined && isWoman(found)
	for (const { day, symbol } of sold) {
		await recordVouchers(tx, day, (journal) => postDpCharge(journal, { client, cocd: 'NSE_CASH', day }, symbol, isFirstHolderWoman))
	}
}

async function postMaintenance(tx: Queries, client: string, since: Day, now: Day): Promise<void> {
	for (let year = findFinancialYear(since); year <= findFinancialYear(now); year++) {
		const day = findMaintenanceDay(String(year))
		if (since < day && day <= now) {
			await recordVouchers(tx, day, (journal) => postMaintenanceCharge(journal, { client, cocd: 'NSE_CASH', day }))
		}
	}
}

/** Goes month by month, because a month's interest is part of the debt in the next. */
async function postDelayedPayment(tx: Queries, client: string, since: Day, now: Day): Promise<void> {
	for (let end = lastDayOfMonth(since.slice(0, 7)); end < now; end = lastDayOfMonth(addDays(end, 1).slice(0, 7))) {
		for (const { cocd, late } of await readDelayedPayment({ db: tx }, client, `${end.slice(0, 7)}-01`, end)) {
			await recordVouchers(tx, end, (journal) => postDelayedPaymentInterest(journal, { client, cocd, day: end }, late, end))
		}
	}
}
