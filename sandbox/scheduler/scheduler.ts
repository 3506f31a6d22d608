import { type SQL, sql } from 'drizzle-orm'
import { createMiddleware } from 'hono/factory'
import { chargesJob } from '#sandbox/book/charges-job'
import { readRows } from '#sandbox/book/rows'
import { accountJob } from '#sandbox/funds/account'
import { fundsJob } from '#sandbox/funds/funds-job'
import { issuesJob } from '#sandbox/ipo/issue-lifecycle'
import { interestJob } from '#sandbox/mtf/interest-job'
import { salesJob } from '#sandbox/mtf/sales-job'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'

/** Work on a client's account that becomes due as time passes. */
export type ScheduledJob = {
	/** A condition on the stored books: true when there is work now. It is checked before every call, so it must be cheap. */
	isDue: (client: string, now: Date) => SQL
	/** Set when the work becomes due only on full minutes: then one check a minute is enough. */
	isOnFullMinutes?: true
	/**
	 * Does all the work that is due. Several calls may run it at once, also in another process on the same books, so it claims or locks its
	 * work and checks again under the lock.
	 */
	work: (parts: SandboxParts, client: string, now: Date) => Promise<void>
}

/**
 * The order matters. A sale in a month repays a loan and settles, so it comes before the month's costs. These are owed before today's
 * payout is paid, and can themselves become overdue.
 */
const jobs: readonly ScheduledJob[] = [salesJob, interestJob, chargesJob, fundsJob, accountJob, issuesJob]

/**
 * Before a client's call, does everything that is due by the sandbox's clock, so that every figure includes it. One query per call reads
 * from the books what is due. Only the last checked minute is kept in memory, which stays correct with several processes.
 */
export function runScheduler(parts: SandboxParts) {
	const looked = new Map<string, number>()

	async function doAll(client: string): Promise<void> {
		const now = parts.clock.now()
		const minute = Math.floor(now.getTime() / 60_000)
		const asked = looked.get(client) === minute ? jobs.filter(({ isOnFullMinutes }) => !isOnFullMinutes) : jobs
		const conditions = asked.map(({ isDue }, at) => sql`${isDue(client, now)} AS ${sql.identifier(`work_${at}`)}`)
		const [row] = await readRows<Record<string, boolean>>(parts.books, sql`SELECT ${sql.join(conditions, sql`, `)}`)
		for (const [at, { work }] of asked.entries()) if (row?.[`work_${at}`]) await work(parts, client, now)
		looked.set(client, minute)
	}

	return createMiddleware<SandboxEnv>(async (c, next) => {
		const client = c.get('client') as SandboxEnv['Variables']['client'] | undefined
		if (client !== undefined) await doAll(client.code)
		await next()
	})
}
