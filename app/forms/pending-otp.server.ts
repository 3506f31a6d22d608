import { randomUUID } from 'node:crypto'
import { z } from 'zod/v4'
import { createDraft } from '~/session/drafts.server'

/*
 * A request that waits for its code. It is sealed into a cookie, so that a reload, the back button, a second tab and another process find
 * it. It opens only for one client and one change, and expires with the code.
 */

/** One of each kind at a time: changes of different kinds do not disturb each other. */
const PendingKind = z.enum(['mobile', 'email', 'bank', 'segments', 'nominee', 'income', 'password', 'edis'])
export type PendingKind = z.infer<typeof PendingKind>

const Pending = z.object({
	kind: PendingKind,
	/** The client's code; before login, the name that was typed. */
	client: z.string(),
	/** A new id for every newly requested code, so that a form of an older one is recognised. */
	id: z.string(),
	/** The change that the code confirms. It is stored when the code is sent; later forms cannot change it. */
	value: z.unknown(),
	/** What the change replaces, masked, for the screen. */
	now: z.string().optional(),
	/** The broker's id of the request, when the broker needs it again. */
	requestId: z.string().optional(),
	/** Where the code was sent, masked: `OTP sent to ******3210`. */
	message: z.string(),
	/** Milliseconds since 1970. */
	expiresAt: z.number(),
	/** False when the broker did not say how long the code is valid; then no page shows a time. */
	isEndKnown: z.boolean().default(true),
	resendAt: z.number(),
	/** Wrong codes still allowed, once the broker has said so. */
	attemptsLeft: z.number().optional(),
	/** The broker needs the bank's MICR code with the code. */
	needsMicr: z.boolean().optional(),
})
export type Pending = z.infer<typeof Pending>

/** The broker's reply to "send a code"; times are seconds from now. */
type Sent = { message: string; request_id?: string; expires_in?: number; resend_in?: number }

/** In seconds: how long the step waits for a code when the broker does not say how long it is valid. */
const OTP_WAIT_S = 600

/**
 * A list of ten nominees with names in Indian scripts may need four cookies. The code arrives on a telephone, where opening the message may
 * close the browser.
 */
function createPendingDraft(kind: PendingKind) {
	return createDraft(`pending-${kind}`, 'pending', Pending, { most: 4, outlivesBrowser: true })
}

/** Creates the step that waits for a code. `commitPending` keeps it. */
export function createPendingOtp(kind: PendingKind, client: string, value: unknown, sent: Sent): Pending {
	return { kind, client, id: randomUUID(), value, requestId: sent.request_id, ...computeTimes(sent) }
}

/** The same step after another code was sent. The broker goes on counting the attempts. */
export function renewPendingOtp(pending: Pending, sent: Sent): Pending {
	return { ...pending, requestId: sent.request_id ?? pending.requestId, ...computeTimes(sent) }
}

function computeTimes({ message, expires_in, resend_in = 0 }: Sent) {
	const expiresAt = Date.now() + (expires_in ?? OTP_WAIT_S) * 1000
	return { message, expiresAt, isEndKnown: expires_in !== undefined, resendAt: Date.now() + resend_in * 1000 }
}

/**
 * The pending step of this browser: undefined when there is none, when it was altered, when it belongs to another client or change, or when
 * its code has expired. `Value` validates it like any outside input.
 */
export async function readPending<Value extends z.ZodType>(
	request: Request,
	kind: PendingKind,
	client: string,
	Value: Value,
): Promise<(Omit<Pending, 'value'> & { value: z.output<Value> }) | undefined> {
	const pending = await createPendingDraft(kind).read(request, client)
	// The cookie's name comes from the browser; the sealed value itself says which change it is for.
	if (pending?.kind !== kind) return undefined
	const value = Value.safeParse(pending.value)
	return value.success ? { ...pending, value: value.data } : undefined
}

/** The Set-Cookie headers that keep a step until its code expires, appended to those given. */
export function commitPending(pending: Pending, headers?: Headers): Promise<Headers> {
	return createPendingDraft(pending.kind).keep(pending.client, pending, pending.expiresAt, headers)
}

/** The Set-Cookie headers that delete a step, appended to those given. */
export function clearPending(kind: PendingKind, headers?: Headers): Headers {
	return createPendingDraft(kind).forget(headers)
}
