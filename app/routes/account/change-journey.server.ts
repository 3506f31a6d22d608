import { redirect } from '@remix-run/node'
import { type z } from 'zod/v4'
import { type Broker } from '~/broker/client.server'
import { type Sending } from '~/broker/modifications.server'
import { type FormFile } from '~/broker/form-body.server'
import { labelNow } from '~/forms/esign-confirm.server'
import { sendOtp } from '~/forms/otp-sends.server'
import { commitPending, createPendingOtp, type Pending, type PendingKind, readPending, renewPendingOtp } from '~/forms/pending-otp.server'
import { showMasked } from '~/lib/masks'
import { SIDE_CALL_MS, withTimeout } from '~/lib/with-timeout'
import { clampText } from '~/reports/columns.server'

/* The steps of every change: details, a code, done. What differs between changes is in change-definitions.server. */

export type ChangeKind = Exclude<PendingKind, 'password' | 'edis'>
export type Line = { label: string; value: string; note?: string }
/** A proof that the second step asks for; `name` is the name of the field at the broker. */
export type Proof = { name: string; label: string; required?: string }

type Sent = { message: string; request_id: string; expires_in?: number; resend_in?: number }

/** The code and the other fields of the form of the second step. */
export type VerifiedChange = { otp: string; idempotencyKey: string; proofType?: string; micr?: string; files: AsyncIterable<FormFile> }

/** The outcome: something to sign, done, or done with a file. */
export type Outcome = { esign: string } | { message: string } | { pdf: ReadableStream<Uint8Array> }

type Definition<Schema extends z.ZodType> = {
	/** The h1 of its pages. */
	title: string
	/** The name of the change, in the list of requests and in what the client signs. */
	what: string
	/** The page of the first step. */
	path: string
	/** The name of the value that it replaces. */
	subject?: string
	/** The value kept between the steps. */
	Value: Schema
	/** What will be done, as lines for the screen. Numbers of accounts and PANs are masked; a new way to reach the client is not. */
	lines(value: z.output<Schema>): Line[]
	/** What the change replaces, masked: the first line. Undefined when nothing is replaced, or the broker does not say. */
	findNow(broker: Broker, value: z.output<Schema>): Promise<string | undefined>
	/** Where its code goes when it is a new way to reach the client: `your new e-mail address`, and that address masked. */
	findTarget?(value: z.output<Schema>): Target
	proofs?(value: z.output<Schema>): Proof[]
	/** Why the proofs are needed. */
	proofWhy?: string
	/** Whether the client must choose the kind of proof. */
	hasProofType?(value: z.output<Schema>): boolean
	/** Sends a code, or another one. `adds` of the reply is kept with the value. */
	send(broker: Broker, value: z.output<Schema>, process: Sending): Promise<Sent & { adds?: Partial<z.output<Schema>> }>
	verify(broker: Broker, value: z.output<Schema>, verified: VerifiedChange): Promise<Outcome>
}

type Target = { name: string; masked: string }

/** Names the target in the message of the broker, when the message is about that one: old and new may look alike when they are masked. */
function nameTarget(message: string, target: Target | undefined): string {
	const said = message.replace(/\.$/, '')
	return target && showMasked(said) === `OTP sent to ${target.masked}` ? `${said}, ${target.name}` : message
}

/** A pending step, for the OTP page. */
export type ChangeStep = Pick<Pending, 'id' | 'message' | 'expiresAt' | 'isEndKnown' | 'resendAt' | 'attemptsLeft'> & {
	lines: Line[]
	proofs: Proof[]
	proofWhy?: string
	hasProofType: boolean
	/** The broker needs a bank's MICR code to continue. */
	needsMicr: boolean
	verify(verified: VerifiedChange): Promise<Outcome>
	/** Sends another code. Returns the headers that keep the step. */
	resend(): Promise<Headers>
	/** Returns the headers that keep the step with new data from the broker. */
	keep(known: { attemptsLeft?: number; needsMicr?: boolean }): Promise<Headers>
}

export function defineChange<Schema extends z.ZodType<object>>(kind: ChangeKind, definition: Definition<Schema>) {
	const { title, what, path, subject, Value, lines, findNow, findTarget, proofs, proofWhy, hasProofType, send, verify } = definition
	return {
		kind,
		title,
		what,
		path,

		/** Requests the code and redirects to the OTP step. Throws a BrokerRefusal. */
		async start(request: Request, broker: Broker, value: z.output<Schema>): Promise<Response> {
			const [{ adds, ...sent }, now] = await Promise.all([
				sendOtp(request, broker.clientCode, kind, () => send(broker, value, 'send_otp')),
				// A code that was sent counts, so a failure of this call must not lose it.
				withTimeout(findNow(broker, value), SIDE_CALL_MS).catch(() => undefined),
			])
			const pending = createPendingOtp(kind, broker.clientCode, { ...value, ...adds }, sent)
			const headers = await commitPending({ ...pending, now: now && clampText(now) })
			return redirect(`${path}/otp`, { status: 303, headers })
		},

		/** Returns the value of the pending step of this client in this browser, for the form of the first step. */
		async findPending(request: Request, broker: Broker): Promise<z.output<Schema> | undefined> {
			return (await readPending(request, kind, broker.clientCode, Value))?.value
		},

		/** Returns the pending step of this client in this browser, if its code is still valid. */
		async open(request: Request, broker: Broker): Promise<ChangeStep | undefined> {
			const pending = await readPending(request, kind, broker.clientCode, Value)
			if (!pending) return undefined
			const { value } = pending
			return {
				id: pending.id,
				message: nameTarget(pending.message, findTarget?.(value)),
				expiresAt: pending.expiresAt,
				isEndKnown: pending.isEndKnown,
				resendAt: pending.resendAt,
				attemptsLeft: pending.attemptsLeft,
				lines: [...(pending.now ? [{ label: labelNow(subject), value: pending.now }] : []), ...lines(value)],
				proofs: proofs?.(value) ?? [],
				proofWhy,
				hasProofType: hasProofType?.(value) ?? false,
				needsMicr: pending.needsMicr ?? false,
				verify: (verified) => verify(broker, value, verified),
				async resend() {
					const sent = await send(broker, value, 'resend_otp')
					return await commitPending(renewPendingOtp(pending, sent))
				},
				keep: (known) => commitPending({ ...pending, ...known }),
			}
		},
	}
}

export type Change = ReturnType<typeof defineChange>
