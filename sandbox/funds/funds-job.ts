import { sql } from 'drizzle-orm'
import { toIndianDay } from '#contract/values/dates'
import { mandates, payins, payouts } from '#sandbox/db/schema'
import { readStored } from '#sandbox/modifications/stored'
import { lastTradingDay } from '#sandbox/rules/calendar'
import { type ScheduledJob } from '#sandbox/scheduler/scheduled-job'
import { MANDATE_LIFE_MS, settleMandates } from './mandates'
import { PAYIN_LIFE_MS, settlePayins } from './payins'
import { settlePayouts } from './payouts'

const before = (now: Date, ms: number) => new Date(now.getTime() - ms).toISOString()

/**
 * Events of a client's pay-ins, payouts and mandates that happen as time passes: banks report results, batches are paid, pages expire.
 */
export const fundsJob: ScheduledJob = {
	isDue(client, now) {
		// A bank registers a mandate by the next working day.
		const bankDay = `${lastTradingDay(toIndianDay(now))}T00:00:00+05:30`
		return sql`(
			EXISTS (SELECT FROM ${payins} WHERE client = ${client} AND status = 'PENDING'
				AND coalesce(waits_since, asked_at) <= ${before(now, PAYIN_LIFE_MS)}::timestamptz)
			OR EXISTS (SELECT FROM ${payouts} WHERE client = ${client} AND status = 'PENDING' AND credited_by <= ${now.toISOString()}::timestamptz)
			OR EXISTS (SELECT FROM ${mandates} WHERE client = ${client}
				AND (status = 'AT_BANK' AND coalesce(waits_since, asked_at) < ${bankDay}::timestamptz
					OR status = 'STARTED' AND asked_at <= ${before(now, MANDATE_LIFE_MS)}::timestamptz))
		)`
	},
	async work({ books }, client, now) {
		await books.db.transaction(async (tx) => {
			// These run one after the other, and never at the same time as a request of the same client.
			await readStored(tx, client, true)
			await settlePayins(tx, client, now)
			await settlePayouts(tx, client, now)
			await settleMandates(tx, client, now)
		})
	},
}
