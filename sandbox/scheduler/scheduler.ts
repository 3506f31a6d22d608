import { type SQL, sql } from 'drizzle-orm'
import { createMiddleware } from 'hono/factory'
import { chargesDue } from '#sandbox/book/charges-due'
import { readRows } from '#sandbox/book/rows'
import { accountDue } from '#sandbox/funds/account'
import { fundsDue } from '#sandbox/funds/due'
import { issuesDue } from '#sandbox/ipo/life'
import { interestDue } from '#sandbox/mtf/interest-due'
import { salesDue } from '#sandbox/mtf/sales-due'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'

/** What time does to a client's account by itself. */
export type DueWork = {
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
const works: readonly DueWork[] = [salesDue, interestDue, chargesDue, fundsDue, accountDue, issuesDue]

/**
 * Before a client's call is answered, whatever has come due by the sandbox's clock is done, so that every figure knows it. The books say what
 * is due, in one question a call: what is remembered here is only which minute was looked at, which another process cannot make untrue.
 */
export function doDueWork(parts: SandboxParts) {
	const looked = new Map<string, number>()

	async function doAll(client: string): Promise<void> {
		const now = parts.clock.now()
		const minute = Math.floor(now.getTime() / 60_000)
		const asked = looked.get(client) === minute ? works.filter(({ isOnFullMinutes }) => !isOnFullMinutes) : works
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
