import { z } from 'zod/v4'
import { Moment } from './common'
import { maybe, rows, text, word } from './tolerant'

/**
 * The e-sign response: an absolute address of the e-sign page, or an opaque value for the configured one. Where it may lead is
 * decided by the portal when it is followed, so here it is only text.
 */
export const EsignResponse = z.string().min(1).max(2048)
export type EsignResponse = z.infer<typeof EsignResponse>

/** Ours: a request to sign as it stands at the broker, for the page that a client comes back to. */
export const EsignStatus = z.object({
	reference: text(40),
	title: text(80),
	lines: rows(z.object({ label: text(60), value: text(200) }), 20),
	/** LAPSED: nobody signed it in its day. */
	status: word(z.enum(['WAITING', 'SIGNED', 'WITHDRAWN', 'LAPSED'])),
	/** How the last visit to the provider ended, while it waits. */
	last_outcome: maybe(word(z.enum(['CANCELLED', 'FAILED']))),
	reason: maybe(text(200)),
	/** Of the signature or the last outcome. */
	ended_at: maybe(Moment),
	expires_at: Moment,
	/** To sign again without typing anything again; null when there is nothing left to sign. */
	esign_response: maybe(EsignResponse),
})
export type EsignStatus = z.infer<typeof EsignStatus>
