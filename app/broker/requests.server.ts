import { writeTrace } from '~/lib/telemetry'
import { type Adapter } from './adapter.server'
import { encodeForm, type Form } from './form-body.server'

/* What a call to the broker is, and how it is written. */

/** Who answers. Each service may have an address of its own. */
export type Service = 'broker' | 'ekyc' | 'edis' | 'ipo' | 'payment'
type Query = Record<string, string | undefined>

export type BrokerCall = {
	service?: Service
	query?: Query
	/** Sent as JSON. */
	body?: unknown
	/** Sent as multipart/form-data in place of a body, while it is being read. What stops it being read is thrown as it is. */
	form?: Form
	/** Asks the broker to compute afresh instead of answering from its cache. */
	hardRefresh?: boolean
	/** The key under which the broker does a thing once, however often it is asked. */
	idempotencyKey?: string
	/** Stands for a session where a forgotten password is set anew. */
	pwdResetToken?: string
	/** A GET that does something: it is never sent again by itself. */
	isOnce?: boolean
}

/** What is the same for every visitor: where the broker is, how long to wait, where to tell what failed. */
export type BrokerConfig = {
	baseUrls: Record<Service, string>
	/** To the first byte, and between the chunks of a JSON answer; the whole of that may take three times as long. 0 waits for ever. */
	timeoutMs: number
	tell: (level: 'info' | 'error', event: Record<string, unknown>, message: string) => void
	/** Translates calls and replies for a broker that speaks another dialect (BROKER_ADAPTER). */
	adapter?: Adapter
}

export type Connection = {
	/** Under which replies with many rows are kept; left out before login. */
	sessionId?: string
	/** The client's token; left out for calls before login. */
	token?: string
	clientCode?: string
	/** The id of the visitor's request, which an error shows as its reference and the log carries. */
	requestId: string
	/** Ends the download that this visit is for when its browser has gone. Nothing else: others may wait for the same answer, and a change is done to its end. */
	leaving?: AbortSignal
	/** What a 401 becomes: the way to the login page. */
	onExpired: (message: string | undefined) => Promise<Response>
}

export const JSON_TYPE = 'application/json'

/**
 * How a body that is read as it comes is sent. Any other fetch keeps a second copy of the body, in case it is to be sent again: twenty
 * uploads then hold twenty whole files. One that may follow no redirect and belongs to no window keeps none. A redirect is an error there
 * (isRedirect), where other calls see its status.
 */
const STREAMED = { duplex: 'half', redirect: 'error', window: null } as const

/**
 * Address, headers and body of one call; `form` is there when it sends one. The visitor's own headers never go through, and nothing that a
 * visitor wrote chooses the host or the path.
 */
export function createRequest(
	baseUrls: BrokerConfig['baseUrls'],
	{ token, clientCode, requestId }: Connection,
	path: string,
	call: BrokerCall,
	accept: string,
) {
	// Not `new URL(path, base)`: a broker behind a gateway may have a path of its own.
	const url = new URL(baseUrls[call.service ?? 'broker'].replace(/\/+$/, '') + path)
	if (token) url.searchParams.set('source', 'connect')
	for (const [name, value] of Object.entries(call.query ?? {})) if (value !== undefined) url.searchParams.set(name, value)

	const headers = new Headers({ accept, 'x-request-id': requestId })
	writeTrace(headers)
	if (token) headers.set(path.startsWith('/edis/') || path.startsWith('/ipo/') ? 'authToken' : 'auth-token', token)
	if (clientCode) headers.set('client-code', clientCode)
	if (call.body !== undefined && !call.form) headers.set('content-type', JSON_TYPE)
	if (call.hardRefresh) headers.set('hard-refresh', 'true')
	if (call.idempotencyKey) headers.set('idempotency-key', call.idempotencyKey)
	if (call.pwdResetToken) headers.set('pwd-reset-token', call.pwdResetToken)
	const form = call.form && encodeForm(call.form)
	if (form) headers.set('content-type', form.contentType)
	const json = call.body === undefined ? undefined : JSON.stringify(call.body)
	const init = { headers, body: form?.body ?? json }
	const transport: Omit<RequestInit, 'signal'> = form ? STREAMED : { redirect: 'manual' }
	return { url, init, transport, form }
}
