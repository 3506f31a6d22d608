import { z } from 'zod/v4'
import { Token } from './common'

/** Exactly as typed: spaces and letters of any script count. The portal has no rules for the characters; the broker may have some. */
const Password = z.string().min(1).max(128)

export const UpdatePasswordRequest = z.object({ old_password: Password, new_password: Password })
export type UpdatePasswordRequest = z.infer<typeof UpdatePasswordRequest>

/** The same fields whether the login name exists or not, so that nobody can find out login names. */
export const PasswordResetRequest = z.object({
	username: z
		.string()
		.min(3)
		.max(60)
		.regex(/^[A-Za-z0-9@._-]+$/),
})

const RequestId = z
	.string()
	.min(6)
	.max(40)
	.regex(/^[A-Za-z0-9_-]+$/)

export const PasswordResetSent = z.object({ request_id: RequestId })

export const PasswordResetOtp = z.object({ request_id: RequestId, otp: z.string().regex(/^\d{6}$/) })
export const PasswordResetKey = z.object({ pwdResetToken: Token })

export const ResetPasswordRequest = z.object({ new_password: Password })
