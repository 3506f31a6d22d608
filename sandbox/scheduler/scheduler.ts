import { sql } from 'drizzle-orm'
import { createMiddleware } from 'hono/factory'
import { addDays, type Day, toIndianDay } from '#contract/values/dates'
import { chargesJob } from '#sandbox/book/charges-job'
import { readRows } from '#sandbox/book/rows'
import { accountJob } from '#sandbox/funds/account'
import { fundsJob } from '#sandbox/funds/funds-job'
import { origin, settledAccounts } from '#sandbox/db/schema'
import { issuesJob } from '#sandbox/ipo/issue-lifecycle'
import { interestJob } from '#sandbox/mtf/interest-job'
import { salesJob } from '#sandbox/mtf/sales-job'
import { listTradingDays } from '#sandbox/rules/calendar'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { type ScheduledJob } from './scheduled-job'

/** In the order of a day: costs are posted in its first minute, shares are sold when the market opens, and money is paid out at 18:30. */
const jobs: readonly ScheduledJob[] = [interestJob, chargesJob, salesJob, fundsJob, accountJob, issuesJob]

async function runJobs(parts: SandboxParts, client: string, now: Date): Promise<void> {
	const conditions = jobs.map(({ isDue }, at) => sql`${isDue(client, now)} AS ${sql.identifier(`work_${at}`)}`)
	const [row] = await readRows<Record<string, boolean>>(parts.books, sql`SELECT ${sql.join(conditions, sql`, `)}`)
	for (const [at, { work }] of jobs.entries()) if (row?.[`work_${at}`]) await work(parts, client, now)
}

/** Trading days before today whose last work, the payout of unused money, is not done for a client. */
async function listMissedDays({ books }: SandboxParts, client: string, now: Date): Promise<Day[]> {
	const [row] = await readRows<{ day: Day | null }>(
		books,
		sql`SELECT coalesce((SELECT day FROM ${settledAccounts} WHERE client = ${client}), (SELECT day FROM ${origin}))::text AS day`,
	)
	return row?.day ? listTradingDays(addDays(row.day, 1), addDays(toIndianDay(now), -1)) : []
}

const endOf = (day: Day) => new Date(`${day}T23:59:59+05:30`)

/**
 * Before a client's call, does everything that is due by the sandbox's clock, so that every figure includes it. One query per client and
 * minute reads from the books what is due: most work is due on full minutes, and the rest, such as a payment page that expires, may end
 * some seconds late. A clock that has moved by days does them one after the other, because what is due on a day depends on the days before
 * it. Only the last checked minute is kept in memory, which stays correct with several processes.
 */
export function createScheduler(parts: SandboxParts) {
	const looked = new Map<string, number>()

	async function doAll(client: string): Promise<void> {
		const now = parts.clock.now()
		const minute = Math.floor(now.getTime() / 60_000)
		if (looked.get(client) === minute) return
		for (const day of await listMissedDays(parts, client, now)) await runJobs(parts, client, endOf(day))
		await runJobs(parts, client, now)
		looked.set(client, minute)
	}

	const middleware = createMiddleware<SandboxEnv>(async (c, next) => {
		const client = c.get('client') as SandboxEnv['Variables']['client'] | undefined
		if (client !== undefined) await doAll(client.code)
		await next()
	})
	return { doAll, middleware }
}
