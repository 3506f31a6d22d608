import { and, eq, inArray } from 'drizzle-orm'
import { createMiddleware } from 'hono/factory'
import { mandates, payins, payouts } from '#sandbox/db/schema'
import { type SandboxEnv, type SandboxParts } from '#sandbox/env'
import { readStored } from '#sandbox/modifications/stored'
import { settleMandates } from './mandates'
import { settlePayins } from './payins'
import { settlePayouts } from './payouts'

/** What the clock has brought to a client's pay-ins, pay-outs and mandates happens before the next call is answered, so every figure knows it. */
export function settleFunds({ books, clock }: SandboxParts) {
	return createMiddleware<SandboxEnv>(async (c, next) => {
		const { client } = c.var
		if (client !== undefined && (await hasOpen(client.code))) {
			await books.db.transaction(async (tx) => {
				// One after the other, and never beside a request of the same client.
				await readStored(tx, client.code, true)
				const now = clock.now()
				await settlePayins(tx, client.code, now)
				await settlePayouts(tx, client.code, now)
				await settleMandates(tx, client.code, now)
			})
		}
		await next()
	})

	/** One small question a call, by the indexes of the three. */
	async function hasOpen(code: string): Promise<boolean> {
		const [found] = await books.db
			.select({ client: payins.client })
			.from(payins)
			.where(and(eq(payins.client, code), eq(payins.status, 'PENDING')))
			.unionAll(
				books.db
					.select({ client: payouts.client })
					.from(payouts)
					.where(and(eq(payouts.client, code), eq(payouts.status, 'PENDING'))),
			)
			.unionAll(
				books.db
					.select({ client: mandates.client })
					.from(mandates)
					.where(and(eq(mandates.client, code), inArray(mandates.status, ['STARTED', 'AT_BANK']))),
			)
			.limit(1)
		return found !== undefined
	}
}
