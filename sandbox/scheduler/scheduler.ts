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

/** What time does to a client's account by itself. */
export type ScheduledJob = {
	/** A condition on the stored books: true when there is something to do now. It is asked before every call, so it must be cheap. */
	isDue: (client: string, now: Date) => SQL
	/** It becomes due by the clock alone and on full minutes: then it is enough to ask once a minute. */
	isOnFullMinutes?: true
	/**
	 * Does all that is due. It may be called by several calls at once, also of another process on the same books, so it claims or locks what
	 * it does and looks again under the lock.
	 */
	work: (parts: SandboxParts, client: string, now: Date) => Promise<void>
}

/** In the order in which they are done: what was sold in a month repays a loan and settles, what a month has cost is owed before a pay-out of today is paid, and is itself owed late. */
const jobs: readonly ScheduledJob[] = [salesJob, interestJob, chargesJob, fundsJob, accountJob, issuesJob]

/**
 * Before a client's call is answered, whatever has come due by the sandbox's clock is done, so that every figure knows it. The books say what
 * is due, in one question a call: what is remembered here is only which minute was looked at, which another process cannot make untrue.
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
