import { z } from 'zod/v4'
import { rows, text, word } from './tolerant'

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
	status: z.enum(['WAITING', 'SIGNED', 'WITHDRAWN', 'LAPSED']),
	/** How the last visit to the provider ended, while it waits. */
	last_outcome: word(z.enum(['CANCELLED', 'FAILED'])).nullable(),
	reason: text(200).nullable(),
	/** Of the signature or the last outcome. */
	ended_at: z.iso.datetime().nullable(),
	expires_at: z.iso.datetime(),
	/** To sign again without typing anything again; null when there is nothing left to sign. */
	esign_response: EsignResponse.nullable(),
})
export type EsignStatus = z.infer<typeof EsignStatus>
