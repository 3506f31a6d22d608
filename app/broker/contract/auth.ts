import { z } from 'zod/v4'
import { ClientCode, Day, Token } from './common'

export const LoginRequest = z.object({ username: z.string().min(3).max(60), password: z.string().min(1).max(128) })

export const LoginData = z.object({
	authToken: Token,
	token: Token,
	clientCode: ClientCode,
	userName: z.string().min(1).max(80),
	userId: z.string().max(20),
	sessionId: z.string().max(64),
	product: z.string().max(20),
	/** True for a dormant client, who is sent to /rekyc. */
	isDormate: z.boolean(),
})
export type LoginData = z.infer<typeof LoginData>

export const VerifiedUser = z.object({ clientCode: ClientCode, userName: z.string().min(1).max(80), isDormate: z.boolean() })
export type VerifiedUser = z.infer<typeof VerifiedUser>

export const RekycItem = z.enum(['PAN', 'ADDRESS_PROOF', 'BANK_PROOF', 'INCOME_PROOF', 'PHOTO', 'ESIGN'])

export const RekycDetails = z.object({
	reason: z.string().max(300),
	last_traded_on: Day.nullable(),
	required: z.array(RekycItem).max(6),
	rekyc_url: z.url(),
})
export type RekycDetails = z.infer<typeof RekycDetails>
