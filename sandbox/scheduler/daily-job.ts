import { eq, sql } from 'drizzle-orm'
import { type Day } from '#contract/values/dates'
import { type Queries } from '#sandbox/db/open'
import { origin, type settledAccounts, type watchedDays } from '#sandbox/db/schema'
import { readStored } from '#sandbox/modifications/stored'
import { type ScheduledJob } from './scheduled-job'

type DailyWork = {
	/** The last day whose work is done, by client. */
	done: typeof settledAccounts | typeof watchedDays
	/** The last day whose work is due. */
	findLast: (now: Date) => Day
	/** Does the work of the days after `since`, up to `last`. */
	work: (tx: Queries, client: string, since: Day, last: Day) => Promise<void>
}

/** A job that does the work of each day once, also with simultaneous calls. The seed has done the work up to the day of the books. */
export function defineDailyJob({ done, findLast, work }: DailyWork): ScheduledJob {
	return {
		isDue(client, now) {
			const last = findLast(now)
			return sql`NOT EXISTS (SELECT FROM ${done} WHERE client = ${client} AND day >= ${last})
			AND EXISTS (SELECT FROM ${origin} WHERE day < ${last})`
		},
		async work({ books }, client, now) {
			const last = findLast(now)
			await books.db.transaction(async (tx) => {
				await readStored(tx, client, true)
				const [before] = await tx.select({ day: done.day }).from(done).where(eq(done.client, client))
				const [made] = await tx.select({ day: origin.day }).from(origin)
				const since = before?.day ?? made?.day
				if (since === undefined || since >= last) return
				await work(tx, client, since, last)
				const noted = { client, day: last }
				await tx.insert(done).values(noted).onConflictDoUpdate({ target: done.client, set: noted })
			})
		},
	}
}
