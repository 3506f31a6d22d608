import { z } from 'zod/v4'
import { ClientCode, Day, Flag, FlagOrNo, Token } from './common'
import { text, word, words } from './texts'
import { maybe, rows, spare } from './tolerant'

export const LoginRequest = z.object({ username: z.string().min(3).max(60), password: z.string().min(1).max(128) })

/** Only greets the client. */
const ClientName = spare(text(80, 1), () => '')

export const LoginData = z.object({
	authToken: Token,
	token: Token,
	clientCode: ClientCode,
	userName: ClientName,
	userId: text(20),
	sessionId: text(64),
	product: text(20),
	/** True for a dormant client, who is sent to /rekyc. */
	isDormate: FlagOrNo,
})
export type LoginData = z.infer<typeof LoginData>

/** Without a readable flag nobody is released from re-KYC. */
export const VerifiedUser = z.object({ clientCode: ClientCode, userName: ClientName, isDormate: Flag })
export type VerifiedUser = z.infer<typeof VerifiedUser>

export const RekycItem = z.enum(['PAN', 'ADDRESS_PROOF', 'BANK_PROOF', 'INCOME_PROOF', 'PHOTO', 'ESIGN'])

export const RekycDetails = z.object({
	reason: text(300),
	last_traded_on: maybe(Day),
	required: rows(word(RekycItem), 6),
	/** Any text: the portal checks the address where it becomes a link, so that a bad one does not break the page. */
	rekyc_url: words(z.string().max(2048)),
})
export type RekycDetails = z.infer<typeof RekycDetails>
