import { LRUCache } from 'lru-cache'
import { settings } from '~/config/env.server'
import { log } from '~/config/logger.server'
import { redis } from '~/config/redis.server'
import { readRequestId, readVisitor } from '~/http/request-id.server'
import { limitEntries } from '~/lib/limit-entries'
import { countEvent } from '~/lib/telemetry'
import { keyedHash } from './sealed-cookie.server'

/** Every event that helps to find out what happened to an account: docs/decisions/012-audit-lines.md lists them. */
export type AuditEvent =
	| 'login'
	| 'login_refused'
	| 'login_limited'
	| 'logout'
	| 'idle_logout'
	| 'session_expired'
	| 'otp_sent'
	| 'otp_verified'
	| 'otp_refused'
	| 'otp_unknown'
	| 'otp_limited'
	| 'password_changed'
	| 'password_refused'
	| 'password_change_unknown'
	| 'password_limited'
	| 'password_reset'
	| 'password_reset_unknown'
	| 'payin_started'
	| 'payin_returned'
	| 'payout_asked'
	| 'payout_cancelled'
	| 'mandate_started'
	| 'mandate_cancelled'
	| 'pledge_asked'
	| 'pledge_returned'
	| 'ipo_bid'
	| 'mtf_asked'
	| 'ddpi_asked'
	| 'default_bank_changed'
	| 'change_withdrawn'
	| 'closure_asked'
	| 'closure_withdrawn'
	| 'esign_opened'
	| 'esign_returned'
	| 'upload_refused'
	| 'weblink_refused'
	| 'weblink_limited'

/** At every level of the log but `silent`: who logs only errors still needs to know what happened to an account. */
const auditLog = log.child({}, settings.LOG_LEVEL === 'silent' ? {} : { level: 'info' })

/**
 * Writes one audit line. `client` is a client code or the name typed at login: the line has its keyed hash, the same for every line of one
 * client. The address is the visitor's, as found by the server in front of Remix. `detail` must not hold what a client typed.
 */
export function audit(
	event: AuditEvent,
	request: Request,
	client: string | undefined,
	detail: Record<string, string | number | boolean | null | undefined> = {},
): void {
	countEvent(event)
	auditLog.info({
		event,
		reference: readRequestId(request),
		client: client && keyedHash('audit', client),
		address: readVisitor(request),
		...detail,
	})
}

/** Events that already have their audit line. */
const written = new LRUCache<string, true>({ ...limitEntries(20_000), ttl: settings.SESSION_MAX_MS, ttlResolution: 1000 })

/**
 * Writes one audit line for an event that a page finds each time it is shown. `name` identifies the event. With Redis, all processes
 * together write one line.
 */
export async function auditOnce(name: string, ...[event, request, client, detail]: Parameters<typeof audit>): Promise<void> {
	const key = `audited:${event}:${client}:${name}`
	if (written.has(key)) return
	written.set(key, true)
	// When Redis does not answer, a second line does less harm than no line.
	const isFirst = await redis?.set(key, '1', 'PX', settings.SESSION_MAX_MS, 'NX').catch(() => 'OK')
	if (redis && !isFirst) return
	audit(event, request, client, detail)
}
