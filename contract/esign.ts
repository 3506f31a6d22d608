import { z } from 'zod/v4'
import { Moment } from './common'
import { text, word } from './texts'
import { maybe, rows } from './tolerant'

/**
 * The e-sign response: the absolute address of the e-sign page, or an opaque value to post to the configured page. The portal checks the
 * address when the client follows it, so any text is accepted here.
 */
export const EsignResponse = z.string().min(1).max(2048)
export type EsignResponse = z.infer<typeof EsignResponse>

/** Not in the specification: the current state of a signing request, for the page to which the client returns. */
export const EsignStatus = z.object({
	reference: text(40),
	title: text(80),
	lines: rows(z.object({ label: text(60), value: text(200) }), 20),
	/** LAPSED: not signed in time. */
	status: word(z.enum(['WAITING', 'SIGNED', 'WITHDRAWN', 'LAPSED'])),
	/** How the last visit to the provider ended, while the request is WAITING. */
	last_outcome: maybe(word(z.enum(['CANCELLED', 'FAILED']))),
	reason: maybe(text(200)),
	/** The moment of the signature or of the last outcome. */
	ended_at: maybe(Moment),
	expires_at: Moment,
	/** Lets the client sign again without filling in the form again; null when there is nothing left to sign. */
	esign_response: maybe(EsignResponse),
})
export type EsignStatus = z.infer<typeof EsignStatus>
