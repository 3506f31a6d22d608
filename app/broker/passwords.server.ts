import { z } from 'zod/v4'
import { PasswordResetKey, PasswordResetSent, type UpdatePasswordRequest } from '#contract/passwords'
import { type Broker } from './client.server'

/** The outcome may stand inside `data` too. Any word there but `success` is no success; without one the envelope's counts. */
const PasswordSet = z.unknown().refine((data) => {
	const inner = z.object({ status: z.unknown() }).safeParse(data).data
	return inner?.status === undefined || inner.status === 'success'
})

/** Ends every session of the client at the broker. A wrong current password is a refusal, never a 401. */
export function updatePassword(broker: Broker, body: UpdatePasswordRequest) {
	return broker.post('/v1/user/update-password', PasswordSet, { body })
}

/** Before any session. The answer is the same whether or not there is such a client. */
export function requestPasswordReset(broker: Broker, username: string) {
	return broker.post('/v1/user/forgot-password', PasswordResetSent, { body: { username } })
}

export function resendPasswordResetOtp(broker: Broker, request_id: string) {
	return broker.post('/v1/user/forgot-password-resend', PasswordResetSent, { body: { request_id } })
}

/** A right code, once, for a key that sets one password. */
export function verifyPasswordResetOtp(broker: Broker, request_id: string, otp: string) {
	return broker.post('/v1/user/forgot-password-verify', PasswordResetKey, { body: { request_id, otp } })
}

/** Ends every session of the client at the broker. Refused with 401 or 410 when the key is none, used or too old. */
export function resetPassword(broker: Broker, pwdResetToken: string, new_password: string) {
	return broker.post('/v1/user/reset-password', PasswordSet, { body: { new_password }, pwdResetToken })
}
