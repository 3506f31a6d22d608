import { randomUUID } from 'node:crypto'
import { eq } from 'drizzle-orm'
import { Hono } from 'hono'
import { type z } from 'zod/v4'
import { ReportLinkQuery, ReportLinkSession } from '#contract/downloads'
import { describeOperation } from '#sandbox/api/describe-operation'
import { sendData, parseQuery, Refused } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { findClient } from '#sandbox/clients/clients'
import { reportLinks } from '#sandbox/db/schema'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'
import { openSession } from './sessions'

const LinkQuery = Source.extend(ReportLinkQuery.shape)

/**
 * Makes a link to a client's reports that is valid for `validMs` milliseconds; 0 or less makes an expired link. Returns the link's
 * parameters.
 */
export async function createReportLink({ books, clock }: SandboxParts, client: string, validMs: number, product = 'CONNECT') {
	const session_id = randomUUID()
	await books.db.insert(reportLinks).values({ session_id, client, product, expires_at: new Date(clock.now().getTime() + validMs) })
	return { UserId: client, SessionId: session_id, Product: product }
}

/**
 * Web-link mode: exchanges a link of another product for a session that can read only its report. No refusal says "Token has expired",
 * because the portal would then try again.
 */
export function reportLinkCalls(parts: SandboxParts) {
	const routes = new Hono<SandboxEnv>()
	const { books, clock } = parts

	routes.get(
		'/v2/web/validate-report-link',
		describeOperation({
			id: 'validateReportLink',
			summary: 'Turn a report link into a session',
			isPublic: true,
			query: LinkQuery,
			data: ReportLinkSession,
		}),
		async (c) => {
			const { UserId, SessionId, Product } = parseQuery(c, LinkQuery)
			const [link] = await books.db.select().from(reportLinks).where(eq(reportLinks.session_id, SessionId))
			// One message for every invalid link, so that it does not reveal which part was wrong.
			if (link === undefined || link.client !== UserId || link.product !== Product) throw new Refused(401, 'Link is not valid')
			if (link.expires_at <= clock.now()) throw new Refused(410, 'Link has expired')
			const client = await findClient(books, link.client)
			if (client === undefined || client.isDormant) throw new Refused(401, 'Link is not valid')
			const { token } = await openSession(parts, client.code, 'REPORT')
			return sendData(c, 'Link is valid', {
				clientCode: client.code,
				authToken: token,
				userName: client.name,
			} satisfies z.input<typeof ReportLinkSession>)
		},
	)
	return routes
}
