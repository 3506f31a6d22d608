import { writeTrace } from '~/lib/telemetry'
import { type Adapter } from './adapter.server'
import { encodeForm, type Form } from './form-body.server'
import { type OperationMemory } from './optional.server'
import { type Service } from './service'

/* The parts of a call to the broker. */

type Query = Record<string, string | undefined>

export type BrokerCall = {
	service?: Service
	query?: Query
	/** Sent as JSON. */
	body?: unknown
	/** Sent as multipart/form-data in place of a body, while it is read. An error while reading is thrown unchanged. */
	form?: Form
	/** Asks the broker to compute again instead of using its cache. */
	hardRefresh?: boolean
	/** Idempotency key: the broker does the work once per key. */
	idempotencyKey?: string
	/** Replaces the session when a forgotten password is reset. */
	pwdResetToken?: string
	/** The schema describes the whole reply, which has fields beside `data`. */
	isWhole?: true
	/** A GET with a side effect: never repeated automatically. */
	isOnce?: boolean
}

/** What a page chooses when it reads: `readRefresh` makes it from the address. */
export type ReadOptions = Pick<BrokerCall, 'hardRefresh'>

/** The same for every visitor: the broker's addresses, the timeout, and where failures are reported. */
export type BrokerConfig = {
	baseUrls: Record<Service, string>
	/**
	 * Timeout to the first byte and between chunks of a JSON reply, in milliseconds; the whole reply may take three times as long. 0
	 * disables the timeout.
	 */
	timeoutMs: number
	tell: (level: 'info' | 'error', event: Record<string, unknown>, message: string) => void
	/** Translates calls and replies for a broker with another API (BROKER_ADAPTER). */
	adapter?: Adapter
	/** The memory of the broker's optional operations. Without it nothing is remembered from one visit to the next. */
	operations?: OperationMemory
}

export type Connection = {
	/** Cache key of replies with many rows; left out before login. */
	sessionId?: string
	/** The client's token; left out for calls before login. */
	token?: string
	clientCode?: string
	/** The id of the visitor's request: the reference on error pages and in the log. */
	requestId: string
	/**
	 * Aborts the download of this visit when its browser has gone. Other calls continue: another visit may wait for the same reply, and a
	 * change must be completed.
	 */
	leaving?: AbortSignal
	/** Called after a 401. Returns the redirect to the login page. */
	onExpired: (message: string | undefined) => Promise<Response>
}

export const JSON_TYPE = 'application/json'

/**
 * Address, headers and body of one call; `form` is set when it sends one. The visitor's own headers are never passed on, and no input of a
 * visitor chooses the host or the path.
 */
export function createRequest(
	baseUrls: BrokerConfig['baseUrls'],
	{ token, clientCode, requestId }: Connection,
	path: string,
	call: BrokerCall,
	accept: string,
) {
	// Not `new URL(path, base)`: the address of a broker behind a gateway may have a path.
	const url = new URL(baseUrls[call.service ?? 'broker'].replace(/\/+$/, '') + path)
	if (token) url.searchParams.set('source', 'connect')
	for (const [name, value] of Object.entries(call.query ?? {})) if (value !== undefined) url.searchParams.set(name, value)

	const headers: Record<string, string> = { accept, 'x-request-id': requestId }
	writeTrace(headers)
	if (token) headers[path.startsWith('/edis/') || path.startsWith('/ipo/') ? 'authToken' : 'auth-token'] = token
	if (clientCode) headers['client-code'] = clientCode
	if (call.body !== undefined && !call.form) headers['content-type'] = JSON_TYPE
	if (call.hardRefresh) headers['hard-refresh'] = 'true'
	if (call.idempotencyKey) headers['idempotency-key'] = call.idempotencyKey
	if (call.pwdResetToken) headers['pwd-reset-token'] = call.pwdResetToken
	const form = call.form && encodeForm(call.form)
	if (form) headers['content-type'] = form.contentType
	const json = call.body === undefined ? undefined : JSON.stringify(call.body)
	return { url, headers, body: form?.body ?? json, form }
}
