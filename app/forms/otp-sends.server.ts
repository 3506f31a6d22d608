import { BrokerRefusal } from '~/broker/client.server'
import { audit } from '~/session/audit.server'
import { askForOtp, TooManyAttempts } from '~/session/rate-limits.server'
import { sayTooMany } from './form.server'
import { type PendingKind } from './pending-otp.server'

/**
 * Has the broker send the first code of a journey. Brokers limit how often one code is sent again, but each start is a new code, and it
 * may go to a number that the client has just typed. Throws a BrokerRefusal with status 429 when the client has had too many.
 */
export async function sendOtp<Sent>(request: Request, client: string, of: PendingKind, send: () => Promise<Sent>): Promise<Sent> {
	try {
		const sent = await askForOtp(client, send)
		audit('otp_sent', request, client, { of })
		return sent
	} catch (error) {
		if (!(error instanceof TooManyAttempts)) throw error
		audit('otp_limited', request, client, { of })
		const { wait } = error
		throw new BrokerRefusal(429, { status: 'error', message: sayTooMany('OTP requests', wait), data: { retry_after: wait } })
	}
}
