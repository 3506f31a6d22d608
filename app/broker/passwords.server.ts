import { z } from 'zod/v4'
import { PasswordResetKey, PasswordResetSent, type UpdatePasswordRequest } from '#contract/passwords'
import { type Broker } from './client.server'

/** The outcome may also be in `data.status`. Any value there except `success` is a failure; without a value the envelope decides. */
const PasswordSet = z.unknown().refine((data) => {
	const inner = z.object({ status: z.unknown() }).safeParse(data).data
	return inner?.status === undefined || inner.status === 'success'
})

/** Ends every session of the client at the broker. A wrong current password is a refusal, never a 401. */
export function updatePassword(broker: Broker, body: UpdatePasswordRequest) {
	return broker.post('/v1/user/update-password', PasswordSet, { body })
}

/** Needs no session. The reply is the same whether or not the client exists. */
export function requestPasswordReset(broker: Broker, username: string) {
	return broker.post('/v1/user/forgot-password', PasswordResetSent, { body: { username } })
}

export function resendPasswordResetOtp(broker: Broker, request_id: string) {
	return broker.post('/v1/user/forgot-password-resend', PasswordResetSent, { body: { request_id } })
}

/** Exchanges a correct code, once, for a key that sets one password. */
export function verifyPasswordResetOtp(broker: Broker, request_id: string, otp: string) {
	return broker.post('/v1/user/forgot-password-verify', PasswordResetKey, { body: { request_id, otp } })
}

/** Ends every session of the client at the broker. Refused with 401 or 410 when the key is unknown, used or too old. */
export function resetPassword(broker: Broker, pwdResetToken: string, new_password: string) {
	return broker.post('/v1/user/reset-password', PasswordSet, { body: { new_password }, pwdResetToken })
}
