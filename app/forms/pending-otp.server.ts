import { randomUUID } from 'node:crypto'
import { z } from 'zod/v4'
import { createDraft } from '~/session/sealed-cookie.server'

/*
 * What waits for its code. It is sealed into a cookie, so that a reload, the back button, a second tab and another process all find it;
 * bound to one client and one change, so that it opens for no other; and it dies with the code.
 */

/** One at a time of each: two changes of different kinds do not disturb each other. */
const PendingKind = z.enum(['mobile', 'email', 'bank', 'segments', 'nominee', 'income', 'password', 'edis'])
export type PendingKind = z.infer<typeof PendingKind>

const Pending = z.object({
	kind: PendingKind,
	/** The client's code; before login, what was typed as one. */
	client: z.string(),
	/** Another for every code that was asked for afresh, so that an answer to an older form is told apart. */
	id: z.string(),
	/** What shall be done with the code. It is what was stored when the code was sent, whatever a form says later. */
	value: z.unknown(),
	/** The broker's own number of the request, where it needs to be told it. */
	requestId: z.string().optional(),
	/** Where the code went, masked: `OTP sent to ******3210`. */
	message: z.string(),
	/** Milliseconds since 1970. */
	expiresAt: z.number(),
	resendAt: z.number(),
	/** Wrong codes that are still allowed, once the broker has said so. */
	attemptsLeft: z.number().optional(),
	/** The broker wants to be told the MICR code of a bank with the code. */
	needsMicr: z.boolean().optional(),
})
export type Pending = z.infer<typeof Pending>

/** The broker's answer to "send a code"; seconds from now. */
type Sent = { message: string; request_id?: string; expires_in: number; resend_in: number }

/** A list of ten nominees may take two cookies. The code comes to a telephone, where opening the message may end the browser. */
function createPendingDraft(kind: PendingKind) {
	return createDraft(`pending-${kind}`, 'pending', Pending, { most: 2, outlivesBrowser: true })
}

/** What a code was sent for. `commitPending` keeps it. */
export function newPending(kind: PendingKind, client: string, value: unknown, sent: Sent): Pending {
	return { kind, client, id: randomUUID(), value, requestId: sent.request_id, ...computeTimes(sent) }
}

/** The same step after another code was sent: the attempts are the broker's to count on. */
export function resentPending(pending: Pending, sent: Sent): Pending {
	return { ...pending, requestId: sent.request_id ?? pending.requestId, ...computeTimes(sent) }
}

function computeTimes({ message, expires_in, resend_in }: Sent) {
	return { message, expiresAt: Date.now() + expires_in * 1000, resendAt: Date.now() + resend_in * 1000 }
}

/**
 * The step that waits in this browser: undefined when there is none, it was tampered with, it is of another client or another change, or
 * its code has expired. `Value` checks what was kept, as anything that comes from outside is checked.
 */
export async function readPending<Value extends z.ZodType>(
	request: Request,
	kind: PendingKind,
	client: string,
	Value: Value,
): Promise<(Omit<Pending, 'value'> & { value: z.output<Value> }) | undefined> {
	const pending = await createPendingDraft(kind).read(request, client)
	// A name is the browser's word; what is sealed says itself which change it is of.
	if (pending?.kind !== kind) return undefined
	const value = Value.safeParse(pending.value)
	return value.success ? { ...pending, value: value.data } : undefined
}

/** The Set-Cookie headers that keep a step until its code expires, appended to those given. */
export function commitPending(pending: Pending, headers?: Headers): Promise<Headers> {
	return createPendingDraft(pending.kind).keep(pending.client, pending, pending.expiresAt, headers)
}

/** The Set-Cookie headers that forget a step, appended to those given. */
export function clearPending(kind: PendingKind, headers?: Headers): Headers {
	return createPendingDraft(kind).forget(headers)
}
