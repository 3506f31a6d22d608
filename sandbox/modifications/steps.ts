import { type Context } from 'hono'
import { type z } from 'zod/v4'
import { OtpProcess } from '#contract/modifications'
import { sendData, invalidField, Refused } from '#sandbox/api/responses'
import { Source } from '#sandbox/api/source-query'
import { createOtpService, type Recipient } from '#sandbox/auth/otp'
import { type Queries } from '#sandbox/db/open'
import { type SandboxEnv, type SandboxParts } from '#sandbox/types'

/** The query of every change in two steps. */
export const StepQuery = Source.extend({ process: OtpProcess })

type Step = z.output<typeof OtpProcess>

type Asked<Payload> = {
	process: Step
	otp: string | undefined
	purpose: string
	/** The data that the code confirms. */
	payload: Payload
	recipients: readonly Recipient[]
	/** Text after "is the OTP to". */
	what: string
	/** Extra fields of the response when a code was sent. */
	besides?: Record<string, boolean>
}

/** A 422 refusal of a text field, in words for the client. The message and the field say the same. */
export function refuseField(name: string, message: string): Refused {
	return new Refused(422, message, { fields: [{ name, message }] })
}

/** The two steps of every change, with the sandbox's codes. */
export function createSteps(parts: SandboxParts) {
	const otps = createOtpService(parts)
	return {
		otps,
		/** Sends a code or sends it again. With a code it makes the change and responds with the result of `done`. */
		async take<Payload, Result>(
			c: Context<SandboxEnv>,
			{ process, otp, besides, ...asked }: Asked<Payload>,
			effect: (tx: Queries, payload: Payload) => Promise<Result>,
			done: (result: Result) => Response | Promise<Response>,
		): Promise<Response> {
			const { code: client } = c.var.client
			if (process === 'verify_otp') {
				if (otp === undefined) throw invalidField('otp', 'otp is required with verify_otp')
				// The payload was compared with the one for which the code was sent, so they are equal.
				return await done(await otps.verify({ client, ...asked }, otp, (tx) => effect(tx, asked.payload)))
			}
			const { message, ...sent } = await (process === 'send_otp' ? otps.issue({ client, ...asked }) : otps.resend({ client, ...asked }))
			return sendData(c, message, { ...sent, ...besides })
		},
	}
}

export type Steps = ReturnType<typeof createSteps>
