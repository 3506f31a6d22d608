import { z } from 'zod/v4'
import { ClientCode, Token } from './common'
import { optional, words } from './tolerant'

export const ApprovedListName = z.enum(['Margin', 'MTF', 'Collateral'])
export type ApprovedListName = z.infer<typeof ApprovedListName>

/** A PDF in base64, inside JSON. */
export const ClientMaster = z
	.string()
	.min(40)
	.max(28_000_000)
	.regex(/^[A-Za-z0-9+/]+={0,2}$/)

/** The query of a report link. */
export const ReportLinkQuery = z.object({
	UserId: z.string().regex(/^[A-Z0-9]{4,20}$/),
	SessionId: z.string().regex(/^[A-Za-z0-9-]{8,64}$/),
	Product: z
		.string()
		.regex(/^[A-Z]{2,20}$/)
		.default('CONNECT'),
})

/** A session opened by a link, with a new token each time. */
export const ReportLinkSession = z.object({ clientCode: ClientCode, authToken: Token, userName: optional(words(z.string().max(80))) })
export type ReportLinkSession = z.infer<typeof ReportLinkSession>
