import { z } from 'zod/v4'
import { ClientCode, Token } from './common'
import { words } from './texts'
import { optional } from './tolerant'

export const ApprovedListName = z.enum(['Margin', 'MTF', 'Collateral'])
export type ApprovedListName = z.infer<typeof ApprovedListName>

/** A PDF in base64, inside JSON. */
export const ClientMaster = z
	.string()
	.min(40)
	.max(28_000_000)
	.regex(/^[A-Za-z0-9+/]+={0,2}$/)

/** A value that another product of the broker writes into a link: one line of any text. */
const LinkPart = z
	.string()
	.min(1)
	.max(200)
	.regex(/^[^\p{Cc}\p{Cf}]+$/u)

export const ReportLinkQuery = z.object({ UserId: LinkPart, SessionId: LinkPart, Product: LinkPart.default('CONNECT') })

/** A session opened by a link, with a new token each time. */
export const ReportLinkSession = z.object({ clientCode: ClientCode, authToken: Token, userName: optional(words(z.string().max(80))) })
export type ReportLinkSession = z.infer<typeof ReportLinkSession>
