import { Hono } from 'hono'
import { type z } from 'zod/v4'
import { Attention } from '#contract/attention'
import { toRupees } from '#contract/values/money'
import { describeOperation } from '#sandbox/api/describe-operation'
import { sendData } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { findClient } from '#sandbox/clients/clients'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { debtItems, esignItems, nomineeItems, taxStatementItems } from './account'
import { listPendingPayins, listPendingPayouts, listUnregisteredPayments } from './funds'
import { type Item, type ItemFinder } from './item'
import { listMarginShortfalls } from './margin'
import { mtfItems } from './mtf'
import { listIpoMandates, pledges, listUnpaidShares, listUnverifiedSales } from './securities'

/** Add a line for each new source. */
const sources: readonly ItemFinder[] = [
	debtItems,
	listUnpaidShares,
	listMarginShortfalls,
	mtfItems,
	listUnverifiedSales,
	pledges,
	listIpoMandates,
	esignItems,
	listUnregisteredPayments,
	nomineeItems,
	taxStatementItems,
	listPendingPayins,
	listPendingPayouts,
]

/** Orders entries: those with a deadline first, the nearest first; the others in the order of the sources. */
function byDeadline(a: Item, b: Item): number {
	return (a.deadline?.getTime() ?? Number.MAX_SAFE_INTEGER) - (b.deadline?.getTime() ?? Number.MAX_SAFE_INTEGER)
}

/** The things that need a client's attention today. */
export function attention(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	const { books, clock } = parts

	routes.get(
		'/v1/ours/attention',
		describeOperation({ id: 'listAttention', summary: 'What needs the client’s attention', query: Source, data: Attention }),
		async (c) => {
			const client = await findClient(books, c.var.client.code)
			if (client === undefined) throw new Error('A session without its client')
			const now = clock.now()
			const found = await Promise.all(sources.map((source) => source(parts, client, now)))
			return sendData(
				c,
				'Attention list fetched',
				found
					.flat()
					.sort(byDeadline)
					.map(({ kind, reference, words, amount, deadline }) => ({
						kind,
						reference,
						words,
						amount: amount === null ? null : toRupees(amount),
						deadline: deadline?.toISOString() ?? null,
					})) satisfies z.input<typeof Attention>,
			)
		},
	)
	return routes
}
